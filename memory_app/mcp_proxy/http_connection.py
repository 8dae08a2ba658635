"""HTTP/1.1 as far as the proxy speaks it: one POST after the other on one connection.

`http.client` would do the same, with half as much memory again and a start a third longer: it loads a parser of
e-mails, and TLS whether or not that is used.
"""

import select
import socket
from collections.abc import Mapping
from importlib import import_module
from io import BufferedReader
from typing import Any, NamedTuple

CONNECT_SECONDS = 10
LONGEST_LINE, MAX_HEADERS = 65_536, 100


class BadResponse(Exception):
    """What came is no answer of HTTP, or only a part of one."""


class Response(NamedTuple):
    """headers: by their names in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


class HttpConnection:
    """An open connection. Raises OSError and BadResponse wherever it breaks, and is of no use from then on."""

    def __init__(self, host: str, port: int, *, is_secure: bool, answer_seconds: float) -> None:
        self._socket = socket.create_connection((host, port), CONNECT_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if is_secure:
            tls: Any = import_module("ssl")
            self._socket = tls.create_default_context().wrap_socket(self._socket, server_hostname=host)
        self._socket.settimeout(answer_seconds)
        self._reader = self._socket.makefile("rb")
        self._ends = False

    def post(self, path: str, headers: Mapping[str, str], body: bytes) -> Response:
        """Header values are plain ASCII without line breaks."""
        lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
        head = "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""])
        self._socket.sendall(head.encode("ascii") + body)
        response = _read_response(self._reader)
        self._ends = response.headers.get("connection", "").lower() == "close" or _has_no_end(response.headers)
        return response

    def is_reusable(self) -> bool:
        """Between answers a server says nothing, unless it closes. The tickets that TLS sends after its handshake look
        like that too, and cost a second connection, once."""
        if self._ends:
            return False
        readable, _, _ = select.select([self._socket], [], [], 0)
        return not readable

    def close(self) -> None:
        self._reader.close()
        self._socket.close()


def _read_response(reader: BufferedReader) -> Response:
    status = 100
    while 100 <= status < 200:  # such as 100: go on
        version, _, rest = _read_line(reader).partition(" ")
        if not (version.startswith("HTTP/1.") and rest[:3].isdecimal()):
            raise BadResponse("no HTTP")
        status = int(rest[:3])
        headers = _read_headers(reader)
    return Response(status, headers, _read_body(reader, status, headers))


def _read_headers(reader: BufferedReader) -> dict[str, str]:
    headers: dict[str, str] = {}
    while line := _read_line(reader):
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
        if len(headers) > MAX_HEADERS:
            raise BadResponse("too many headers")
    return headers


def _read_body(reader: BufferedReader, status: int, headers: Mapping[str, str]) -> bytes:
    if status in (204, 304):
        return b""
    if _is_chunked(headers):
        return _read_chunks(reader)
    if _has_no_end(headers):
        return reader.read()
    length = headers["content-length"]
    if not length.isdecimal():
        raise BadResponse("no length")
    return _read_exactly(reader, int(length))


def _is_chunked(headers: Mapping[str, str]) -> bool:
    return headers.get("transfer-encoding", "").lower().endswith("chunked")


def _has_no_end(headers: Mapping[str, str]) -> bool:
    """The body goes on until the connection ends."""
    return not _is_chunked(headers) and "content-length" not in headers


def _read_chunks(reader: BufferedReader) -> bytes:
    chunks = []
    while size := _chunk_size(reader):
        chunks.append(_read_exactly(reader, size))
        _read_line(reader)
    _read_headers(reader)
    return b"".join(chunks)


def _chunk_size(reader: BufferedReader) -> int:
    try:
        return int(_read_line(reader).partition(";")[0], 16)
    except ValueError:
        raise BadResponse("no chunk") from None


def _read_exactly(reader: BufferedReader, count: int) -> bytes:
    data = reader.read(count)
    if len(data) < count:
        raise BadResponse("the answer ended early")
    return data


def _read_line(reader: BufferedReader) -> str:
    line = reader.readline(LONGEST_LINE)
    if not line.endswith(b"\n"):
        raise BadResponse("the server ended the connection" if len(line) < LONGEST_LINE else "too long a line")
    return line.rstrip(b"\r\n").decode("latin-1")
