"""What the tests of /compat share: a client in process that shows its key as other servers' clients do."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

JSON = "application/json"


class Compat:
    """Calls below one address. scheme: how the key is shown; a name of a header shows it alone."""

    def __init__(self, key: str, server: str = "mem0", scheme: str = "Token") -> None:
        shown = {scheme: key} if scheme.startswith("X-") else {"Authorization": f"{scheme} {key}"}
        self.client, self.server = Client(headers=shown), server

    def send(self, method: str, path: str, body: object = None) -> HttpResponse:
        content = b"" if body is None else json.dumps(body).encode()
        answer: Any = self.client.generic(method, f"/compat/{self.server}{path}", content, JSON)
        return answer  # type: ignore[no-any-return]

    def call(self, method: str, path: str, body: object = None) -> Any:
        """What is answered, with a status of success."""
        answer = self.send(method, path, body)
        assert 200 <= answer.status_code < 300, (path, answer.status_code, answer.content[:500])
        return json.loads(answer.content)

    def refused(self, status: int, method: str, path: str, body: object = None) -> str:
        """The detail of an error, as these clients read it."""
        answer = self.send(method, path, body)
        assert (answer.status_code, answer["Content-Type"]) == (status, JSON), (path, answer.content[:500])
        detail: str = json.loads(answer.content)["detail"]
        return detail


@pytest.fixture
def mem0(key: str) -> Compat:
    return Compat(key)
