"""What goes in and out over the API. Field names are the contract's."""

from datetime import datetime
from typing import Any, Self
from uuid import UUID

from pydantic import Field, model_validator

from memory_app.api import fields
from memory_app.api.fields import InputModel
from memory_app.api.venue import PersonInVenue
from memory_app.engine.memories.memory_input import MemoryInput, MemorySource
from memory_app.serializers import OutputModel, Page
from memory_app.serializers.memory import MemoryOut


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


MemoryPage = Page[MemoryOut]


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
