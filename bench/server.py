"""A Keepsake of its own to measure: `manage.py serve` over a data folder, on a free port, from start to end."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil

from config.env import ROOT

KEY = re.compile(r"ks_[\w-]+")
LAST_LINE = re.compile(r"curl |key create")
"""What the greeting ends with, at the first start and at later ones."""

NOT_OURS = ("DATABASE_URL", "KEEPSAKE_EMBEDDING_MODEL", "KEEPSAKE_LLM", "KEEPSAKE_PUBLIC_URL", "KEEPSAKE_DEBUG")


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
            if LAST_LINE.search(line):
                return said
        raise RuntimeError(f"the server did not start: {said}")


def environment(data: Path) -> dict[str, str]:
    """The environment of a Keepsake that knows of no other."""
    inherited = {name: value for name, value in os.environ.items() if name not in NOT_OURS}
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
