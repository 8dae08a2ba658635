"""Versions: what a memory was before each change of it. The row itself is the latest one."""

from typing import Any

from django.db import models
from django.utils import timezone

from memory_app.models.ids import new_id
from memory_app.models.memory import Memory
from memory_app.models.space import Space

VERSIONED = (
    "type",
    "category",
    "key",
    "summary",
    "content",
    "context",
    "keywords",
    "tags",
    "attributes",
    "visibility",
    "status",
    "confidence",
    "protected",
    "sensitive",
    "event_time",
    "event_end",
    "expires_at",
    "valid_from",
    "valid_to",
    "deleted_at",
    "delete_reason",
)
"""Fields of a memory that a version keeps; the rest is bookkeeping or follows from these."""


class Version(models.Model):
    """One past state of a memory, written in the transaction that replaced it."""

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    memory_id = models.UUIDField()
    memory = models.ForeignObject(
        Memory,
        on_delete=models.CASCADE,
        from_fields=["space_id", "memory_id"],
        to_fields=["space_id", "id"],
        related_name="versions",
    )
    number = models.PositiveIntegerField()
    changed_by = models.CharField(max_length=250, blank=True, help_text="who made this version")
    changed_at = models.DateTimeField(help_text="when this version was made")
    replaced_at = models.DateTimeField(default=timezone.now)
    state = models.JSONField(help_text="the fields of VERSIONED as they were")

    class Meta:
        db_table = "memory_version"
        constraints = [
            # Serves: the history of a memory, oldest first; and that one version is written once.
            models.UniqueConstraint(fields=["space", "memory_id", "number"], name="memory_version_number"),
        ]

    def __str__(self) -> str:
        return f"version {self.number}"

    @property
    def fields(self) -> dict[str, Any]:
        """What it says of the memory, as values of its fields; nothing of a field that came later."""
        known = {field.name: field for field in Memory._meta.concrete_fields if field.name in self.state}
        return {name: known[name].to_python(self.state[name]) for name in VERSIONED if name in known}
