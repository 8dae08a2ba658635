"""MCP: a search by tool beside the same search of the API, and what `manage.py mcp` takes beside Python alone."""

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence

import psutil

from bench.rows import add_rows_of_one, analyse
from bench.setup import BenchSetup
from bench.table import Line
from bench.texts import questions
from bench.timing import Act, interleaved, p50, p95
from config.env import ROOT

ROWS, ROUNDS, WARM = 1_000, 100, 5
PERSON = "asks by tool"
PING = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
MIB = 1024 * 1024
BARE = [sys.executable, "-c", "pass"]
BARE_WAITING = [sys.executable, "-c", "import sys; print(flush=True); sys.stdin.read()"]
PROXY = [sys.executable, str(ROOT / "manage.py"), "mcp"]


def measure(bench_setup: BenchSetup) -> Iterator[Line]:
    add_rows_of_one(bench_setup.size(ROWS), PERSON, bench_setup.encoder, bench_setup.now)
    analyse()
    yield from _searches(bench_setup)
    yield from _proxy(bench_setup)


def _searches(bench_setup: BenchSetup) -> Iterator[Line]:
    """The same question by both ways, in turns. What encodes a question keeps it, so each is asked once before."""
    client, tools = bench_setup.client(), _Tools(bench_setup.server.port, bench_setup.key)
    asked = questions(ROUNDS + WARM, "mcp")
    acts: dict[str, Act] = {
        "mcp": lambda n: tools.call("search_memories", {"person": PERSON, "query": asked[n], "limit": 10}),
        "api": lambda n: client.post("/search", {"person": PERSON, "query": asked[n], "limit": 10}),
    }
    for n in range(ROUNDS + WARM):
        client.post("/search", {"person": PERSON, "query": asked[n], "limit": 10})
    interleaved(acts, WARM)
    taken = interleaved(acts, ROUNDS)
    yield Line("MCP search_memories, p50", p50(taken["mcp"]) * 1e3, "ms", p50(taken["api"]) * 1e3, "API", at_most=1.15)
    yield Line("MCP search_memories, p95", p95(taken["mcp"]) * 1e3, "ms", p95(taken["api"]) * 1e3, "API, p95")


def _proxy(bench_setup: BenchSetup) -> Iterator[Line]:
    """From the start of the process to the answer to its first message; memory after it."""
    environment = {
        "KEEPSAKE_URL": f"http://127.0.0.1:{bench_setup.server.port}",
        "KEEPSAKE_KEY": bench_setup.key,
    }
    sizes: dict[str, float] = {}

    def bare(n: int) -> None:
        subprocess.run(BARE, check=True)

    def proxied(n: int) -> None:
        sizes["proxy"] = _size_after_answer(PROXY, environment)

    taken = interleaved({"bare": bare, "proxy": proxied}, 20)
    sizes["bare"] = _size_after_answer(BARE_WAITING, environment)
    yield Line("manage.py mcp, to its first answer, p50", p50(taken["proxy"]) * 1e3, "ms", at_most=150)
    yield Line("the same beside Python", p50(taken["proxy"]) * 1e3, "ms", p50(taken["bare"]) * 1e3, "python -c pass")
    yield Line("manage.py mcp, memory", sizes["proxy"] / MIB, "MiB", at_most=20)
    yield Line("the same beside Python", sizes["proxy"] / MIB, "MiB", sizes["bare"] / MIB, "python that waits")


def _size_after_answer(command: Sequence[str], environment: dict[str, str]) -> float:
    """Bytes in memory of a program that has answered its first line."""
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(PING)
        process.stdin.flush()
        assert process.stdout.readline()
        size = float(psutil.Process(process.pid).memory_info().rss)
        process.stdin.close()
    return size


class _Tools:
    """Calls tools as a client of 2025-11-25 does, on one connection that is kept, and reads the answer."""

    def __init__(self, port: int, key: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Authorization": f"Bearer {key}",
            "MCP-Protocol-Version": "2025-11-25",
        }

    def call(self, tool: str, arguments: dict[str, object]) -> None:
        """Raises RuntimeError where it is not done."""
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        self._connection.request("POST", "/mcp", json.dumps(message).encode(), self._headers)
        answer = json.loads(self._connection.getresponse().read())
        if answer.get("result", {}).get("isError") is not False:
            raise RuntimeError(f"{tool}: {answer}")
