"""Heartbeats: who is heard, who is silent, and who is forgiven."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from memory_app.serving import heartbeat
from memory_app.serving.heartbeat import HeartbeatReceiver, send_heartbeat


class Clock:
    """Stands still until a test moves it."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    standing = Clock()
    monkeypatch.setattr(heartbeat, "time", standing)
    return standing


@pytest.fixture
def heartbeats(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[HeartbeatReceiver]:
    with HeartbeatReceiver() as opened:
        monkeypatch.setenv(heartbeat.VARIABLE, opened.address)
        yield opened


def wait(clock: Clock, heartbeats: HeartbeatReceiver, seconds: int) -> None:
    """As the supervisor does: it reads all the time."""
    for _ in range(seconds):
        clock.now += 1
        heartbeats.read()


def test_a_process_that_beats_is_well_and_one_that_falls_silent_is_named(
    clock: Clock, heartbeats: HeartbeatReceiver
) -> None:
    leader = os.getpgid(0)
    for _ in range(30):
        send_heartbeat()
        wait(clock, heartbeats, 1)
    assert heartbeats.fault(leader, 1000.0) == ""
    wait(clock, heartbeats, 21)
    assert heartbeats.fault(leader, 1000.0) == f"its process {os.getpid()} has not answered for 20 s"
    assert heartbeats.fault(leader + 1, clock.now) == ""


def test_a_supervisor_that_was_stopped_itself_blames_nobody(clock: Clock, heartbeats: HeartbeatReceiver) -> None:
    send_heartbeat()
    wait(clock, heartbeats, 1)
    clock.now += 3600
    heartbeats.read()
    assert heartbeats.fault(os.getpgid(0), 1000.0) == ""


def test_a_process_that_ended_is_not_missed(clock: Clock, heartbeats: HeartbeatReceiver) -> None:
    code = "from memory_app.serving.heartbeat import send_heartbeat; send_heartbeat()"
    process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # and is not collected yet
    wait(clock, heartbeats, 30)
    assert heartbeats.fault(process.pid, clock.now) == ""
    process.wait()


def test_a_program_that_never_begins_is_replaced_late(clock: Clock, heartbeats: HeartbeatReceiver) -> None:
    wait(clock, heartbeats, 120)
    assert heartbeats.fault(os.getpgid(0), 1000.0) == ""
    wait(clock, heartbeats, 1)
    assert heartbeats.fault(os.getpgid(0), 1000.0) == "it did not begin to work within 120 s"


def test_to_beat_where_nobody_listens_harms_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(heartbeat.VARIABLE, "/nowhere/heartbeat")
    send_heartbeat()
    monkeypatch.delenv(heartbeat.VARIABLE)
    send_heartbeat()
