"""A conflict of two memories, and its answer, as they are shown."""

from datetime import datetime
from uuid import UUID

from memory_app.models import Conflict
from memory_app.serializers import OutputModel
from memory_app.serializers.memory import MemoryOut


class ConflictOut(OutputModel):
    """Two memories that may not both hold. answer: what the person said; null while it waits."""

    id: UUID
    person: str
    older: MemoryOut
    newer: MemoryOut
    reason: str
    answer: str | None
    opened_at: datetime
    answered_at: datetime | None


def conflict_out(conflict: Conflict, older: MemoryOut, newer: MemoryOut) -> ConflictOut:
    """Expects the person to be loaded with it. older, newer: its memories, as whoever asked may be told them."""
    return ConflictOut(
        id=conflict.id,
        person=conflict.person.name,
        older=older,
        newer=newer,
        reason=conflict.reason,
        answer=conflict.answer or None,
        opened_at=conflict.opened_at,
        answered_at=conflict.answered_at,
    )


class AnsweredOut(OutputModel):
    conflict: UUID
    answer: str
    memory: MemoryOut
