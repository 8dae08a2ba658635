"""Run a job: by its schedule, because someone asked, once more as it failed, or here and now; always under a record."""

import logging
from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django_q.models import Schedule

from memory_app.errors import ConflictError, Invalid, NotFound
from memory_app.jobs.job import enqueue_job, enqueue_run
from memory_app.jobs.runs import (
    TURN_SECONDS,
    claim_run,
    delete_old_runs,
    get_or_create_run,
    requeue_killed_runs,
    retry_delay,
    retry_run,
    run_job,
)
from memory_app.jobs.schedules import JOBS
from memory_app.jobs.tasks import purge_soon
from memory_app.models import Erasure, JobRun, JobState, Person
from memory_app.progress import ReportProgress

logger = logging.getLogger(__name__)


class JobFailed(Exception):
    """A run failed; what of is in its record and in the server's log."""


def run_scheduled(name: str) -> str:
    """What the worker calls, by name: the queue holds no more than that. A job that is running already stays alone."""
    _requeue_killed(timezone.now())
    return _run_claimed(get_or_create_run(kind=name)[0].id)


def carry_on(run: str) -> str:
    """What the worker calls for a run that waits: asked for by someone, or begun before by a worker that was killed."""
    _requeue_killed(timezone.now())
    return _run_claimed(UUID(run))


def embed_new() -> str:
    """Gives vectors to what was just said; enqueued when turns come in and none were waiting."""
    return run_scheduled("embed")


def request_job(name: str, asked_by: str) -> JobRun:
    """The run of a job that is alive, else a new one, queued for the worker. Raises NotFound."""
    if name not in JOBS:
        raise NotFound(f"There is no job {name!r}.")
    return enqueue_job(name, asked_by, JOBS[name].cluster)


def queue_retry(name: str, run: UUID, asked_by: str) -> JobRun:
    """A failed run of this job once more, queued for the worker. Raises NotFound, ConflictError."""
    failed = JobRun.objects.filter(id=run, kind=name).first() if name in JOBS else None
    if failed is None:
        raise NotFound(f"There is no such run of a job {name!r}.")
    with transaction.atomic():
        again, new = retry_run(run=failed, asked_by=asked_by)
        if new:
            enqueue_run(again, JOBS[again.kind].cluster)
    return again


def continue_erasure(erasure: Erasure, asked_by: str) -> None:
    """Has what was begun gone on with, else its traces purged."""
    if erasure.finished_at is None or not erasure.searched:
        request_job("erase", asked_by)
    else:
        purge_soon(asked_by)


def run_job_here(name: str, asked_by: str, watch: ReportProgress) -> str:
    """Runs a job in this process, to its end. Raises ConflictError where it is running elsewhere."""
    return _run_here(name, "", asked_by, JOBS[name].run, watch)


def run_job_for(name: str, person: str, asked_by: str, *, dry_run: bool = False) -> str:
    """Runs a job for one person, here and now. Raises NotFound, Invalid for a job that is not of people."""
    run_for_person, found = JOBS[name].run_for_person, Person.objects.filter(name=person).first()
    if run_for_person is None:
        raise Invalid("person", f"The job {name!r} is not run for one person.")
    if found is None:
        raise NotFound(f"Nothing is known of a person {person!r}.")
    if dry_run:
        return run_for_person(found, True)
    return _run_here(name, person, asked_by, lambda report: run_for_person(found, False), lambda done, total: None)


def _run_here(
    name: str, subject: str, asked_by: str, work: Callable[[ReportProgress], str], watch: ReportProgress
) -> str:
    now = timezone.now()
    _requeue_killed(now)
    run = claim_run(get_or_create_run(kind=name, subject=subject, asked_by=asked_by)[0].id, now)
    if run is None:
        raise ConflictError(f"The job {name!r} is running already; wait for it, or cancel it on the page of jobs.")
    return run_job(run=run, work=work, watch=watch).message


def _run_claimed(identifier: UUID) -> str:
    now = timezone.now()
    run = claim_run(identifier, now)
    if run is None:
        return "begun already"
    try:
        ended = run_job(run=run, work=_work_of_run(run), seconds=TURN_SECONDS)
    except Exception as error:
        _schedule_retry(run)
        logger.exception("the job %s failed", run.kind)
        # The queue stores what is raised, with its message, and logs it: that may repeat a row of the database.
        raise JobFailed(f"{run.kind}: {type(error).__name__}") from None
    if ended.state == JobState.QUEUED:
        enqueue_run(ended, JOBS[ended.kind].cluster)
    delete_old_runs(ended, now)
    return ended.message


def _work_of_run(run: JobRun) -> Callable[[ReportProgress], str]:
    """A run for one person, whose command was killed, goes on for that person."""
    job = JOBS[run.kind]
    run_for_person, person = (
        job.run_for_person,
        Person.objects.filter(name=run.subject).first() if run.subject else None,
    )
    if not run.subject or run_for_person is None:
        return job.run
    return lambda report: run_for_person(person, False) if person else "nobody of that name is left"


def _requeue_killed(now: datetime) -> None:
    for run in requeue_killed_runs(now):
        enqueue_run(run, JOBS[run.kind].cluster)


def _schedule_retry(run: JobRun) -> None:
    """A run that failed waits for its next attempt as a schedule of its own, which goes when it was called."""
    if run.state == JobState.QUEUED:
        Schedule.objects.create(
            func="memory_app.jobs.carry_on",
            args=repr((str(run.id),)),
            schedule_type=Schedule.ONCE,
            next_run=timezone.now() + retry_delay(run),
            cluster=JOBS[run.kind].cluster,
        )
