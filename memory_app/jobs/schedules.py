"""All jobs by name: when each runs by itself, as a super user may set it, and what its last runs did."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from croniter import CroniterBadDateError, croniter
from django_q.models import OrmQ, Schedule

from memory_app.errors import Invalid, NotFound
from memory_app.jobs.import_history import import_waiting, read_imported
from memory_app.jobs.job import Job
from memory_app.jobs.tasks import (
    compare_segments,
    consolidate_ended,
    continue_erasures,
    daily_note_for,
    embed_waiting,
    enrich_waiting,
    expire_old_proposals,
    fade_memories,
    make_partitions,
    pack_waiting,
    purge_erased_traces,
    purge_expired_rows,
    read_idle,
    read_unread,
    reflect_on_weeks,
    reflection_for,
    write_daily_notes,
)
from memory_app.llm.model import configured_model
from memory_app.llm.queue import MODEL_QUEUE
from memory_app.models import JobRun, JobState

JOBS = {
    "embed": Job(embed_waiting, "Gives a vector to memories and turns that lack one.", "* * * * *"),
    "reembed": Job(embed_waiting, "Gives every memory and turn a vector of the configured embedding model."),
    "pack": Job(pack_waiting, "Packs what is searched and has changed.", "* * * * *"),
    "segments": Job(compare_segments, "Compares what is packed with the rows, and mends it.", "50 5 * * *"),
    "attend": Job(read_idle, "Reads conversations in which nobody has spoken for half an hour.", "* * * * *"),
    "propose": Job(read_unread, "Reads what is left unread of all conversations."),
    "daily": Job(
        write_daily_notes, "Goes through each person's day: reads what is left, notes it.", "0 23 * * *", daily_note_for
    ),
    "consolidate": Job(consolidate_ended, "Goes through conversations that are over, once.", "0 3 * * *"),
    "reflect": Job(reflect_on_weeks, "Sums up each person's week.", "0 3 * * 0", reflection_for),
    "enrich": Job(
        enrich_waiting, "Reads again the names of memories in which few were seen.", "0 2 * * *", asks_model=True
    ),
    "fade": Job(fade_memories, "Lets go of memories that were not recalled or confirmed for long.", "0 4 * * *"),
    "import": Job(import_waiting, "Looks through files that were uploaded, and brings in what was confirmed."),
    "read_imported": Job(
        read_imported, "Reads imported conversations, while few proposals of them wait.", "*/5 * * * *"
    ),
    "expire": Job(expire_old_proposals, "Lets proposals go that waited for 30 days.", "15 0 * * *"),
    "erase": Job(
        continue_erasures, "Goes on erasing people of whom there is much, and searching for traces.", "*/10 * * * *"
    ),
    "purge": Job(
        purge_expired_rows,
        "Drops what is kept for a time only: log, notes, searches, questions, answers.",
        "20 4 * * *",
    ),
    "purge_traces": Job(purge_erased_traces, "Rewrites tables that held what was erased.", "40 4 * * *"),
    "partition": Job(make_partitions, "Makes the partitions of the log for the next months.", "30 0 * * *"),
}


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
            Schedule.objects.filter(name=name).exclude(cluster=job.cluster).update(cluster=job.cluster)
    if not configured_model():  # nobody comes for what waits for a model that was set before
        OrmQ.objects.filter(key=MODEL_QUEUE).delete()


MAX_RUNS_SHOWN = 20
"""Runs of a job that its durations are drawn from."""


@dataclass(frozen=True, slots=True)
class JobStatus:
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


def job_statuses(names: Iterable[str]) -> list[JobStatus]:
    """The jobs of these names, in order: two statements for all of them, and one for each that has run."""
    known = list(names)
    schedules = {row.name: row for row in Schedule.objects.filter(name__in=known)}
    alive = {row.kind: row for row in JobRun.objects.alive().filter(kind__in=known).order_by("id")}
    return [
        JobStatus(
            name=name,
            cron=schedules[name].cron if name in schedules else None,
            next_run=schedules[name].next_run if name in schedules else None,
            alive=alive.get(name),
            over=finished_runs(name),
        )
        for name in known
    ]


def finished_runs(name: str) -> list[JobRun]:
    """The runs of a job that are over, the latest first."""
    over = JobRun.objects.filter(kind=name).exclude(state__in=(JobState.QUEUED, JobState.RUNNING))
    return list(over.order_by("-id")[:MAX_RUNS_SHOWN])


def reschedule_job(*, job: str, cron: str) -> Schedule:
    """Sets the cron expression (five fields, UTC) of a job that has a schedule. Raises Invalid, NotFound."""
    expression = " ".join(cron.split())
    if len(expression.split()) != 5 or not croniter.is_valid(expression):
        raise Invalid("cron", "Write five fields: minute, hour, day, month, weekday, such as “0 4 * * *”.")
    schedule = Schedule.objects.filter(name=job).first()
    if schedule is None:
        raise NotFound(f"The job {job!r} has no schedule.")
    schedule.cron = expression
    try:
        schedule.next_run = schedule.calculate_next_run()
    except CroniterBadDateError:
        raise Invalid("cron", "There is no such day, such as 30 February: the job would never run.") from None
    schedule.save(update_fields=["cron", "next_run"])
    return schedule
