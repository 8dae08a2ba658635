"""What an assistant proposes, as it is sent: words that may not be kept are refused one by one, not here."""

from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

from memory_app.api import fields
from memory_app.api.schemas import Spoken, Strict
from memory_app.engine.listening.assistant_items import AssistantItem

Words = Annotated[str, StringConstraints(max_length=fields.LONGEST_CONTENT), fields.Storable]


class ProposedIn(Strict):
    """One thing noticed. quote: words of the person, as they stand in one of `turns`, or in the conversation."""

    content: Words
    type: fields.TypeName | None = None
    category: fields.CategoryName | None = None
    key: fields.Word | None = None
    quote: Words | None = None
    turns: list[UUID] = Field(default_factory=list, max_length=50)
    event_time: fields.Moment | None = None
    confidence: float | None = Field(None, ge=0, le=1)

    @property
    def item(self) -> AssistantItem:
        values = {name: getattr(self, name) for name in ProposedIn.model_fields}
        return AssistantItem(**{**values, "turns": tuple(self.turns)})


class ProposalsIn(Spoken):
    conversation: UUID | None = None
    items: list[ProposedIn] = Field(min_length=1, max_length=50)
