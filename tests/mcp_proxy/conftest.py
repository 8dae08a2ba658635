"""A proxy as an assistant starts it: a process with pipes, and an environment of its own."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from config.env import ROOT
from tests.serving.conftest import watch

COMMAND = [str(ROOT / "manage.py"), "mcp"]


class Proxy:
    """A running `manage.py mcp`, spoken to line by line."""

    def __init__(self, *options: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *COMMAND, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd="/",
        )
        watch(self.process, 60)

    def send(self, *lines: bytes | dict[str, Any]) -> None:
        assert self.process.stdin
        for line in lines:
            self.process.stdin.write((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n")
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def ask(self, method: str, params: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        self.send(request(method, params, **more))
        return self.answer()

    def rest(self) -> list[dict[str, Any]]:
        """What it still says after its input ended; then it has ended too, and well."""
        output, _ = self.process.communicate(timeout=60)
        assert self.process.returncode == 0
        return [json.loads(line) for line in output.splitlines()]


def request(method: str, params: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}, **more}


@pytest.fixture
def proxy() -> Iterator[Callable[..., Proxy]]:
    started: list[Proxy] = []

    def start(*options: str, **environment: str) -> Proxy:
        started.append(Proxy(*options, **environment))
        return started[-1]

    yield start
    for one in started:
        one.process.kill()
        one.process.communicate()
