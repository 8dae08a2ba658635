"""A job under its record: begun once, told of, cancelled between steps, tried again when it failed or was killed."""

from datetime import UTC, datetime, timedelta

import pytest

from memory_app.errors import Unavailable
from memory_app.jobs import runs as engine
from memory_app.jobs.runs import (
    cancel_run,
    claim_run,
    delete_old_runs,
    get_or_create_run,
    requeue_killed_runs,
    retry_delay,
    run_job,
)
from memory_app.models import JobRun, JobState
from memory_app.progress import ReportProgress, RunStopped

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def begun(kind: str = "embed") -> JobRun:
    run = claim_run(get_or_create_run(kind=kind)[0].id, NOON)
    assert run is not None
    return run


def three_steps(report: ReportProgress) -> str:
    for step in (1, 2, 3):
        report(step, 3)
    return "3 embedded"


def test_a_run_tells_how_it_ended_and_how_far_it_came() -> None:
    run = run_job(run=begun(), work=three_steps)
    assert (run.state, run.done, run.total, run.percent) == ("done", 3, 3, 100)
    assert (run.message, run.attempt, run.is_alive) == ("3 embedded", 1, False)


def test_a_job_that_is_alive_is_not_queued_again() -> None:
    first, new = get_or_create_run(kind="embed")
    again, second_is_new = get_or_create_run(kind="embed", asked_by="user:root")
    assert (new, second_is_new, again.id) == (True, False, first.id)
    assert get_or_create_run(kind="fade")[1]
    assert get_or_create_run(kind="embed", subject="alice")[1]


def test_of_all_who_claim_a_run_one_gets_it() -> None:
    run, _ = get_or_create_run(kind="embed")
    assert [claim_run(run.id, NOON) is not None for _ in range(3)] == [True, False, False]


def test_a_cancelled_run_stops_after_its_step() -> None:
    run = begun()
    steps: list[int] = []

    def work(report: ReportProgress) -> str:
        for step in (1, 2, 3):
            steps.append(step)
            if step == 2:
                assert cancel_run(run=run.id, now=NOON)
                progress = engine.Progress(run, None)
                progress.write()
                assert progress.stop
                raise RunStopped
            report(step, 3)
        return "done"

    ended = run_job(run=run, work=work)
    assert (ended.state, ended.done, steps) == ("cancelled", 1, [1, 2])
    assert not cancel_run(run=run.id, now=NOON)


def test_a_queued_run_that_is_cancelled_never_begins() -> None:
    run, _ = get_or_create_run(kind="embed")
    assert cancel_run(run=run.id, now=NOON)
    assert claim_run(run.id, NOON) is None
    run.refresh_from_db()
    assert (run.state, run.finished_at) == ("cancelled", NOON)


def test_a_report_stops_a_run_that_was_cancelled() -> None:
    progress = engine.Progress(begun(), None, stop=True)
    with pytest.raises(RunStopped):
        progress.report(1, 3)


def test_a_run_whose_turn_is_over_is_queued_and_costs_no_attempt() -> None:
    ended = run_job(run=begun(), work=three_steps, seconds=-1.0)
    assert (ended.state, ended.attempt, ended.done, ended.finished_at) == ("queued", 0, 1, None)


def test_a_failing_run_is_tried_three_times_and_tells_no_more_than_it_should() -> None:
    def fail(report: ReportProgress) -> str:
        raise ValueError("Alice's number is 42")

    run, _ = get_or_create_run(kind="embed")
    states = []
    for _ in range(3):
        held = claim_run(run.id, NOON)
        assert held is not None
        with pytest.raises(ValueError, match="42"):
            run_job(run=held, work=fail, seconds=60.0)
        run.refresh_from_db()
        states.append((run.state, run.attempt, run.error))
    assert states == [("queued", 1, "ValueError"), ("queued", 2, "ValueError"), ("failed", 3, "ValueError")]


def test_our_own_errors_are_told_in_full() -> None:
    def fail(report: ReportProgress) -> str:
        raise Unavailable("The disk is nearly full.")

    run = begun()
    with pytest.raises(Unavailable):
        run_job(run=run, work=fail)
    run.refresh_from_db()
    assert (run.state, run.error) == ("failed", "The disk is nearly full.")


def test_a_run_waits_longer_after_its_second_failure() -> None:
    assert [retry_delay(JobRun(attempt=n)) for n in (1, 2)] == [timedelta(minutes=1), timedelta(minutes=5)]


def test_a_run_whose_worker_was_killed_goes_back_to_the_queue_twice_then_fails() -> None:
    run, _ = get_or_create_run(kind="embed")
    told = []
    for minute in (2, 4, 6):
        assert claim_run(run.id, NOON + timedelta(minutes=minute - 2)) is not None
        told.append([found.id == run.id for found in requeue_killed_runs(NOON + timedelta(minutes=minute))])
    run.refresh_from_db()
    assert told == [[True], [True], []]
    assert (run.state, run.error) == ("failed", "its worker was killed 3 times")


def test_a_run_that_is_heard_of_is_left_alone() -> None:
    begun()
    assert requeue_killed_runs(NOON + timedelta(seconds=59)) == []


def test_a_worker_taken_for_dead_changes_nothing_of_the_run_another_began() -> None:
    slow = begun()
    assert len(requeue_killed_runs(NOON + timedelta(minutes=2))) == 1
    second = claim_run(slow.id, NOON + timedelta(minutes=2))
    assert second is not None
    assert not engine.Progress(slow, None, done=9).write()
    after = run_job(run=slow, work=three_steps)
    assert (after.state, after.attempt, after.done) == ("running", 2, 0)


def test_a_run_nobody_began_is_asked_for_again() -> None:
    run, _ = get_or_create_run(kind="embed")
    JobRun.objects.filter(id=run.id).update(heartbeat=NOON)
    assert requeue_killed_runs(NOON + timedelta(minutes=14)) == []
    assert [found.id for found in requeue_killed_runs(NOON + timedelta(minutes=16))] == [run.id]


def test_progress_is_written_with_a_heartbeat() -> None:
    run = begun()
    progress = engine.Progress(run, None, done=40, total=200)
    assert progress.write()
    run.refresh_from_db()
    assert (run.done, run.total, run.percent) == (40, 200, 20)
    assert run.heartbeat > NOON
    assert not progress.stop


def test_of_runs_that_found_nothing_only_the_latest_stays() -> None:
    for _ in range(3):
        ended = run_job(run=begun(), work=lambda report: "0 embedded")
        delete_old_runs(ended, NOON)
    busy = run_job(run=begun(), work=three_steps)
    delete_old_runs(busy, NOON)
    assert sorted(JobRun.objects.values_list("state", "done")) == [(JobState.DONE, 0), (JobState.DONE, 3)]


def test_runs_of_two_months_ago_are_gone() -> None:
    old = run_job(run=begun(), work=three_steps)
    JobRun.objects.filter(id=old.id).update(finished_at=NOON - timedelta(days=60))
    new = run_job(run=begun(), work=three_steps)
    delete_old_runs(new, NOON)
    assert list(JobRun.objects.values_list("id", flat=True)) == [new.id]
