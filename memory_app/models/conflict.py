"""Conflicts: two memories of one person that may not both hold, until the person says which does."""

from datetime import datetime
from typing import Protocol
from uuid import UUID

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from memory_app.models.choices import Status
from memory_app.models.ids import new_id
from memory_app.models.memory import Memory
from memory_app.models.person import Person
from memory_app.models.space import Space


class ConflictSide(Protocol):
    """What a conflict needs of one of its two memories."""

    @property
    def id(self) -> UUID: ...
    @property
    def digest(self) -> bytes | memoryview: ...
    @property
    def order(self) -> tuple[datetime, UUID]: ...


class ConflictAnswer(models.TextChoices):
    """What the person said: which of the two holds, that both do, or that one text says both."""

    NEWEST = "newest"
    OLDEST = "oldest"
    BOTH = "both"
    MERGED = "merged"


class ConflictQuerySet(models.QuerySet["Conflict"]):
    def open(self) -> "ConflictQuerySet":
        """Those that wait for an answer: not answered, and both memories hold, in the words they had. What is deleted,
        replaced or reworded is in no conflict, and in the same one again once that is undone."""
        return self.filter(_still_holds("older"), _still_holds("newer"), answer="")

    def of_memory(self, memory: UUID) -> "ConflictQuerySet":
        """Those of one memory, open or not."""
        return self.filter(Q(older_id=memory) | Q(newer_id=memory))


def _still_holds(side: str) -> Exists:
    rows = Memory.objects.filter(space_id=OuterRef("space_id"), id=OuterRef(f"{side}_id"), deleted_at=None)
    return Exists(rows.filter(status=Status.ACTIVE, digest=OuterRef(f"{side}_digest")))


class Conflict(models.Model):
    """A question about two memories: opened when the newer one was saved, and answered by the person."""

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    older_id = models.UUIDField()
    older = models.ForeignObject(
        Memory,
        on_delete=models.CASCADE,
        from_fields=["space_id", "older_id"],
        to_fields=["space_id", "id"],
        related_name="+",
    )
    newer_id = models.UUIDField()
    newer = models.ForeignObject(
        Memory,
        on_delete=models.CASCADE,
        from_fields=["space_id", "newer_id"],
        to_fields=["space_id", "id"],
        related_name="+",
    )
    older_digest = models.BinaryField(max_length=16, help_text="of the older text that this is about")
    newer_digest = models.BinaryField(max_length=16, help_text="of the newer text that this is about")
    reason = models.CharField(max_length=300, help_text="why the two may not both hold, in plain words")
    opened_at = models.DateTimeField(default=timezone.now)
    answer = models.CharField(max_length=6, choices=ConflictAnswer, blank=True, help_text="empty: not answered yet")
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.CharField(max_length=250, blank=True, help_text="as Author.label")

    objects = ConflictQuerySet.as_manager()

    class Meta:
        db_table = "conflict"
        constraints = [
            # Serves: asking once about the same two texts.
            models.UniqueConstraint(
                fields=["space", "older_id", "newer_id", "older_digest", "newer_digest"], name="conflict_of_two"
            ),
        ]
        indexes = [
            # Serves: what waits for a person's answer, and its count.
            models.Index(fields=["space", "person"], condition=models.Q(answer=""), name="conflict_without_answer"),
            # Serves: the conflicts of a memory, with `conflict_of_two`; and its removal.
            models.Index(fields=["space", "newer_id"], name="conflict_by_newer"),
            # Serves: finding a conflict by its id alone.
            models.Index(fields=["id"], name="conflict_by_id"),
        ]

    def __str__(self) -> str:
        return self.reason

    @classmethod
    def between(cls, one: Memory, other: ConflictSide, *, reason: str, now: datetime) -> "Conflict":
        """The conflict of two memories of one person and level, unsaved; the one that was said later is the newer."""
        sides: list[ConflictSide] = [one, other]
        older, newer = sorted(sides, key=lambda side: side.order)
        return cls(
            space_id=one.space_id,
            person_id=one.person_id,
            older_id=older.id,
            newer_id=newer.id,
            older_digest=older.digest,
            newer_digest=newer.digest,
            reason=reason[:300],
            opened_at=now,
        )

    def other(self, memory: UUID) -> UUID:
        """The other one of the two."""
        return self.newer_id if memory == self.older_id else self.older_id
