"""Runs a supervisor in a process of its own, over small real programs, so that it can be killed like any other."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from threading import Timer

import psutil
import pytest

from config.env import ROOT

# A program with a child of its own. It says who both are, and ends when asked, unless it is the stubborn one.
CHILD = """
import os, signal, subprocess, sys, time
own = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"])
signal.signal(signal.SIGTERM, signal.SIG_IGN if sys.argv[1] == "stubborn" else lambda *_: sys.exit(0))
os.write(1, f"started {sys.argv[1]} {os.getpid()} {own.pid}\\n".encode())  # at once, for others write there too
if sys.argv[1] == "brief":
    sys.exit(3)
while True:
    time.sleep(600)
"""
SUPERVISOR = """
import os, sys
from memory_app.serving import child_process, supervisor
from memory_app.serving.child_process import Program
child_process.FIRST_WAIT_SECONDS = 0.01
supervisor.GRACE_SECONDS = supervisor.ORPHAN_GRACE_SECONDS = 1.0
names, ready = sys.argv[2].split(","), sys.argv[3] == "ready"
tell = lambda *words: os.write(1, (" ".join(words) + "\\n").encode())
hooks = supervisor.SupervisorHooks(lambda: ready, lambda: tell("ready"), lambda: None, lambda line: tell("said", line))
programs = [Program(name, [sys.executable, "-c", sys.argv[1], name]) for name in names]
sys.exit(supervisor.supervise(programs, hooks))
"""


@dataclass
class Supervisor:
    """The process, and what it and its programs have printed so far."""

    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)

    def until(self, start: str, count: int = 1) -> list[list[str]]:
        """Reads on until so many lines in all have begun with that; answers the words of each."""
        assert self.process.stdout is not None
        while len(found := [line.split() for line in self.lines if line.startswith(start)]) < count:
            line = self.process.stdout.readline()
            assert line, f"ended without {start!r}: {self.lines}"
            self.lines.append(line.strip())
        return found

    def until_end(self) -> None:
        assert self.process.stdout is not None
        self.lines += [line.strip() for line in self.process.stdout]

    def pids(self) -> set[int]:
        """The processes of all programs that have said so, and of their children."""
        return {int(word) for line in self.lines if line.startswith("started") for word in line.split()[2:]}

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(20)


@pytest.fixture
def supervisor() -> Iterator[Callable[..., Supervisor]]:
    started: list[subprocess.Popen[str]] = []

    def start(*names: str, ready: bool = True) -> Supervisor:
        command = [sys.executable, "-c", SUPERVISOR, CHILD, ",".join(names), "ready" if ready else "never"]
        process = subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, env={**os.environ})
        started.append(process)
        watch(process, 60)
        return Supervisor(process)

    yield start
    for process in started:
        process.terminate()
        process.communicate()


def watch(process: subprocess.Popen[str] | subprocess.Popen[bytes], seconds: float) -> None:
    """Kills the process when it takes far too long, so that a test that reads its output fails rather than hangs."""
    timer = Timer(seconds, process.kill)
    timer.daemon = True
    timer.start()


def alive(pid: int) -> bool:
    """A process that ended but was not yet collected is not alive."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def gone(pids: set[int]) -> bool:
    """Waits for the kernel to be done with them; false when some stay."""
    left = [psutil.Process(pid) for pid in pids if alive(pid)]
    return not [process for process in psutil.wait_procs(left, timeout=20)[1] if alive(process.pid)]
