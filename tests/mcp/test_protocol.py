"""The wire of /mcp: both eras of the protocol, as recorded clients speak them, and what is refused how."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from mcp_types import (
    CLIENT_CAPABILITIES_META_KEY,
    HEADER_MISMATCH,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    PROTOCOL_VERSION_META_KEY,
    UNSUPPORTED_PROTOCOL_VERSION,
)

from memory_app.mcp.protocol import decode_header
from tests.mcp.conftest import MODERN, Mcp, mcp_with

pytestmark = pytest.mark.django_db

META = {PROTOCOL_VERSION_META_KEY: MODERN, CLIENT_CAPABILITIES_META_KEY: {}}
RECORDED = [json.loads(line) for line in (Path(__file__).parent / "wire_log.jsonl").read_text().splitlines()]
"""Requests of the Python and TypeScript SDKs, and of their server's answers the status and the fields."""


def _request(method: str, params: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 7, "method": method, **({} if params is None else {"params": params}), **more}


def _modern(mcp: Mcp, method: str, params: dict[str, Any] | None = None, **headers: str) -> tuple[int, dict[str, Any]]:
    """Status and message, asked as the modern protocol wants it, but for the headers that are given."""
    sent = {"MCP_Protocol_Version": MODERN, "Mcp_Method": method, **headers}
    answer = mcp.send(_request(method, {"_meta": META, **(params or {})}), **sent)
    return answer.status_code, json.loads(answer.content)


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda recorded: f"{recorded['method']} {recorded['body'][:90]}")
def test_recorded_clients_are_answered_as_they_were(recorded: dict[str, Any]) -> None:
    if recorded["method"] == "GET":
        return  # a stream, which a server without sessions has none of
    mcp = mcp_with("alice")
    mcp.call("add_memory", content="Alice likes tea")
    headers = {name.replace("-", "_"): value for name, value in recorded["headers"].items() if name != "accept"}
    answer = mcp.send(recorded["body"].encode(), **headers)
    assert answer.status_code == recorded["status"]
    if recorded["answer"] is None:
        assert answer.content == b""
        return
    message = json.loads(answer.content)
    assert message["id"] == json.loads(recorded["body"])["id"]
    assert sorted({*message["result"]} - {"structuredContent"}) == [
        name for name in recorded["answer"]["result"] if name != "structuredContent"
    ]


def test_the_version_that_is_asked_for_is_spoken_where_it_is_known(mcp: Mcp) -> None:
    client = {"capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    told = {
        asked: mcp.ask("initialize", {"protocolVersion": asked, **client})["result"]["protocolVersion"]
        for asked in ("2024-11-05", "2025-06-18", "2030-01-01")
    }
    assert told == {"2024-11-05": "2024-11-05", "2025-06-18": "2025-06-18", "2030-01-01": "2025-11-25"}
    assert mcp.ask("ping")["result"] == {}


def test_modern_headers_must_say_what_the_body_says(mcp: Mcp) -> None:
    call = {"name": "search_memories", "arguments": {"person": "alice", "query": "tea"}}
    status, message = _modern(mcp, "tools/call", call, Mcp_Name="search_memories")
    assert (status, message["result"]["resultType"]) == (200, "complete")
    refused = {
        "another method": _modern(mcp, "tools/list", Mcp_Method="ping"),
        "another name": _modern(mcp, "tools/call", call, Mcp_Name="get_memory"),
        "no name": _modern(mcp, "tools/call", call),
        "another version": _modern(mcp, "tools/list", MCP_Protocol_Version="2025-11-25"),
    }
    assert {how: (status, told["error"]["code"]) for how, (status, told) in refused.items()} == dict.fromkeys(
        refused, (400, HEADER_MISMATCH)
    )
    assert decode_header("=?base64?bWVtb3J5Oi8vw6k=?=") == "memory://é"
    assert decode_header("=?base64?!?=") is None


def test_what_modern_requests_lack_is_said(mcp: Mcp) -> None:
    without = mcp.send(_request("tools/list", {}), MCP_Protocol_Version=MODERN, Mcp_Method="tools/list")
    assert (without.status_code, json.loads(without.content)["error"]["code"]) == (400, INVALID_PARAMS)
    status, message = _modern(
        mcp,
        "tools/list",
        {"_meta": {**META, PROTOCOL_VERSION_META_KEY: "2031-01-01"}},
        MCP_Protocol_Version="2031-01-01",
    )
    assert (status, message["error"]["code"]) == (400, UNSUPPORTED_PROTOCOL_VERSION)
    assert message["error"]["data"]["requested"] == "2031-01-01"
    discovered = _modern(mcp, "server/discover")[1]["result"]["supportedVersions"]
    assert message["error"]["data"]["supported"] == discovered == [MODERN]
    for gone in ("initialize", "ping", "nonsense"):
        status, message = _modern(mcp, gone)
        assert (status, message["error"]["code"], message["id"]) == (404, METHOD_NOT_FOUND, 7)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", PARSE_ERROR),
        (b'{"jsonrpc": "2.0", "id": NaN, "method": "ping"}', PARSE_ERROR),
        (b"[" * 100_000, PARSE_ERROR),
        ([_request("ping")], INVALID_REQUEST),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, INVALID_REQUEST),
        ({"id": 1, "method": "ping"}, INVALID_REQUEST),
        (_request("ping", id=1.5), INVALID_REQUEST),
        (_request("ping", id=None), INVALID_REQUEST),
    ],
)
def test_what_is_no_request_is_refused(mcp: Mcp, body: object, code: int) -> None:
    answer = mcp.send(body)
    message = json.loads(answer.content)
    assert (answer.status_code, message["error"]["code"], message["id"]) == (400, code, None)


def test_an_error_of_a_legacy_request_has_status_200(mcp: Mcp) -> None:
    told = {
        method: (answer.status_code, json.loads(answer.content)["error"]["code"])
        for method, params in {"nonsense": {}, "tools/call": {"name": 3}, "server/discover": {}}.items()
        for answer in [mcp.send(_request(method, params))]
    }
    assert told == {
        "nonsense": (200, METHOD_NOT_FOUND),
        "tools/call": (200, INVALID_PARAMS),
        "server/discover": (200, METHOD_NOT_FOUND),
    }


def test_nothing_but_post_and_no_other_site(mcp: Mcp) -> None:
    for verb in ("GET", "DELETE", "PUT", "HEAD"):
        answer = mcp.client.generic(verb, "/mcp")
        assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert mcp.send(_request("ping"), Origin="https://evil.example").status_code == 403
    assert mcp.send(_request("ping"), Origin="null").status_code == 403
    assert mcp.send(_request("ping"), Origin="http://[").status_code == 403
    assert mcp.send(_request("ping"), Origin="http://testserver").status_code == 200
    nobody = Client().post("/mcp", _request("ping"), "application/json")
    assert nobody.status_code == 401
    assert nobody["WWW-Authenticate"].startswith('Bearer realm="keepsake", resource_metadata="http://testserver/')
    assert mcp.send(_request("ping", {"_meta": {"x": "y" * 700_000}})).status_code == 413
