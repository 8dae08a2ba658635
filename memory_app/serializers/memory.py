"""A memory and a daily note as they are shown."""

from datetime import date, datetime
from operator import attrgetter
from typing import Any
from uuid import UUID

from memory_app.models import Memory, Note
from memory_app.serializers import OutputModel


class SourceOut(OutputModel):
    type: str
    conversation: UUID | None
    speaker: str | None
    turns: list[UUID]


class MemoryOut(OutputModel):
    """A memory."""

    id: UUID
    person: str
    type: str
    category: str
    key: str | None
    summary: str
    content: str
    context: str | None
    speaker: str
    said_at: datetime
    keywords: list[str]
    tags: list[str]
    attributes: dict[str, Any]
    visibility: str
    space: str | None
    channel: str | None
    tier: str
    status: str
    source: SourceOut
    source_count: int
    confidence: float
    strength: float
    protected: bool
    sensitive: bool
    event_time: datetime | None
    event_end: datetime | None
    valid_from: datetime
    valid_to: datetime | None
    expires_at: datetime | None
    fades_on: datetime | None
    supersedes: UUID | None
    superseded_by: UUID | None
    access_count: int
    last_accessed_at: datetime | None
    created_at: datetime
    updated_at: datetime
    version: int
    embedding_model: str | None


class NoteOut(OutputModel):
    """An entry of a day's notes."""

    id: UUID
    person: str
    date: date
    text: str
    author: str
    created_at: datetime
    version: int
    tier: str
    deleted_at: datetime | None
    delete_reason: str | None


COMPUTED_FIELDS = (
    *("person", "key", "context", "speaker", "said_at", "space", "channel", "source"),
    *("attributes", "tier", "strength", "fades_on"),
)
"""The last are `Memory.derived_values`."""

COPIED_FIELDS = tuple(name for name in MemoryOut.model_fields if name not in COMPUTED_FIELDS)


_copied_values = attrgetter(*COPIED_FIELDS)


def memory_values(memory: Memory, now: datetime) -> dict[str, Any]:
    """The fields of a `MemoryOut`, for an answer that is written at once. Expects what `memory_out` expects."""
    return {
        **dict(zip(COPIED_FIELDS, _copied_values(memory), strict=True)),
        "person": memory.person.name,
        "key": memory.key or None,
        "context": memory.context or None,
        "speaker": memory.source_speaker or memory.person.name,
        "said_at": memory.valid_from,
        "space": memory.space.name or None,
        "channel": memory.channel.name if memory.channel else None,
        "source": {
            "type": memory.source_type,
            "conversation": memory.source_conversation,
            "speaker": memory.source_speaker or None,
            "turns": memory.source_turns,
        },
        **memory.derived_values(now),
    }


def memory_out(memory: Memory, now: datetime) -> MemoryOut:
    """A memory as it is shown. Expects person, space and channel to be loaded with it."""
    values = memory_values(memory, now)
    return MemoryOut.model_construct(**values | {"source": SourceOut.model_construct(**values["source"])})


def note_out(note: Note, person: str, text: str | None = None) -> NoteOut:
    """A note as it is shown. person: their name. text: what of it is told, where that is not all."""
    return NoteOut(
        id=note.id,
        person=person,
        date=note.date,
        text=note.text if text is None else text,
        author=note.author,
        created_at=note.created_at,
        version=note.version,
        tier="deleted" if note.deleted_at else "active",
        deleted_at=note.deleted_at,
        delete_reason=note.delete_reason or None,
    )
