"""Erasures: that something was erased for good, what went with it, and what was done to leave no trace.

Holds ids, counts and names of tables, never a word of what was erased. It is the receipt of the one who erased, and
the tombstone that is replayed after a restore from a backup.
"""

from django.db import models
from django.utils import timezone

from .ids import new_id


class Erased(models.TextChoices):
    MEMORY = "memory"
    PERSON = "person"


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

    class Meta:
        db_table = "erasure"
        indexes = [
            # Serves: the job that rewrites what still holds traces, and finds nothing almost always.
            models.Index(fields=["at"], condition=models.Q(purged_at=None), name="erasure_unpurged"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject} erased at {self.at:%Y-%m-%d %H:%M}"
