"""What the jobs did lately and when they run next: read by the API and by the page, changed by neither."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django_q.models import Schedule

from memory_app.models import JobRun, JobState

RUNS_SHOWN = 20
"""Runs of a job that its durations are drawn from."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One job: its schedule, when it runs next, the run that is alive, and those that are over, the latest first."""

    name: str
    cron: str | None
    next_run: datetime | None
    alive: JobRun | None
    over: Sequence[JobRun]

    @property
    def last(self) -> JobRun | None:
        return self.over[0] if self.over else None

    @property
    def retriable(self) -> set[UUID]:
        """Of the runs that are over, those that failed and were not retried; none while the job is alive."""
        failed = {run.id for run in self.over if run.state == JobState.FAILED and not self.alive}
        return failed - {run.retry_of for run in self.over if run.retry_of}


def job_list(names: Iterable[str]) -> list[Listed]:
    """The jobs of these names, in order: two statements for all of them, and one for each that has run."""
    known = list(names)
    schedules = {row.name: row for row in Schedule.objects.filter(name__in=known)}
    alive = {row.kind: row for row in JobRun.objects.alive().filter(kind__in=known).order_by("id")}
    return [
        Listed(
            name=name,
            cron=schedules[name].cron if name in schedules else None,
            next_run=schedules[name].next_run if name in schedules else None,
            alive=alive.get(name),
            over=runs_of(name),
        )
        for name in known
    ]


def runs_of(name: str) -> list[JobRun]:
    """The runs of a job that are over, the latest first."""
    over = JobRun.objects.filter(kind=name).exclude(state__in=(JobState.QUEUED, JobState.RUNNING))
    return list(over.order_by("-id")[:RUNS_SHOWN])
