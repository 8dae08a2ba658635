"""Run a job: by its schedule, because someone asked, once more as it failed, or here and now; always under a record."""

import logging
from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django_q.models import Schedule

from memory_app.engine.running.carry_out import STRETCH_SECONDS, Report, ask, back_off, carry_out, claim, revive, tidy
from memory_app.engine.running.retry import retry
from memory_app.errors import InConflict, Invalid, NotFound
from memory_app.jobs.listed import JOBS
from memory_app.jobs.memories import purge_soon
from memory_app.jobs.queued import queue, queued
from memory_app.models import Erasure, JobRun, JobState, Person

logger = logging.getLogger(__name__)


class JobFailed(Exception):
    """A run failed; what of is in its record and in the server's log."""


def run_scheduled(name: str) -> str:
    """What the worker calls, by name: the queue holds no more than that. A job that is running already stays alone."""
    _revive(timezone.now())
    return _begin(ask(kind=name)[0].id)


def carry_on(run: str) -> str:
    """What the worker calls for a run that waits: asked for by someone, or begun before by a worker that was killed."""
    _revive(timezone.now())
    return _begin(UUID(run))


def embed_new() -> str:
    """Gives vectors to what was just said; enqueued when turns come in and none were waiting."""
    return run_scheduled("embed")


def ask_for(name: str, asked_by: str) -> JobRun:
    """The run of a job that is alive, else a new one, queued for the worker. Raises NotFound."""
    if name not in JOBS:
        raise NotFound(f"There is no job {name!r}.")
    return queued(name, asked_by, JOBS[name].cluster)


def retry_of(name: str, run: UUID, asked_by: str) -> JobRun:
    """A failed run of this job once more, queued for the worker. Raises NotFound, InConflict."""
    failed = JobRun.objects.filter(id=run, kind=name).first() if name in JOBS else None
    if failed is None:
        raise NotFound(f"There is no such run of a job {name!r}.")
    with transaction.atomic():
        again, new = retry(run=failed, asked_by=asked_by)
        if new:
            queue(again, JOBS[again.kind].cluster)
    return again


def erase_on(erasure: Erasure, asked_by: str) -> None:
    """Has what was begun gone on with, else its traces purged."""
    if erasure.finished_at is None or not erasure.searched:
        ask_for("erase", asked_by)
    else:
        purge_soon(asked_by)


def run_here(name: str, asked_by: str, watch: Report) -> str:
    """Runs a job in this process, to its end. Raises InConflict where it is running elsewhere."""
    return _here(name, "", asked_by, JOBS[name].run, watch)


def run_for(name: str, person: str, asked_by: str, *, dry_run: bool = False) -> str:
    """Runs a job for one person, here and now. Raises NotFound, Invalid for a job that is not of people."""
    one, found = JOBS[name].one, Person.objects.filter(name=person).first()
    if one is None:
        raise Invalid("person", f"The job {name!r} is not run for one person.")
    if found is None:
        raise NotFound(f"Nothing is known of a person {person!r}.")
    if dry_run:
        return one(found, True)
    return _here(name, person, asked_by, lambda report: one(found, False), lambda done, total: None)


def _here(name: str, subject: str, asked_by: str, work: Callable[[Report], str], watch: Report) -> str:
    now = timezone.now()
    _revive(now)
    run = claim(ask(kind=name, subject=subject, asked_by=asked_by)[0].id, now)
    if run is None:
        raise InConflict(f"The job {name!r} is running already; wait for it, or cancel it on the page of jobs.")
    return carry_out(run=run, work=work, watch=watch).message


def _begin(identifier: UUID) -> str:
    now = timezone.now()
    run = claim(identifier, now)
    if run is None:
        return "begun already"
    try:
        ended = carry_out(run=run, work=_work_of(run), seconds=STRETCH_SECONDS)
    except Exception as error:
        _try_again(run)
        logger.exception("the job %s failed", run.kind)
        # The queue stores what is raised, with its message, and logs it: that may repeat a row of the database.
        raise JobFailed(f"{run.kind}: {type(error).__name__}") from None
    if ended.state == JobState.QUEUED:
        queue(ended, JOBS[ended.kind].cluster)
    tidy(ended, now)
    return ended.message


def _work_of(run: JobRun) -> Callable[[Report], str]:
    """A run for one person, whose command was killed, goes on for that person."""
    job = JOBS[run.kind]
    one, person = job.one, Person.objects.filter(name=run.subject).first() if run.subject else None
    if not run.subject or one is None:
        return job.run
    return lambda report: one(person, False) if person else "nobody of that name is left"


def _revive(now: datetime) -> None:
    for run in revive(now):
        queue(run, JOBS[run.kind].cluster)


def _try_again(run: JobRun) -> None:
    """A run that failed waits for its next attempt as a schedule of its own, which goes when it was called."""
    if run.state == JobState.QUEUED:
        Schedule.objects.create(
            func="memory_app.jobs.carry_on",
            args=repr((str(run.id),)),
            schedule_type=Schedule.ONCE,
            next_run=timezone.now() + back_off(run),
            cluster=JOBS[run.kind].cluster,
        )
