"""What the tests of /mcp share: a client that speaks the legacy protocol in process."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from mcp_types import CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY

from memory_app.models import ApiKey

JSON = "application/json"
MODERN = "2026-07-28"


class Mcp:
    """Calls /mcp with a key. person: to whom its connection is pinned."""

    def __init__(self, key: str, person: str = "") -> None:
        self.client = Client(headers={"Authorization": f"Bearer {key}", "Accept": f"{JSON}, text/event-stream"})
        self.path = f"/mcp/{person}" if person else "/mcp"

    def send(self, body: object, **headers: str) -> HttpResponse:
        """The answer to what is no call. Header names are written with underscores."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        answer: Any = self.client.generic("POST", self.path, content, JSON, headers=sent)
        return answer  # type: ignore[no-any-return]

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """The whole message that answers."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
        answer: dict[str, Any] = json.loads(self.send(message).content)
        return answer

    def ask_modern(self, method: str, params: dict[str, Any], *, capabilities: dict[str, Any]) -> dict[str, Any]:
        """The whole message that answers a client of the modern protocol that can do this."""
        meta = {PROTOCOL_VERSION_META_KEY: MODERN, CLIENT_CAPABILITIES_META_KEY: capabilities}
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        headers = {"MCP_Protocol_Version": MODERN, "Mcp_Method": method, "Mcp_Name": params["name"]}
        answer: dict[str, Any] = json.loads(self.send(message, **headers).content)
        return answer

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """What a tool answers, structured."""
        result = self.result(tool, **arguments)
        assert not result["isError"], result
        structured: dict[str, Any] = result["structuredContent"]
        return structured

    def refused(self, tool: str, **arguments: object) -> str:
        """What a tool says that does not do it."""
        result = self.result(tool, **arguments)
        assert result["isError"], result
        text: str = result["content"][0]["text"]
        return text

    def result(self, tool: str, **arguments: object) -> dict[str, Any]:
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result


@pytest.fixture
def mcp(key: str) -> Mcp:
    return Mcp(key)


def mcp_with(person: str = "", **grant: Any) -> Mcp:
    """With a key of its own."""
    return Mcp(ApiKey.issue("assistant", **{"scopes": ["read", "write"], **grant})[1], person)
