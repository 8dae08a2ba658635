"""One program of the server as a child process: started, started again when it dies, ended with all it made."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

# From <linux/prctl.h>.
PR_SET_PDEATHSIG = 1
# A program that dies at once is given more and more time; one that ran this long starts afresh in that.
FIRST_WAIT_SECONDS = 0.5
MAX_WAIT_SECONDS = 30.0
STABLE_SECONDS = 60.0


@dataclass(frozen=True)
class Program:
    """What to run, and what to call it when speaking to people."""

    name: str
    command: Sequence[str]
    sends_heartbeats: bool = False
    """Whether its processes tell by heartbeats that they run, and are replaced when they fall silent."""


@dataclass
class ChildProcess:
    """A program that is kept running. Its process leads a session and group of its own, which end with it.

    A signal from the terminal thus reaches nobody by itself: who supervises decides what to send, and to whom.
    """

    program: Program
    report: Callable[[str], None]
    environment: Mapping[str, str] = field(default_factory=dict)
    """What it finds in its environment besides our own."""

    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    exits: int = 0
    start_at: float = 0.0

    def ensure_running(self, *, may_start_again: bool) -> bool:
        """Starts the program if it is due, notices if it died. Answers whether it runs."""
        if self.process is not None and _has_exited(self.process):
            self._died(self.process, may_start_again=may_start_again)
            if not may_start_again:
                return False
        if self.process is None and time.monotonic() >= self.start_at:
            self._start()
        return self.process is not None

    def replace(self, why: str) -> None:
        """Kills all of it, whatever it does; `keep` starts it again."""
        if self.process is not None:
            self.report(f"The {self.program.name} (process {self.process.pid}) is replaced: {why}.")
            kill_group(self.process.pid)

    def terminate(self) -> None:
        """SIGTERM, to the leader alone: one that gets it together with its own children may wait for them for ever."""
        if self.process is not None and not _has_exited(self.process):
            self.process.send_signal(signal.SIGTERM)

    def has_ended(self) -> bool:
        return self.process is None or _has_exited(self.process)

    def kill(self) -> None:
        """Kills what is left of the program's group, and collects the leader."""
        if self.process is not None:
            kill_group(self.process.pid)
            self.process.wait()
            self.process = None

    def _start(self) -> None:
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            self.program.command,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **self.environment},
            start_new_session=True,
            preexec_fn=end_with_parent(os.getpid()),
        )

    def _died(self, process: subprocess.Popen[bytes], *, may_start_again: bool) -> None:
        kill_group(process.pid)
        code = process.wait()
        self.process = None
        lifetime = time.monotonic() - self.started
        self.exits = 0 if lifetime > STABLE_SECONDS else self.exits + 1
        wait = min(MAX_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** max(0, self.exits - 1))
        self.start_at = time.monotonic() + wait
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
        again = f"; it starts again in {wait:g} s." if may_start_again else "."
        self.report(f"The {self.program.name} (process {process.pid}) {how}{again}")


def _has_exited(process: subprocess.Popen[bytes]) -> bool:
    """Looks without collecting: while the dead leader is not collected, its group's number cannot pass to another."""
    if process.returncode is not None:
        return True
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def kill_group(leader: int) -> None:
    """SIGKILL to whoever is left in a group; the programs were asked before."""
    # On macOS a group of which only the uncollected leader is left answers with the second.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def end_with_parent(parent: int) -> Callable[[], None] | None:
    """What a new process calls first, so that the kernel sends it SIGTERM when its parent dies, even by SIGKILL.

    Where the kernel cannot (only Linux can), the guard of `orphans` alone ends it.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def die_with_parent() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died in between
            os._exit(1)

    return die_with_parent
