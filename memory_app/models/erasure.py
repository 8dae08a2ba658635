"""Erasures: that something was erased for good, what went with it, and what was done to leave no trace.

Holds ids, counts and names of tables, never a word of what was erased. It is the receipt of the one who erased, and
with its tombstones what is replayed after a restore from a backup.
"""

from collections.abc import Iterable
from typing import Self
from uuid import UUID

from django.db import models
from django.db.models import Q
from django.utils import timezone

from memory_app.models.ids import new_id


class Erased(models.TextChoices):
    MEMORY = "memory"
    PERSON = "person"


class ErasureQuerySet(models.QuerySet["Erasure"]):
    def unfinished(self) -> Self:
        """Of people: begun, and not all of it gone yet, or not yet searched for."""
        return self.filter(Q(finished_at=None) | Q(searched=0), kind=Erased.PERSON)

    def unpurged(self) -> Self:
        """Finished, with traces in the database's files that are still to be rewritten; what was sealed is among them,
        and so they wait until it was searched for."""
        return self.filter(purged_at=None, sought=None).exclude(finished_at=None)

    def unsearched(self) -> Self:
        """Whose words are still to be searched for."""
        return self.exclude(sought=None)


class Erasure(models.Model):
    """One erasure. Refers to nothing by foreign key, for what it tells of is gone; belongs to no space for the same
    reason, and is for super users alone."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=6, choices=Erased)
    subject = models.UUIDField(help_text="the memory, or the person, that is gone")
    of_space = models.UUIDField(help_text="the space it lived in")
    at = models.DateTimeField(default=timezone.now)
    by = models.CharField(max_length=250, help_text="as Author.label")
    removed = models.JSONField(default=dict, help_text="{table: rows deleted}")
    blanked = models.JSONField(default=dict, help_text="{table: rows that lost its words and stayed}")
    derived = models.JSONField(default=list, help_text="ids of memories made from it, which went with it")
    quoted = models.JSONField(default=dict, help_text="{table: rows of what was said that hold its very words}")
    found = models.JSONField(default=dict, help_text="{table.column: rows}: what a search for its words still found")
    searched = models.PositiveIntegerField(default=0, help_text="columns that were searched for its words")
    purged = models.JSONField(default=dict, help_text="{step: when it was done, or why it was not}")
    purged_at = models.DateTimeField(null=True, blank=True)
    signature = models.CharField(max_length=64, help_text="HMAC-SHA-256 of the above, as hex")
    # How far it is, which changes while it goes on, and so is not signed.
    done = models.PositiveIntegerField(default=0, help_text="rows that are gone")
    total = models.PositiveIntegerField(default=0, help_text="rows that were to go, where it takes more than one step")
    finished_at = models.DateTimeField(null=True, blank=True)
    sought = models.BinaryField(null=True, help_text="what is still to be searched for, encrypted; dropped then")

    objects = ErasureQuerySet.as_manager()

    class Meta:
        db_table = "erasure"
        indexes = [
            # Serves: the job that goes on with what was begun, and finds nothing almost always.
            models.Index(fields=["at"], condition=models.Q(finished_at=None), name="erasure_unfinished"),
            # Serves: the job that searches for what a killed process left, and finds nothing almost always.
            models.Index(fields=["at"], condition=~models.Q(sought=None), name="erasure_unsearched"),
            # Serves: the job that rewrites what still holds traces, and finds nothing almost always.
            models.Index(fields=["at"], condition=models.Q(purged_at=None), name="erasure_unpurged"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject} erased at {self.at:%Y-%m-%d %H:%M}"

    @property
    def percent(self) -> int:
        return min(100, round(100 * self.done / self.total)) if self.total else 100


class TombstoneQuerySet(models.QuerySet["Tombstone"]):
    def among(self, memories: Iterable[UUID]) -> set[UUID]:
        """Those of the ids whose memories were erased."""
        return set(self.filter(memory_id__in=list(memories)).values_list("memory_id", flat=True))


class Tombstone(models.Model):
    """That the memory of an id is gone for good, so that no old export and no backup brings it back; or what else an
    export holds that went with it, such as a turn."""

    memory_id = models.UUIDField(primary_key=True)
    erasure_id = models.UUIDField()

    objects = TombstoneQuerySet.as_manager()

    class Meta:
        db_table = "tombstone"
        indexes = [
            # Serves: writing the tombstones of an erasure outside of the database.
            models.Index(fields=["erasure_id"], name="tombstone_of_erasure"),
        ]

    def __str__(self) -> str:
        return f"memory {self.memory_id}"
