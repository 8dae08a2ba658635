"""Calls the API over HTTP on one connection that is kept, as an assistant's client does."""

import http.client
import json
import time
from typing import Any

IDLE_SECONDS = 5.0
"""After so long a server may have closed the connection: a new one is opened."""


class Client:
    """For one thread. `seconds` is what the last call took: request sent, answer read and understood."""

    def __init__(self, port: int, key: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        self._headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
        self.seconds = 0.0
        self._last = 0.0

    def post(self, path: str, body: object) -> Any:
        """The answer's JSON. Raises RuntimeError where it is no success."""
        return self._call("POST", path, json.dumps(body).encode())

    def get(self, path: str) -> Any:
        return self._call("GET", path, None)

    def _call(self, method: str, path: str, body: bytes | None) -> Any:
        started = time.perf_counter()
        if started - self._last > IDLE_SECONDS:
            self._connection.close()
        self._connection.request(method, f"/api/v1{path}", body, self._headers)
        answer = self._connection.getresponse()
        read = answer.read()
        found = json.loads(read) if read else None
        self._last = time.perf_counter()
        self.seconds = self._last - started
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {read[:500]!r}")
        return found
