"""What a record to import says, checked: no record may stop the import of the others."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from memory_app.engine.enter import Place
from memory_app.engine.keeping.compose import Given, Source
from memory_app.models import Category, MemoryType, SourceType
from memory_app.rules.visibility import Visibility

PLACED = (Visibility.SPACE, Visibility.CHANNEL)


def _without_nul(text: str) -> str:
    if "\x00" in text:
        raise ValueError("must not contain the character NUL")
    return text


Text = Annotated[str, AfterValidator(_without_nul)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_without_nul)]
Content = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(_without_nul)]


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


Moment = Annotated[datetime, AfterValidator(_aware)]
"""A day or a time; without an offset it is UTC, as in most exports of other products."""

Key = Annotated[str, StringConstraints(max_length=100), AfterValidator(_without_nul)]


class Told(BaseModel):
    """The fields of a record that say what to remember, of whom and where; others are left alone."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    person: Name
    space: Name | None = None
    channel: Name | None = None
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
    def place(self) -> Place:
        """Where it was said, for the levels that live there."""
        if self.visibility not in PLACED:
            return Place()
        channel = self.channel if self.visibility is Visibility.CHANNEL else None
        return Place(self.space, channel, restricted=bool(channel))

    @property
    def given(self) -> Given:
        return replace(Given.of(self, Source(self.source_type.value)), told_at=self.created_at)


def told_by(fields: dict[str, Any], person: str | None) -> Told:
    """What a record says, of the person given or else of the one it names. Raises ValueError, which says what is wrong
    in plain words."""
    if not person and not fields.get("person"):
        raise ValueError("no person: name one in the record or with --person")
    try:
        return Told.model_validate({**fields, "person": person or fields["person"]})
    except ValidationError as error:
        raise ValueError("; ".join(_fault(item) for item in error.errors(include_url=False))) from None


def _fault(item: Any) -> str:
    where = ".".join(str(part) for part in item["loc"])
    return f"{where}: {str(item['msg']).removeprefix('Value error, ')}"
