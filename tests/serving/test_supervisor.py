"""Programs are kept running, started again when they die, and leave nothing behind, however it ends."""

import os
import signal
from collections.abc import Callable

import pytest

from tests.serving.conftest import Supervisor, alive, gone

Start = Callable[..., Supervisor]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_all_programs_and_what_they_started(number: signal.Signals, supervisor: Start) -> None:
    running = supervisor("web", "worker")
    running.until("started", 2)
    assert len(running.pids()) == 4
    assert running.end(number) == 0
    assert gone(running.pids())


def test_a_program_that_does_not_listen_is_killed_after_a_grace(supervisor: Start) -> None:
    running = supervisor("stubborn")
    running.until("started")
    assert running.end(signal.SIGTERM) == 0
    assert gone(running.pids())


@pytest.mark.parametrize("name", ["web", "stubborn"])
def test_nothing_is_left_when_the_supervisor_is_killed(name: str, supervisor: Start) -> None:
    running = supervisor(name, "worker")
    running.until("started", 2)
    assert running.end(signal.SIGKILL) == -signal.SIGKILL
    assert gone(running.pids())


def test_a_killed_program_starts_again_without_its_orphans(supervisor: Start) -> None:
    running = supervisor("web", "worker")
    running.until("ready")
    first = {name: (int(leader), int(child)) for _, name, leader, child in running.until("started", 2)}
    leader, child = first["web"]
    os.kill(leader, signal.SIGKILL)
    _, name, again, _ = running.until("started", 3)[-1]
    assert f"said The web (process {leader}) was killed by SIGKILL; it starts again in 0.01 s." in running.lines
    assert name == "web"
    assert alive(int(again))
    assert gone({leader, child})
    assert all(map(alive, first["worker"]))


def test_a_program_that_keeps_dying_is_given_more_time_each_time(supervisor: Start) -> None:
    running = supervisor("brief", "web")
    assert [said[-2] for said in running.until("said", 4)] == ["0.01", "0.02", "0.04", "0.08"]


def test_a_program_that_dies_before_all_is_ready_ends_everything(supervisor: Start) -> None:
    running = supervisor("web", "brief", ready=False)
    [said] = running.until("said")
    assert said[:3] + said[-4:] == ["said", "The", "brief", "ended", "with", "code", "3."]
    assert running.process.wait(20) == 1
    running.until_end()
    assert "ready" not in running.lines
    assert gone(running.pids())


def test_readiness_is_announced_once(supervisor: Start) -> None:
    running = supervisor("web", "worker")
    running.until("ready")
    leader = int(running.until("started", 2)[0][2])
    os.kill(leader, signal.SIGKILL)
    running.until("started", 3)
    running.end(signal.SIGTERM)
    running.until_end()
    assert running.lines.count("ready") == 1
