"""A Keepsake of its own to measure: `manage.py serve` over a data folder, on a free port, from start to end.

Calls the API over HTTP on one connection that is kept, as an assistant's client does.
"""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil

from config.env import ROOT

KEY = re.compile(r"ks_[\w-]+")
GREETING_END = re.compile(r"curl |key create")
"""What the greeting ends with, at the first start and at later ones."""

IGNORED_VARIABLES = (
    "DATABASE_URL",
    "KEEPSAKE_EMBEDDING_MODEL",
    "KEEPSAKE_LLM",
    "KEEPSAKE_PUBLIC_URL",
    "KEEPSAKE_DEBUG",
)


class Server:
    """Runs from construction to `stop`. seconds: from the command to the greeting. key: of the first start, else ""."""

    def __init__(self, data: Path) -> None:
        self.data, self.port = data, free_port()
        started = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, "manage.py", "serve"],
            cwd=ROOT,
            env=environment(data) | {"PORT": str(self.port)},
            text=True,
            stdout=subprocess.PIPE,
        )
        greeting = self._greeting()
        self.seconds = time.perf_counter() - started
        keys = KEY.findall(greeting)
        self.key = keys[0] if keys else ""

    def memory(self) -> dict[str, float]:
        """Bytes of memory of each part, pages that processes share counted once among them."""
        serve = psutil.Process(self._process.pid)
        parts = {"serve": [serve], "web": [], "worker": [], "database": _database(self.data)}
        for child in serve.children():
            part = "web" if "granian" in " ".join(child.cmdline()) else "worker"
            parts[part] += [child, *child.children(recursive=True)]
        return {part: float(sum(_size(process) for process in several)) for part, several in parts.items()}

    def stop(self) -> None:
        self._process.send_signal(signal.SIGINT)
        self._process.communicate()

    def _greeting(self) -> str:
        assert self._process.stdout is not None
        said = ""
        for line in self._process.stdout:
            said += line
            if GREETING_END.search(line):
                return said
        raise RuntimeError(f"the server did not start: {said}")


def environment(data: Path) -> dict[str, str]:
    """The environment of a Keepsake that knows of no other."""
    inherited = {name: value for name, value in os.environ.items() if name not in IGNORED_VARIABLES}
    return inherited | {"KEEPSAKE_DATA": str(data), "HF_HUB_OFFLINE": "1"}


def _database(data: Path) -> list[psutil.Process]:
    [pid_file] = data.glob("postgres/data-*/postmaster.pid")
    postmaster = psutil.Process(int(pid_file.read_text().split()[0]))
    return [postmaster, *postmaster.children(recursive=True)]


def _size(process: psutil.Process) -> int:
    memory = process.memory_full_info()
    return int(getattr(memory, "pss", memory.rss))


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


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
