"""Types of single fields, shared by all schemas: what a name, a text, a time may be."""

import json
import re
from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from memory_app.api.requests import storable, storable_json
from memory_app.nlp.text import without_invisible

MAX_CONTENT = 50_000
MAX_SUMMARY = 1_000
MAX_QUERY = 20_000
MAX_ATTRIBUTES = 50_000

NUMBER = re.compile(r"\s*[-+]?[\d_.]+(?:[eE][-+]?\d+)?\s*")
UNENCODED_PLUS = re.compile(r"([T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?) (\d\d:?\d\d)$")


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError:
        raise ValueError("is outside the years 1 to 9999 in UTC") from None


def _time_text(value: Any) -> Any:
    """A number is no time: read as seconds since 1970, "2026" would be of that year. A "+" that stood in an address
    unencoded has come as a space."""
    if isinstance(value, int | float) or (isinstance(value, str) and NUMBER.fullmatch(value)):
        raise ValueError("is no time: write it like 2026-11-20T18:30:00Z")
    return UNENCODED_PLUS.sub(r"\1+\2", value) if isinstance(value, str) else value


def _iso_date(value: Any) -> Any:
    """Whatever else is written, it is told in the same words."""
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise ValueError("is no day: write it like 2026-11-20") from None


def _not_too_large(attributes: dict[str, Any]) -> dict[str, Any]:
    if len(json.dumps(attributes)) > MAX_ATTRIBUTES:
        raise ValueError(f"are longer than {MAX_ATTRIBUTES} characters as JSON")
    return attributes


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("is empty: say what to look for")
    return text


Storable = AfterValidator(storable)
Attributes = Annotated[dict[str, Any], AfterValidator(storable_json), AfterValidator(_not_too_large)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200), Storable]
Content = Annotated[str, StringConstraints(min_length=1, max_length=MAX_CONTENT), Storable]
Summary = Annotated[str, StringConstraints(min_length=1, max_length=MAX_SUMMARY), Storable]
Query = Annotated[str, StringConstraints(max_length=MAX_QUERY), Storable]
SearchQuery = Annotated[Query, AfterValidator(_not_blank)]
"""A query that names something to look for."""
Word = Annotated[str, StringConstraints(min_length=1, max_length=100), Storable]
Words = Annotated[list[Word], Field(max_length=50)]
Moment = Annotated[datetime, BeforeValidator(_time_text), AfterValidator(_in_utc)]
"""RFC 3339; without an offset it is read as UTC."""

Day = Annotated[date, BeforeValidator(_iso_date)]

Message = Annotated[str, AfterValidator(without_invisible)]
"""What is to be said to a person: without anything in it that nobody sees."""

Limit = Annotated[int, Field(ge=1, le=200)]
TypeName = Literal[
    "fact", "preference", "decision", "event", "person", "project",
    "meeting", "journal", "profile", "task", "note", "reflection",
]  # fmt: skip
CategoryName = Literal["preference", "work", "personal", "reading", "fact"]
VisibilityName = Literal["private", "channel", "space", "global", "everyone"]
SourceName = Literal[
    "explicit", "extracted", "meeting", "journal", "migration", "consolidation", "reflection", "api"
]  # fmt: skip
StatusName = Literal["active", "superseded", "deleted"]
NoteStatus = Literal["active", "deleted"]
OutcomeName = Literal["added", "duplicate", "merged", "superseded", "proposed"]


class InputModel(BaseModel):
    """Input: an unknown field is an error, for it is most likely a misspelt one."""

    model_config = ConfigDict(extra="forbid")


class PageQuery(BaseModel):
    """Which part of a list."""

    limit: Limit = 20
    cursor: str | None = None
