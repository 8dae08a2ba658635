"""Keeps several programs running until a signal asks to stop, then ends them in order.

Knows nothing of what they do. Whether the whole is ready, and what to do each second besides, it is told.
"""

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event
from types import FrameType

from memory_app.serving.heartbeat import VARIABLE, Heartbeats
from memory_app.serving.orphans import Guard
from memory_app.serving.program import Child, Program

TICK_SECONDS = 0.1
HEAL_SECONDS = 1.0
# A granian or a cluster that is idle is gone in about a second; this is for requests and jobs under way.
GRACE_SECONDS = 10.0
STOPPING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@dataclass(frozen=True)
class Care:
    """What the supervisor asks of whoever started it."""

    ready: Callable[[], bool]
    announce: Callable[[], None]
    heal: Callable[[], None]
    say: Callable[[str], None]


def supervise(programs: Sequence[Program], care: Care) -> int:
    """Runs the programs until SIGTERM, SIGINT or SIGHUP; answers the exit code of the whole.

    `announce` is called once, when `ready` first answers true. A program that dies before that ends everything with
    code 1, for what cannot start once will hardly start the next time; later it is started again, and so is one of
    which a process hangs.
    """
    with _stop_signal() as stop, Heartbeats() as heartbeats:
        children = [Child(program, care.say, {VARIABLE: heartbeats.address}) for program in programs]
        guard = Guard()
        try:
            return _run(children, care, guard, heartbeats, stop)
        finally:
            _end(children)
            guard.dismiss()


def _run(children: list[Child], care: Care, guard: Guard, heartbeats: Heartbeats, stop: Event) -> int:
    announced, healed = False, time.monotonic()
    while not stop.is_set():
        heartbeats.read()
        running = [child.keep(may_start_again=announced) for child in children]
        guard.watch(child.process.pid for child in children if child.process is not None)
        if not announced:
            if not all(running):
                return 1
            if care.ready():
                announced = True
                care.announce()
        if time.monotonic() - healed > HEAL_SECONDS:
            _replace_hung(children, heartbeats)  # first, for what was heard is stale after a long healing
            care.heal()
            healed = time.monotonic()
        stop.wait(TICK_SECONDS)
    return 0


def _replace_hung(children: list[Child], heartbeats: Heartbeats) -> None:
    for child in children:
        if child.program.beats and child.process is not None:
            fault = heartbeats.fault(child.process.pid, child.started)
            if fault:
                child.replace(fault)


def _end(children: list[Child]) -> None:
    for child in children:
        child.ask_to_end()
    deadline = time.monotonic() + GRACE_SECONDS
    while time.monotonic() < deadline and not all(child.is_gone() for child in children):
        time.sleep(TICK_SECONDS / 2)
    for child in children:
        child.end()


@contextmanager
def _stop_signal() -> Iterator[Event]:
    """An event that the stopping signals set. A second Ctrl-C changes nothing: the end is under way, and bounded."""
    stop = Event()

    def ask(_: int, __: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, ask) for number in STOPPING}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
