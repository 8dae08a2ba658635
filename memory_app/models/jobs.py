"""Job runs, with their progress and outcome; what a job is reading; and which worker has which task of the queue."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Self

from django.db import models
from django.utils import timezone

from memory_app.models.ids import new_id

RUN_SILENT_AFTER = timedelta(seconds=60)
"""A running job says every ten seconds that it is alive; one that was silent for six of these was killed."""

RUN_LOST_AFTER = timedelta(minutes=15)
"""A run that nobody began for so long is asked for again. Longer than any run before it may hold the only worker."""

RUN_RETENTION = timedelta(days=30)


class JobState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


ALIVE_STATES = (JobState.QUEUED, JobState.RUNNING)


class JobRunQuerySet(models.QuerySet["JobRun"]):
    def alive(self) -> Self:
        """Queued or running."""
        return self.filter(state__in=ALIVE_STATES)

    def killed(self, now: datetime) -> Self:
        """Those that say they run, and have not been heard of."""
        return self.filter(state=JobState.RUNNING, heartbeat__lt=now - RUN_SILENT_AFTER)

    def retrying(self, runs: Iterable["JobRun"]) -> Self:
        """Those that try one of these again."""
        return self.filter(retry_of__in=[run.id for run in runs])

    def lost(self, now: datetime) -> Self:
        """Those that nobody has begun."""
        return self.filter(state=JobState.QUEUED, heartbeat__lt=now - RUN_LOST_AFTER)


class JobRun(models.Model):
    """One run of a job. `heartbeat` is written beside the work: its worker lives, whatever the work is waiting for.

    A table of this installation, of no space: it tells what was done and how much, never to whose words.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=40, help_text="the job's name")
    subject = models.CharField(max_length=200, blank=True, help_text="the one it is run for, where not for all")
    state = models.CharField(max_length=9, choices=JobState, default=JobState.QUEUED)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0, help_text="0 while it is not known")
    message = models.CharField(max_length=500, blank=True)
    error = models.CharField(max_length=500, blank=True)
    attempt = models.PositiveIntegerField(default=0)
    retry_of = models.UUIDField(null=True, blank=True, help_text="the run that failed, which this one tries again")
    cancel_requested = models.BooleanField(default=False)
    asked_by = models.CharField(max_length=250, blank=True, help_text="as Author.label; empty: its schedule")
    heartbeat = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = JobRunQuerySet.as_manager()

    class Meta:
        db_table = "job_run"
        constraints = [
            # Serves: claiming, where two workers at once must not both begin the same job.
            models.UniqueConstraint(
                fields=["kind", "subject"],
                condition=models.Q(state__in=("queued", "running")),
                name="job_run_one_alive",
            ),
        ]
        indexes = [
            # Serves: the runs of a job, the latest first.
            models.Index(fields=["kind", "-id"], name="job_run_of_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.state}"

    @property
    def is_alive(self) -> bool:
        return self.state in ALIVE_STATES

    @property
    def seconds(self) -> float | None:
        """How long it took; None while that is not known."""
        if self.started_at is None or self.finished_at is None:
            return None
        return (self.finished_at - self.started_at).total_seconds()

    @property
    def percent(self) -> int | None:
        return min(100, round(100 * self.done / self.total)) if self.total else None


MAX_ATTEMPTS_PER_ROW = 2
"""How often something is tried that ends its reader, before it is set aside."""

ATTEMPT_STALE_AFTER = timedelta(minutes=11)
"""An attempt of another machine is over by then: a task is ended after ten minutes (`Q_CLUSTER`)."""


class AttemptQuerySet(models.QuerySet["Attempt"]):
    def set_aside(self) -> Self:
        """What is not tried any more until someone asks for it, the latest first."""
        return self.filter(set_aside_at__isnull=False).order_by("-set_aside_at", "-id")


class Attempt(models.Model):
    """One row that a job reads, from before it begins until it ends well. A killed reader leaves it behind.

    A table of this installation, of no space: it holds ids and no one's words.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=40, help_text="what reads it, such as propose")
    space = models.UUIDField(help_text="the space it lives in")
    unit = models.UUIDField(help_text="its id there, such as that of a conversation")
    number = models.PositiveIntegerField(default=0, help_text="attempts so far")
    reader = models.CharField(max_length=300, blank=True, help_text="host, process and its start; empty: it failed")
    begun_at = models.DateTimeField(default=timezone.now)
    error = models.CharField(max_length=200, blank=True, help_text="the kind of error that ended the last attempt")
    set_aside_at = models.DateTimeField(null=True, blank=True)

    objects = AttemptQuerySet.as_manager()

    class Meta:
        db_table = "attempt"
        constraints = [
            # Serves: finding what is known of a row before it is read.
            models.UniqueConstraint(fields=["kind", "unit"], name="attempt_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.unit}: {self.number}"

    def is_old(self, now: datetime) -> bool:
        return self.begun_at < now - ATTEMPT_STALE_AFTER


CLUSTER_SILENT_AFTER = timedelta(seconds=40)
"""A cluster says every ten seconds that it lives; one that was silent for four of these is gone."""


class TakenTaskQuerySet(models.QuerySet["TakenTask"]):
    def of_silent_clusters(self, now: datetime) -> Self:
        return self.exclude(cluster="").filter(heartbeat__lt=now - CLUSTER_SILENT_AFTER)

    def begun_by(self, cluster: str) -> Self:
        """Those of a cluster that a worker process of it has begun."""
        return self.filter(cluster=cluster, worker__isnull=False)


class TakenTask(models.Model):
    """One task that a cluster took from the queue. A table of this installation, beside the queue's own."""

    task = models.BigIntegerField(primary_key=True, help_text="its id in the queue")
    cluster = models.CharField(max_length=300, blank=True, help_text="host, process and its start; empty: released")
    worker = models.PositiveIntegerField(null=True, blank=True, help_text="the process that began it")
    heartbeat = models.DateTimeField()
    begun_at = models.DateTimeField(null=True, blank=True)
    deaths = models.PositiveIntegerField(default=0, help_text="how often the worker died that had begun it")

    objects = TakenTaskQuerySet.as_manager()

    class Meta:
        db_table = "taken_task"

    def __str__(self) -> str:
        return f"{self.task}: {self.cluster or 'released'}"
