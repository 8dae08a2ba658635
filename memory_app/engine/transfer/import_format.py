"""The records of an import, checked: their fields, versions and entities. None may stop the import of the others."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from memory_app.engine.entities.link_mentions import LONGEST_NAME
from memory_app.engine.memories.memory_input import MemoryInput, MemorySource
from memory_app.engine.venue_context import VenueNames
from memory_app.models import (
    Category,
    EntityType,
    LinkSource,
    MemoryType,
    SourceType,
)
from memory_app.rules.visibility import Visibility

SHARED_LEVELS = (Visibility.SPACE, Visibility.CHANNEL)


def _without_nul(text: str) -> str:
    if "\x00" in text:
        raise ValueError("must not contain the character NUL")
    return text


Text = Annotated[str, AfterValidator(_without_nul)]
PersonName = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_without_nul)]
Content = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(_without_nul)]


def _with_time_zone(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


Moment = Annotated[datetime, AfterValidator(_with_time_zone)]
"""A day or a time; without an offset it is UTC, as in most exports of other products."""

Key = Annotated[str, StringConstraints(max_length=100), AfterValidator(_without_nul)]


class RecordFields(BaseModel):
    """The fields of a record that say what to remember, of whom and where; others are left alone."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    person: PersonName
    space: PersonName | None = None
    channel: PersonName | None = None
    content: Content
    context: Text | None = None
    summary: Text | None = None
    type: MemoryType | None = None
    category: Category | None = None
    key: Key | None = None
    keywords: list[Text] | None = None
    tags: list[Text] | None = None
    visibility: Visibility | None = None
    source_type: SourceType = SourceType.MIGRATION
    confidence: float = Field(1.0, ge=0, le=1)
    created_at: Moment | None = None
    event_time: AwareDatetime | None = None
    event_end: AwareDatetime | None = None

    @property
    def place(self) -> VenueNames:
        """Where it was said, for the levels that live there."""
        if self.visibility not in SHARED_LEVELS:
            return VenueNames()
        channel = self.channel if self.visibility is Visibility.CHANNEL else None
        return VenueNames(self.space, channel, restricted=bool(channel))

    @property
    def memory_input(self) -> MemoryInput:
        return replace(MemoryInput.of(self, MemorySource(self.source_type.value)), said_at=self.created_at)


def check_record(fields: dict[str, Any], person: str | None) -> RecordFields:
    """What a record says, of the person given or else of the one it names. Raises ValueError, which says what is wrong
    in plain words."""
    if not person and not fields.get("person"):
        raise ValueError("no person: name one in the record or with --person")
    try:
        return RecordFields.model_validate({**fields, "person": person or fields["person"]})
    except ValidationError as error:
        raise ValueError("; ".join(_error_message(item) for item in error.errors(include_url=False))) from None


def _error_message(item: Any) -> str:
    where = ".".join(str(part) for part in item["loc"])
    return f"{where}: {str(item['msg']).removeprefix('Value error, ')}"


EntityName = Annotated[Text, StringConstraints(min_length=1, max_length=LONGEST_NAME)]


class _ExportedRecord(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class ExportedEntity(_ExportedRecord):
    id: UUID
    type: EntityType
    name: EntityName
    apart: int = Field(0, ge=0, le=32_767)
    created_at: AwareDatetime
    into: "ExportedEntity | None" = None
    via: UUID | None = None
    by_hand: bool | None = None


class ExportedLink(_ExportedRecord):
    entity: ExportedEntity
    surface: EntityName
    confidence: float = Field(ge=0, le=1)
    source: LinkSource
    moved_from: UUID | None = None
    same_as: UUID | None = None


class ExportedVersion(_ExportedRecord):
    number: int = Field(ge=1, lt=2**31)
    changed_by: Annotated[Text, StringConstraints(max_length=250)]
    changed_at: AwareDatetime
    replaced_at: AwareDatetime
    state: dict[str, Any]


class MemoryHistory(_ExportedRecord):
    """links None: the record says nothing of names, so they are read in the text."""

    versions: list[ExportedVersion] = []
    links: list[ExportedLink] | None = Field(None, alias="names")


def parse_history(fields: dict[str, Any]) -> MemoryHistory:
    """What a record tells besides. Raises ValueError, which says where it is wrong."""
    try:
        return MemoryHistory.model_validate(fields)
    except ValidationError as error:
        places = (".".join(map(str, item["loc"])) for item in error.errors(include_url=False))
        raise ValueError(f"not as an export tells it: {', '.join(places)}") from None
