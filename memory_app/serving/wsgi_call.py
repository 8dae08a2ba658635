"""One request put to the WSGI application on a thread, its body in hand, and the answer given back to the server."""

import io
import sys
from collections.abc import Callable, Iterable, Iterator
from http import HTTPStatus
from itertools import chain
from typing import Any
from wsgiref.types import WSGIApplication

from memory_app.serving.rsgi import Header, HTTPProtocol, Scope

MAX_JOINED_BYTES = 1024 * 1024
"""Bytes of an answer that are sent as one; only a longer one (an export) is sent in parts."""

UNPREFIXED = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}


def environ_of(scope: Scope, body: bytes, length: int) -> dict[str, Any]:
    """The request as PEP 3333 has it. `length`: what is announced, more than there is where the body was refused."""
    host, _, port = scope.server.rpartition(":")
    environ: dict[str, Any] = {
        "GATEWAY_INTERFACE": "CGI/1.1",
        "SERVER_SOFTWARE": "Granian",
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "SERVER_NAME": host.strip("[]"),
        "SERVER_PORT": port,
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin1"),
        "QUERY_STRING": scope.query_string,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in _headers(scope):
        environ[name] = f"{environ[name]},{value}" if name in environ else value
    environ.setdefault("HTTP_HOST", scope.authority or "")
    environ.pop("HTTP_TRANSFER_ENCODING", None)  # the chunks are put together
    environ["CONTENT_LENGTH"] = str(length) if length else environ.get("CONTENT_LENGTH", "")
    return environ


def _headers(scope: Scope) -> Iterator[Header]:
    """Without names that have an underscore, which WSGI could not tell from a proxy's own with a hyphen."""
    for name, value in scope.headers.items():
        if "_" not in name:
            yield UNPREFIXED.get(name) or f"HTTP_{name.replace('-', '_').upper()}", value


class StartResponse:
    """What the application began its answer with: WSGI's `start_response`."""

    def __init__(self) -> None:
        self.status = int(HTTPStatus.INTERNAL_SERVER_ERROR)
        self.headers: list[Header] = []

    def __call__(self, status: str, headers: list[Header], failed: Any = None) -> Callable[[bytes], object]:
        self.status, self.headers = int(status.split(" ", 1)[0]), headers
        return _write


def _write(_: bytes) -> None:
    raise NotImplementedError("Django answers by an iterable, and never writes")


def call_application(
    application: WSGIApplication, environ: dict[str, Any], protocol: HTTPProtocol, extra: Iterable[Header] = ()
) -> int:
    """Asks the application and answers, with `extra` headers; returns the status. What it raises was answered 500."""
    answer = StartResponse()
    try:
        parts = application(environ, answer)
        try:
            _send(protocol, answer, parts, extra)
        finally:
            if hasattr(parts, "close"):
                parts.close()
    except BaseException:
        protocol.response_empty(HTTPStatus.INTERNAL_SERVER_ERROR, [])
        raise
    return answer.status


def _send(protocol: HTTPProtocol, answer: StartResponse, parts: Iterable[bytes], extra: Iterable[Header]) -> None:
    headers = [*answer.headers, *extra]
    rest = iter(parts)
    joined, size = [], 0
    for part in rest:
        joined.append(part)
        size += len(part)
        if size > MAX_JOINED_BYTES:
            break
    else:
        protocol.response_bytes(answer.status, headers, b"".join(joined))
        return
    stream = protocol.response_stream(answer.status, headers)
    for part in chain(joined, rest):
        try:
            stream.send_bytes(part)
        except RuntimeError:  # the client is gone
            return
