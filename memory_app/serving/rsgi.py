"""What of RSGI, granian's own interface, the front uses: one request, and the way to its body and answer.

https://github.com/emmett-framework/granian/blob/master/docs/spec/RSGI.md
"""

from collections.abc import AsyncIterator
from typing import Any, Protocol

Header = tuple[str, str]


class Headers(Protocol):
    """Names are in lower case."""

    def get(self, key: str, default: Any = None) -> Any: ...
    def items(self) -> list[Header]: ...
    def __contains__(self, key: str) -> bool: ...


class Scope(Protocol):
    """The head of a request. `server` and `client` are "address:port"; `path` is decoded."""

    http_version: str
    server: str
    client: str
    scheme: str
    method: str
    path: str
    query_string: str
    authority: str | None

    @property
    def headers(self) -> Headers: ...


class Stream(Protocol):
    """An answer in parts. Each is put in line at once; raises when the client is gone."""

    def send_bytes(self, data: bytes) -> object: ...


class HTTPProtocol(Protocol):
    """Iterated over, it gives the parts of the body. The first answer counts; another is ignored."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...
    def response_empty(self, status: int, headers: list[Header]) -> None: ...
    def response_str(self, status: int, headers: list[Header], body: str) -> None: ...
    def response_bytes(self, status: int, headers: list[Header], body: bytes) -> None: ...
    def response_stream(self, status: int, headers: list[Header]) -> Stream: ...
