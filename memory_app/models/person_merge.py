"""Merges: that the memories of one person passed to another, and what is needed to take that back."""

from datetime import timedelta

from django.db import models
from django.utils import timezone

from memory_app.models.ids import new_id
from memory_app.models.person import Person
from memory_app.models.space import Space

UNDO_PERIOD = timedelta(days=30)
"""How long a merge can be taken back."""


class Merge(models.Model):
    """One merge. Lives in the own space of whom the memories passed to; `person` is whose they were.

    Holds ids and counts, never a word of what was moved; it goes with either of the two.
    """

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    by = models.CharField(max_length=250, help_text="as Author.label")
    undone_at = models.DateTimeField(null=True, blank=True)
    moved = models.JSONField(default=dict, help_text="{kind: [[space it was in, id, what else undoing needs]]}")
    counts = models.JSONField(default=dict, help_text="{kind: rows that passed}")

    class Meta:
        db_table = "person_merge"
        indexes = [
            # Serves: taking back the last merge of a person, and listing those that still can be.
            models.Index(fields=["space", "person", "at"], name="person_merge_latest"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} into the owner of {self.space_id}"
