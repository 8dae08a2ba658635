"""Taken tasks: which worker has which task of the queue, so that a dead worker's tasks go to another."""

from datetime import datetime, timedelta
from typing import Self

from django.db import models

SILENT_AFTER = timedelta(seconds=40)
"""A cluster says every ten seconds that it lives; one that was silent for four of these is gone."""


class TakenTaskQuerySet(models.QuerySet["TakenTask"]):
    def of_silent_clusters(self, now: datetime) -> Self:
        return self.exclude(cluster="").filter(heartbeat__lt=now - SILENT_AFTER)

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
