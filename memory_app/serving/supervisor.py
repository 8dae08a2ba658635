"""Keeps several programs running until a signal asks to stop, then ends them in order.

Knows nothing of what they do. Whether the whole is ready, and what to do each second besides, it is told.

A guard beside the supervisor: ends the supervisor's children when it was killed and cannot do so itself.

It is a small process that imports nothing of ours. Through a pipe it hears which process groups there are; the end
of the pipe tells it that the supervisor is gone, however that came about. It then waits a little, for the groups were
sent SIGTERM by the kernel at that moment, and kills what is left.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event
from types import FrameType

from memory_app.serving.child_process import ChildProcess, Program
from memory_app.serving.heartbeat import VARIABLE, HeartbeatReceiver

# A request under way may finish; a job is written so that it may be killed anywhere.
ORPHAN_GRACE_SECONDS = 5.0

GUARD_SCRIPT = """
import os, signal, sys, time
groups = set()
for line in sys.stdin:
    groups = {int(word) for word in line.split()}
deadline = time.monotonic() + float(sys.argv[1])
def there(group):
    try:
        os.killpg(group, 0)
    except OSError:
        return False
    return True
while time.monotonic() < deadline and any(map(there, groups)):
    time.sleep(0.05)
for group in filter(there, groups):
    os.killpg(group, signal.SIGKILL)
"""


class OrphanGuard:
    """The guard's process, and what it was last told."""

    def __init__(self) -> None:
        self._watched: set[int] = set()
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", GUARD_SCRIPT, str(ORPHAN_GRACE_SECONDS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )

    def watch(self, groups: Iterable[int]) -> None:
        """Says which groups there are now. A guard that was itself killed is done without."""
        now = set(groups)
        if now == self._watched or self._process.stdin is None:
            return
        self._watched = now
        try:
            self._process.stdin.write(" ".join(map(str, sorted(now))) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            self._process.stdin = None

    def dismiss(self) -> None:
        """Lets it go, with nobody to end any more."""
        self.watch([])
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()


TICK_SECONDS = 0.1
RESTART_CHECK_SECONDS = 1.0
# A granian or a cluster that is idle is gone in about a second; this is for requests and jobs under way.
GRACE_SECONDS = 10.0
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@dataclass(frozen=True)
class SupervisorHooks:
    """What the supervisor asks of whoever started it."""

    ready: Callable[[], bool]
    announce: Callable[[], None]
    restart_if_dead: Callable[[], None]
    report: Callable[[str], None]


def supervise(programs: Sequence[Program], hooks: SupervisorHooks) -> int:
    """Runs the programs until SIGTERM, SIGINT or SIGHUP; answers the exit code of the whole.

    `announce` is called once, when `ready` first answers true. A program that dies before that ends everything with
    code 1, for what cannot start once will hardly start the next time; later it is started again, and so is one of
    which a process hangs.
    """
    with _stop_signal() as stop, HeartbeatReceiver() as heartbeats:
        children = [ChildProcess(program, hooks.report, {VARIABLE: heartbeats.address}) for program in programs]
        guard = OrphanGuard()
        try:
            return _run(children, hooks, guard, heartbeats, stop)
        finally:
            _end(children)
            guard.dismiss()


def _run(
    children: list[ChildProcess], hooks: SupervisorHooks, guard: OrphanGuard, heartbeats: HeartbeatReceiver, stop: Event
) -> int:
    announced, checked_at = False, time.monotonic()
    while not stop.is_set():
        heartbeats.read()
        running = [child.ensure_running(may_start_again=announced) for child in children]
        guard.watch(child.process.pid for child in children if child.process is not None)
        if not announced:
            if not all(running):
                return 1
            if hooks.ready():
                announced = True
                hooks.announce()
        if time.monotonic() - checked_at > RESTART_CHECK_SECONDS:
            _replace_hung(children, heartbeats)  # first, for what was heard is stale after a long healing
            hooks.restart_if_dead()
            checked_at = time.monotonic()
        stop.wait(TICK_SECONDS)
    return 0


def _replace_hung(children: list[ChildProcess], heartbeats: HeartbeatReceiver) -> None:
    for child in children:
        if child.program.sends_heartbeats and child.process is not None:
            fault = heartbeats.fault(child.process.pid, child.started)
            if fault:
                child.replace(fault)


def _end(children: list[ChildProcess]) -> None:
    for child in children:
        child.terminate()
    deadline = time.monotonic() + GRACE_SECONDS
    while time.monotonic() < deadline and not all(child.has_ended() for child in children):
        time.sleep(TICK_SECONDS / 2)
    for child in children:
        child.kill()


@contextmanager
def _stop_signal() -> Iterator[Event]:
    """An event that the stopping signals set. A second Ctrl-C changes nothing: the end is under way, and bounded."""
    stop = Event()

    def ask(_: int, __: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, ask) for number in STOP_SIGNALS}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
