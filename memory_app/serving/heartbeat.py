"""Heartbeat: each process of the server tells the supervisor once a second that its Python runs.

A process in which something holds Python's lock, or that is stopped, cannot tell so itself: it falls silent, and the
supervisor, which is another process, replaces it.
"""

import os
import socket
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

VARIABLE = "KEEPSAKE_HEARTBEAT"
"""The environment's name for the address of the supervisor's socket. Set by the supervisor, for what it starts."""

HEARTBEAT_SECONDS = 1.0
SILENT_SECONDS = 20.0
"""The longest that anything of ours or of our libraries keeps Python's lock is the load of a library from a cold disk:
2 s at most in what was measured. An encoder at work and a statement of the database give it away."""

FIRST_HEARTBEAT_SECONDS = 120.0
"""From the start of a program to its first heartbeat. A start takes three seconds; a minute from a slow, cold disk."""

SUPERVISOR_PAUSE_SECONDS = 3.0
"""A supervisor that did not look for so long (it was stopped, or the machine slept) has missed heartbeats."""

MAX_MESSAGE_BYTES = 64


def send_heartbeat() -> None:
    """Sends one heartbeat, and never waits: to a supervisor that does not read, it is lost."""
    if address := os.environ.get(VARIABLE):
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.setblocking(False)
            sender.sendto(str(os.getpid()).encode(), address)


def start_heartbeat() -> None:
    """From now on this process beats, from a thread of its own, and so does each process that is forked from it."""
    if os.environ.get(VARIABLE):
        _start_thread()
        os.register_at_fork(after_in_child=_start_thread)


def _start_thread() -> None:
    threading.Thread(target=_send_forever, name="heartbeat", daemon=True).start()


def _send_forever() -> None:
    while True:
        send_heartbeat()
        time.sleep(HEARTBEAT_SECONDS)


class HeartbeatReceiver:
    """What the supervisor has heard: of each process when it last beat. Open while it is entered."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="keepsake-serve-")  # closed to other accounts
        self.address = str(Path(self._folder.name) / "heartbeat")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._last_heartbeat: dict[int, float] = {}
        self._read_at = time.monotonic()

    def __enter__(self) -> Self:
        self._socket.setblocking(False)
        self._socket.bind(self.address)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._socket.close()
        self._folder.cleanup()

    def read(self) -> None:
        """Takes what has come."""
        now = time.monotonic()
        if now - self._read_at > SUPERVISOR_PAUSE_SECONDS:
            self._last_heartbeat = dict.fromkeys(self._last_heartbeat, now)
        self._read_at = now
        with suppress(BlockingIOError):
            while word := self._socket.recv(MAX_MESSAGE_BYTES):
                self._last_heartbeat[int(word)] = now

    def fault(self, leader: int, started: float) -> str:
        """What is wrong with the processes of the leader's group; empty where nothing is. `started`: when the leader
        was, on the monotonic clock."""
        now, any_heartbeat = time.monotonic(), False
        for process, last in list(self._last_heartbeat.items()):
            group = _process_group(process)
            if group is None:
                del self._last_heartbeat[process]
            elif group == leader:
                any_heartbeat = True
                if now - last > SILENT_SECONDS:
                    return f"its process {process} has not answered for {SILENT_SECONDS:g} s"
        late = not any_heartbeat and now - started > FIRST_HEARTBEAT_SECONDS
        return f"it did not begin to work within {FIRST_HEARTBEAT_SECONDS:g} s" if late else ""


def _process_group(process: int) -> int | None:
    """None for one that ended, even where it was not yet collected."""
    try:
        ended = psutil.Process(process).status() == psutil.STATUS_ZOMBIE
        return None if ended else os.getpgid(process)
    except (psutil.NoSuchProcess, ProcessLookupError):
        return None
