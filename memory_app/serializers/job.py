"""Jobs, their runs, and units of work that are set aside, as they are shown."""

from datetime import datetime
from uuid import UUID

from memory_app.jobs import JOBS
from memory_app.jobs.schedules import JobStatus
from memory_app.models import Attempt, JobRun
from memory_app.serializers import OutputModel


class JobRunOut(OutputModel):
    id: UUID
    job: str
    subject: str | None
    state: str
    done: int
    total: int
    percent: int | None
    message: str
    error: str | None
    attempt: int
    retry_of: UUID | None
    cancel_requested: bool
    asked_by: str | None
    heartbeat: datetime
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    seconds: float | None


class JobOut(OutputModel):
    name: str
    about: str
    schedule: str | None
    next_run: datetime | None
    running: JobRunOut | None
    last: JobRunOut | None


class SetAsideOut(OutputModel):
    id: UUID
    kind: str
    unit: UUID
    attempts: int
    error: str | None
    at: datetime | None


def job_out(listed: JobStatus) -> JobOut:
    return JobOut(
        name=listed.name,
        about=JOBS[listed.name].about,
        schedule=listed.cron,
        next_run=listed.next_run,
        running=job_run_out(listed.alive) if listed.alive else None,
        last=job_run_out(listed.last) if listed.last else None,
    )


def set_aside_out(one: Attempt) -> SetAsideOut:
    """What and when; not whose, nor its words."""
    return SetAsideOut.of(one, attempts=one.number, error=one.error or None, at=one.set_aside_at)


def job_run_out(run: JobRun) -> JobRunOut:
    return JobRunOut.of(
        run,
        job=run.kind,
        subject=run.subject or None,
        error=run.error or None,
        asked_by=run.asked_by or None,
    )
