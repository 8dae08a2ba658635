"""Jobs: what the worker does by itself. Each may run twice and may be killed anywhere; the verbs do the work."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils import timezone
from django_q.models import Schedule

from .embedding.encoder import current
from .engine.reembed import Report, reembed
from .models.partitions import ensure_partitions


@dataclass(frozen=True, slots=True)
class Job:
    """A job: what it runs, and when (cron, UTC), if by itself."""

    run: Callable[[Report], str]
    about: str
    cron: str = ""


def _embed(report: Report) -> str:
    return f"{reembed(encoder=current(), report=report)} memories embedded"


def _partition(report: Report) -> str:
    made = ensure_partitions(timezone.now())
    report(len(made), len(made))
    return f"{len(made)} partitions made"


JOBS = {
    "embed": Job(_embed, "Gives a vector to memories that lack one.", "* * * * *"),
    "reembed": Job(_embed, "Gives every memory a vector of the configured embedding model."),
    "partition": Job(_partition, "Makes the partitions of the log for the next months.", "30 0 * * *"),
}


def run_scheduled(name: str) -> str:
    """What the worker calls, by name: the queue holds no more than that."""
    return JOBS[name].run(lambda done, total: None)


def ensure_schedules() -> None:
    """One schedule for each job that runs by itself; run again, it changes nothing."""
    for name, job in JOBS.items():
        if job.cron:
            Schedule.objects.get_or_create(
                name=name,
                defaults={
                    "func": "memory_app.jobs.run_scheduled",
                    "args": repr((name,)),
                    "schedule_type": Schedule.CRON,
                    "cron": job.cron,
                },
            )
