"""A failed run once more: the same job, for the same subject, linked and counted on."""

from datetime import UTC, datetime

import pytest

from memory_app.errors import ConflictError
from memory_app.jobs.runs import claim_run, get_or_create_run, retry_run, run_job
from memory_app.models import JobRun

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def failed(kind: str = "daily", subject: str = "") -> JobRun:
    """A run that failed in its first attempt, and had no other."""
    run = claim_run(get_or_create_run(kind=kind, subject=subject)[0].id, NOON)
    assert run is not None
    return fails(run)


def fails(run: JobRun) -> JobRun:
    with pytest.raises(ZeroDivisionError):
        run_job(run=run, work=lambda report: str(1 // 0))
    run.refresh_from_db()
    return run


def test_a_retry_is_for_the_same_subject_linked_and_counted_on() -> None:
    run = failed(subject="alice")
    again, new = retry_run(run=run, asked_by="user:root")
    assert new
    assert (again.kind, again.subject, again.state, again.asked_by) == ("daily", "alice", "queued", "user:root")
    assert (again.retry_of, again.attempt) == (run.id, 1)
    begun = claim_run(again.id, NOON)
    assert begun is not None
    assert begun.attempt == 2


def test_asked_for_twice_a_retry_is_one() -> None:
    run = failed()
    first, again = retry_run(run=run, asked_by="user:root"), retry_run(run=run, asked_by="user:root")
    assert (again[0].id, again[1]) == (first[0].id, False)
    assert JobRun.objects.count() == 2


def test_a_run_whose_retry_is_over_is_not_retried_again_but_the_retry_is() -> None:
    run = failed()
    again = claim_run(retry_run(run=run, asked_by="")[0].id, NOON)
    assert again is not None
    fails(again)
    with pytest.raises(ConflictError, match="retried already"):
        retry_run(run=run, asked_by="")
    third, new = retry_run(run=again, asked_by="")
    assert (new, third.retry_of, third.attempt) == (True, again.id, 2)


def test_only_what_failed_is_retried() -> None:
    for run in (get_or_create_run(kind="fade")[0], JobRun.objects.create(kind="expire", state="done")):
        with pytest.raises(ConflictError, match="Only a run that failed"):
            retry_run(run=run, asked_by="")


def test_nothing_is_retried_while_the_job_is_alive() -> None:
    run = failed()
    get_or_create_run(kind="daily")
    with pytest.raises(ConflictError, match="running already"):
        retry_run(run=run, asked_by="")
