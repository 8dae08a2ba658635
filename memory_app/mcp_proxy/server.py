"""The server behind the proxy: its address, and what it means when there is no answer."""

import json
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote, urlencode, urlsplit

from memory_app.mcp_proxy.http_connection import BadResponse, HttpConnection, Response

ANSWER_SECONDS = 310
"""Longer than the server gives to one request, so that what it says about that is heard."""

EXAMPLE_URL = "http://127.0.0.1:8000"
PORTS = {"http": 80, "https": 443}
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "User-Agent": "keepsake-mcp-proxy",
}
UNKNOWN_OUTCOME = "Whether it did what was asked is not known: look before you ask again."


class ProxyError(Exception):
    """Why there is no answer, and what to do: for whoever reads the assistant's messages."""


class Server(NamedTuple):
    """url: such as http://127.0.0.1:8000. person: to whom all is pinned. tools: a set of tools."""

    url: str
    key: str
    person: str = ""
    tools: str = ""

    def path(self) -> str:
        path = quote(urlsplit(self.url).path.rstrip("/").removesuffix("/mcp") + "/mcp", safe="/%")
        person = f"/{quote(self.person, safe='')}" if self.person else ""
        return path + person + (f"?{urlencode({'tools': self.tools})}" if self.tools else "")

    def headers(self) -> dict[str, str]:
        """Raises ProxyError where no key is given, or what is none."""
        if not self.key:
            raise ProxyError(f"No key is given: put one into KEEPSAKE_KEY. {self.where_keys_are()}")
        if not (self.key.isascii() and self.key.isprintable()):
            raise ProxyError(f"KEEPSAKE_KEY holds no key. {self.where_keys_are()}")
        return {"Host": urlsplit(self.url).netloc, "Authorization": f"Bearer {self.key}", **HEADERS}

    def connect(self) -> HttpConnection:
        """Raises ProxyError for an address that is none, and where nobody answers."""
        scheme, host, port = self._address()
        try:
            return HttpConnection(host, port, is_secure=scheme == "https", answer_seconds=ANSWER_SECONDS)
        except (OSError, UnicodeError) as error:
            raise ProxyError(
                f"Keepsake does not answer at {self.url} ({_reason(error)}). Start it with `make run`,"
                " or put the address where it runs into KEEPSAKE_URL."
            ) from None

    def _address(self) -> tuple[str, str, int]:
        try:
            parts = urlsplit(self.url)
            host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
        except (ValueError, KeyError):
            host = ""
        if not (host and parts.netloc.isascii() and parts.netloc.isprintable() and "@" not in parts.netloc):
            raise ProxyError(f"{self.url!r} is no address of a server: KEEPSAKE_URL should look like {EXAMPLE_URL}.")
        return parts.scheme, host, port

    def where_keys_are(self) -> str:
        return f"{self.url}/keys/ makes one, or `manage.py key create NAME` where the server runs."


class Connection:
    """One connection to the server, kept open between messages, for one thread."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._http: HttpConnection | None = None

    def post(self, body: bytes, headers: Mapping[str, str]) -> bytes:
        """The message that answers, empty for a notification. Raises ProxyError where there is none."""
        http = self._opened()
        try:
            response = http.post(self._server.path(), {**self._server.headers(), **headers}, body)
        except TimeoutError:
            self._close()
            raise ProxyError(f"Keepsake has not answered for {ANSWER_SECONDS} s. {UNKNOWN_OUTCOME}") from None
        except (OSError, BadResponse) as error:
            self._close()
            raise ProxyError(f"The connection to Keepsake broke ({_reason(error)}). {UNKNOWN_OUTCOME}") from None
        return self._message(response)

    def _opened(self) -> HttpConnection:
        """The kept connection, or a new one where the server has closed it meanwhile."""
        if self._http is None or not self._http.is_reusable():
            self._close()
            self._http = self._server.connect()
        return self._http

    def _close(self) -> None:
        if self._http is not None:
            self._http.close()
        self._http = None

    def _message(self, response: Response) -> bytes:
        """Whatever is a message of JSON-RPC, on one line; all else is why there is none."""
        if response.status == 202 and not response.body:
            return b""
        document = _document(response.body)
        if "jsonrpc" in document:
            return response.body if b"\n" not in response.body else json.dumps(document).encode()
        raise ProxyError(self._refusal(response, str(document.get("detail", ""))))

    def _refusal(self, response: Response, detail: str) -> str:
        url = self._server.url
        if response.status == 401:
            keys = self._server.where_keys_are()
            return f"Keepsake does not know this key: put a valid one into KEEPSAKE_KEY. {keys}"
        if 300 <= response.status < 400:
            return f"Keepsake has moved to {response.headers.get('location')}: put its address into KEEPSAKE_URL."
        if not detail:
            return f"What answers at {url} is no Keepsake (status {response.status}): see KEEPSAKE_URL."
        return f"Keepsake refused this (status {response.status}): {detail}"


def _document(body: bytes) -> dict[str, object]:
    try:
        document = json.loads(body)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
