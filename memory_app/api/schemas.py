"""What goes in and out over the API. Field names are the contract's."""

from datetime import date, datetime
from operator import attrgetter
from typing import Any, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, model_validator

from memory_app.api import fields
from memory_app.engine.memories.memory_input import MemoryInput, MemorySource
from memory_app.engine.venue_context import VenueNames
from memory_app.models import Memory, Note


class InputModel(BaseModel):
    """Input: an unknown field is an error, for it is most likely a misspelt one."""

    model_config = ConfigDict(extra="forbid")


class OutputModel(BaseModel):
    """Output. pydantic's own model, and so is input: ninja's looks at each field of each item again, in Python."""


class VenueIn(InputModel):
    """Where the words were spoken. No space: a private talk between the person and the assistant."""

    space: fields.Name | None = None
    channel: fields.Name | None = None
    restricted: bool = False

    @property
    def place(self) -> VenueNames:
        return VenueNames(self.space, self.channel, self.restricted)


class PersonInVenue(InputModel):
    """Input that comes from a person in a venue."""

    person: fields.Name
    venue: VenueIn | None = None

    @property
    def place(self) -> VenueNames:
        return self.venue.place if self.venue else VenueNames()


class SourceIn(InputModel):
    type: fields.SourceName = "api"
    conversation: UUID | None = None
    speaker: fields.Name | None = None
    turns: list[UUID] = Field(default_factory=list, max_length=500)

    @property
    def memory_input(self) -> MemorySource:
        return MemorySource(self.type, self.conversation, self.speaker or "", tuple(self.turns))


class MemoryFields(InputModel):
    """What may be said of a memory; whatever is left out is worked out."""

    summary: fields.Summary | None = None
    context: fields.Content | None = None
    type: fields.TypeName | None = None
    category: fields.CategoryName | None = None
    key: fields.Word | None = None
    keywords: fields.Words | None = None
    tags: fields.Words | None = None
    confidence: float | None = Field(None, ge=0, le=1)
    event_time: fields.Moment | None = None
    event_end: fields.Moment | None = None
    expires_at: fields.Moment | None = None
    protected: bool | None = None
    attributes: fields.Attributes | None = None


class MemoryIn(MemoryFields, PersonInVenue):
    content: fields.Content
    visibility: fields.VisibilityName | None = None
    source: SourceIn | None = None

    @property
    def memory_input(self) -> MemoryInput:
        return MemoryInput.of(self, self.source.memory_input if self.source else MemorySource())


class MemoryPatch(MemoryFields):
    content: fields.Content | None = None

    @model_validator(mode="after")
    def _names_a_field(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("name at least one field to change")
        return self

    @property
    def changes(self) -> dict[str, Any]:
        """The fields that were sent. Null clears what may be empty; elsewhere it is as if not sent."""
        clearable = {"event_time", "event_end", "expires_at"}
        empty = {"key": "", "context": "", "keywords": [], "tags": [], "attributes": {}}
        sent = {name: getattr(self, name) for name in self.model_fields_set}
        sent = {name: empty.get(name) if value is None else value for name, value in sent.items()}
        return {name: value for name, value in sent.items() if value is not None or name in clearable}


class BatchIn(InputModel):
    items: list[Any] = Field(max_length=1000)


class RememberIn(PersonInVenue):
    utterance: fields.Content
    conversation: UUID | None = None


class CorrectIn(InputModel):
    content: fields.Content
    person: fields.Name | None = None


class RevertIn(InputModel):
    version: int = Field(ge=1, le=2**31 - 1)
    person: fields.Name | None = None


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


class SavedOut(OutputModel):
    """The memory that now stands for what was sent, and how it got there. `conflicts`: memories that may not hold
    beside it, about which the person is asked. `others`: further memories of one utterance."""

    memory: MemoryOut
    outcome: fields.OutcomeName
    message: fields.Message | None = None
    conflicts: list[MemoryOut] = []
    others: list["SavedOut"] = []


class BatchAnswer(OutputModel):
    memory: MemoryOut | None = None
    outcome: fields.OutcomeName | None = None
    error: dict[str, Any] | None = None


class BatchOut(OutputModel):
    items: list[BatchAnswer]


class MemoryPage(OutputModel):
    items: list[MemoryOut]
    next_cursor: str | None


class VersionOut(OutputModel):
    version: int
    changed_at: datetime
    changed_by: str
    current: bool
    state: dict[str, Any]


class HistoryOut(OutputModel):
    """All versions, oldest first, and the chain of memories that replaced one another, oldest first."""

    items: list[VersionOut]
    chain: list[MemoryOut]


COMPUTED_FIELDS = (
    "person",
    "key",
    "context",
    "speaker",
    "said_at",
    "attributes",
    "space",
    "channel",
    "source",
    "strength",
)
COPIED_FIELDS = tuple(name for name in MemoryOut.model_fields if name not in COMPUTED_FIELDS)
_copied_values = attrgetter(*COPIED_FIELDS)


def memory_out(memory: Memory, now: datetime) -> MemoryOut:
    """A memory as it is shown. Expects person, space and channel to be loaded with it."""
    return MemoryOut.model_construct(
        **dict(zip(COPIED_FIELDS, _copied_values(memory), strict=True)),
        person=memory.person.name,
        key=memory.key or None,
        context=memory.context or None,
        speaker=memory.source_speaker or memory.person.name,
        said_at=memory.valid_from,
        attributes=memory.visible_attributes,
        space=memory.space.name or None,
        channel=memory.channel.name if memory.channel else None,
        source=SourceOut.model_construct(
            type=memory.source_type,
            conversation=memory.source_conversation,
            speaker=memory.source_speaker or None,
            turns=memory.source_turns,
        ),
        strength=round(memory.strength(now), 4),
    )


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
