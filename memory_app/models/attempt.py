"""Attempts: what a job is reading now, and what is not read any more because reading it killed the reader twice."""

from datetime import datetime, timedelta
from typing import Self

from django.db import models
from django.utils import timezone

from memory_app.models.ids import new_id

MOST_ATTEMPTS = 2
"""How often something is tried that ends its reader, before it is set aside."""

OVER_AFTER = timedelta(minutes=11)
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
        return self.begun_at < now - OVER_AFTER
