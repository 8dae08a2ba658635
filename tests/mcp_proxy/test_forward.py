"""What the proxy sends on, and what it says where there is no answer: over real pipes and a real port."""

import ast
import json
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Barrier

import psutil
import pytest

from config.env import ROOT
from tests.mcp_proxy.conftest import Proxy, request
from tests.mcp_proxy.recording_server import RecordingServer, recording_server
from tests.source import files, imported

Start = Callable[..., Proxy]
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


@pytest.fixture
def server() -> Iterator[RecordingServer]:
    with recording_server() as server:
        yield server


@pytest.fixture
def started(proxy: Start, server: RecordingServer) -> Proxy:
    return proxy(KEEPSAKE_URL=server.url, KEEPSAKE_KEY="ks_1")


def test_it_needs_the_standard_library_alone() -> None:
    others = {
        module
        for path in files("memory_app/mcp_proxy")
        for module in imported(path)
        if module.partition(".")[0] not in sys.stdlib_module_names and not module.startswith("memory_app.mcp_proxy.")
    }
    assert others == set()
    for package in ("memory_app", "memory_app/mcp_proxy"):
        code = ast.parse((ROOT / package / "__init__.py").read_text())
        assert all(isinstance(statement, ast.Expr) for statement in code.body)


def test_a_running_proxy_has_loaded_nothing_of_django(started: Proxy) -> None:
    started.ask("ping")
    mapped = {Path(file.path) for file in psutil.Process(started.process.pid).memory_maps()}
    assert mapped
    assert not [path for path in mapped if "site-packages" in path.parts]


def test_a_modern_message_says_in_headers_what_it_says_itself(started: Proxy, server: RecordingServer) -> None:
    calls = {
        "search_memories": ("tools/call", {"name": "search_memories"}, "search_memories"),
        "memory://profile/zoë": (
            "resources/read",
            {"uri": "memory://profile/zoë"},
            "=?base64?bWVtb3J5Oi8vcHJvZmlsZS96b8Or?=",
        ),
        " padded": ("prompts/get", {"name": " padded"}, "=?base64?IHBhZGRlZA==?="),
        "=?base64?eA==?=": ("prompts/get", {"name": "=?base64?eA==?="}, "=?base64?PT9iYXNlNjQ/ZUE9PT89?="),
    }
    for method, params, expected in calls.values():
        started.ask(method, {**params, "_meta": META})
        _, headers, body = server.received[-1]
        sent = {name: headers.get(name) for name in ("MCP-Protocol-Version", "Mcp-Method", "Mcp-Name")}
        assert sent == {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": expected}
        assert body["params"] == {**params, "_meta": META}
    started.ask("tools/list", {"_meta": META})
    assert "Mcp-Name" not in server.received[-1][1]


def test_after_initialize_the_agreed_version_is_said(started: Proxy, server: RecordingServer) -> None:
    started.ask("initialize", {"protocolVersion": "2025-06-18"})
    server.answers["notifications/initialized"] = (202, {}, b"")
    started.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    started.ask("tools/call", {"name": "search_memories"})
    versions = [headers.get("MCP-Protocol-Version") for _, headers, _ in server.received]
    assert versions == [None, "2025-06-18", "2025-06-18"]
    assert not [name for _, headers, _ in server.received for name in headers if name.startswith("Mcp-")]
    assert {headers["Authorization"] for _, headers, _ in server.received} == {"Bearer ks_1"}


def test_options_go_before_variables(proxy: Start, server: RecordingServer) -> None:
    options = ("--url", f"{server.url}/below/mcp/", "--key", "ks_2", "--person", "an/na zoë", "--tools", "readonly")
    proxy(*options, KEEPSAKE_URL="http://127.0.0.1:1", KEEPSAKE_KEY="ks_1", KEEPSAKE_PERSON="bob").ask("ping")
    path, headers, _ = server.received[0]
    assert (path, headers["Authorization"]) == ("/below/mcp/an%2Fna%20zo%C3%AB?tools=readonly", "Bearer ks_2")


def test_several_requests_are_under_way_at_once(started: Proxy, server: RecordingServer) -> None:
    server.together = Barrier(4)  # none is answered before all have come
    started.send(*[request("tools/call", {"name": str(number)}, id=number) for number in range(40)])
    answers = [started.answer() for _ in range(40)]
    assert {answer["id"]: answer["result"]["name"] for answer in answers} == {n: str(n) for n in range(40)}
    assert len(server.connections) == 4


def test_large_answers_and_all_of_unicode_pass_whole(started: Proxy, server: RecordingServer) -> None:
    text = "käse 🧀 \u2028 \x1f\n" * 200_000
    server.answers["raw"] = (200, {}, json.dumps({"jsonrpc": "2.0", "id": 1, "result": text}, indent=1).encode())
    assert started.ask("raw")["result"] == text
    raw = '{"jsonrpc": "2.0", "id": "ü", "method": "ping", "params": {"x": "käse 🧀\u2028"}}'.encode()
    started.send(raw)
    assert started.answer() == {"jsonrpc": "2.0", "id": "ü", "result": {"x": "käse 🧀\u2028"}}


def test_what_is_no_message_is_said_and_the_next_is_answered(started: Proxy, server: RecordingServer) -> None:
    bad = (b"{", b"\xff", b"[]", b"3", b'{"id": 1, "method": []}', b"[" * 100_000)
    for line in bad:
        started.send(line)
        answer = started.answer()
        assert (answer["id"], answer["error"]["code"]) in [(None, -32700), (None, -32600)], line
    started.send(b"", b'{"jsonrpc": "2.0", "id": 9, "result": {}}')  # nothing, and an answer to nothing
    assert started.ask("ping")["result"] == {}
    assert len(server.received) == 1


def test_answers_still_under_way_come_after_the_input_has_ended(started: Proxy, server: RecordingServer) -> None:
    server.together = Barrier(4)
    started.send(*[request("ping", id=number) for number in range(8)])
    assert {answer["id"] for answer in started.rest()} == set(range(8))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_whatever_is_under_way(
    started: Proxy, server: RecordingServer, number: signal.Signals
) -> None:
    started.ask("ping")
    server.together = Barrier(2)
    started.send(request("ping"))  # never answered
    started.process.send_signal(number)
    _, errors = started.process.communicate(timeout=20)
    assert started.process.returncode == {signal.SIGTERM: -15, signal.SIGINT: 130}[number]
    assert errors == b""
    server.together.abort()


def test_it_ends_when_nobody_reads_its_answers(started: Proxy) -> None:
    started.ask("ping")
    assert started.process.stdout
    started.process.stdout.close()
    started.send(request("ping"))
    assert started.process.wait(20) == 0


def _told(proxy: Proxy) -> str:
    answer = proxy.ask("tools/call", {"name": "search_memories"}, id=7)
    assert (answer["id"], answer["error"]["code"]) == (7, -32603)
    message: str = answer["error"]["message"]
    return message


def test_a_server_that_is_not_there_is_said_until_it_is(proxy: Start) -> None:
    with recording_server() as server:
        waiting = proxy(KEEPSAKE_URL=server.url, KEEPSAKE_KEY="ks_1")
        waiting.ask("ping")
    told = _told(waiting)
    assert f"Keepsake does not answer at {server.url} (Connection refused). Start it" in told
    waiting.send({"jsonrpc": "2.0", "method": "notifications/cancelled"})  # nobody is told of what nobody asked
    assert waiting.process.stderr
    for _ in range(2):
        assert waiting.process.stderr.readline().startswith(b"keepsake: Keepsake does not answer")
    with recording_server(server.server_port):
        assert waiting.ask("ping")["result"] == {}


def test_a_server_that_was_started_anew_is_found(started: Proxy, server: RecordingServer) -> None:
    server.answers["close"] = (200, {"Connection": "close"}, b'{"jsonrpc": "2.0", "id": 1, "result": {}}')
    server.answers["break"] = (0, {}, b"")
    started.ask("close")
    assert started.ask("ping")["result"] == {}
    broken = started.ask("break")["error"]["message"]
    assert broken.startswith("The connection to Keepsake broke (")
    assert broken.endswith("Whether it did what was asked is not known: look before you ask again.")
    assert started.ask("ping")["result"] == {}


def test_what_is_set_wrong_is_said_with_how_to_mend_it(proxy: Start, server: RecordingServer) -> None:
    assert _told(proxy(KEEPSAKE_URL=server.url)).startswith(f"No key is given: put one into KEEPSAKE_KEY. {server.url}")
    assert "holds no key" in _told(proxy(KEEPSAKE_URL=server.url, KEEPSAKE_KEY="ks_ü"))
    assert "holds no key" in _told(proxy(KEEPSAKE_URL=server.url, KEEPSAKE_KEY="ks\r\nX: y"))
    for url in ("localhost:8000", "ftp://x", "http://", "http://x:port", "http://[::"):
        assert "is no address of a server" in _told(proxy(KEEPSAKE_URL=url, KEEPSAKE_KEY="ks_1")), url
    assert "does not answer at http://x.invalid" in _told(proxy(KEEPSAKE_URL="http://x.invalid", KEEPSAKE_KEY="ks_1"))
    assert server.received == []


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ((401, {}, b'{"detail": "x"}'), "Keepsake does not know this key: put a valid one into KEEPSAKE_KEY."),
        ((301, {"Location": "https://x.example/mcp"}, b""), "Keepsake has moved to https://x.example/mcp: put"),
        ((404, {}, b"<html>"), "is no Keepsake (status 404): see KEEPSAKE_URL."),
        ((200, {}, b"[]"), "is no Keepsake (status 200): see KEEPSAKE_URL."),
        ((429, {}, b'{"detail": "Too many; wait 3 s."}'), "refused this (status 429): Too many; wait 3 s."),
    ],
)
def test_what_is_no_answer_of_mcp_is_said(
    started: Proxy, server: RecordingServer, answer: tuple[int, dict[str, str], bytes], expected: str
) -> None:
    server.answers["tools/call"] = answer
    assert expected in _told(started)
    assert started.ask("ping")["result"] == {}


def test_errors_of_the_server_pass_as_they_are(started: Proxy, server: RecordingServer) -> None:
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32020, "message": "x"}}
    server.answers["tools/list"] = (400, {}, json.dumps(error).encode())
    assert started.ask("tools/list") == error
