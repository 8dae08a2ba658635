"""What mem0's clients send. They pass on any keyword they are called with, so what is not known here is passed over;
docs/compat.md says which."""

from datetime import UTC, date, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, StringConstraints, field_validator

from memory_app.api import fields
from memory_app.api.requests import storable_json
from memory_app.compat.mem0.owners import ID_FIELDS

MOST_MESSAGES = 500
MOST_IN_BATCH = 1_000
DIGITS_OF_DAY = 8
"""A number with more is no day that is written without its hyphens."""

ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "system": "system",
         "developer": "system"}  # fmt: skip
"""By a message's role, that of a turn; what tools and functions answered was said by nobody."""


def _id_text(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()


def _moment(value: Any) -> Any:
    """Seconds since 1970, as these clients send a time, in an address as text; or written out."""
    if isinstance(value, str) and len(value.partition(".")[0]) > DIGITS_OF_DAY and _is_number(value):
        value = float(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return datetime.fromtimestamp(value, UTC)
        except (ValueError, OverflowError, OSError):
            raise ValueError("is no time: write seconds since 1970") from None
    return value


OwnerId = Annotated[str, BeforeValidator(_id_text), StringConstraints(min_length=1, max_length=190), fields.Storable]
"""Shorter than a person's name, for the name of an agent's person has more."""


def _not_the_last(day: date) -> date:
    if day == date.max:
        raise ValueError("is the last day there is: write an earlier one")
    return day


def _day_of(value: Any) -> Any:
    return value[:10] if isinstance(value, str) else value


Day = Annotated[fields.Day, BeforeValidator(_day_of), AfterValidator(_not_the_last)]
Timestamp = Annotated[fields.Moment, BeforeValidator(_moment)]
ObjectText = Annotated[str, StringConstraints(min_length=1, max_length=5_000)]
FilterTree = Annotated[dict[str, Any], AfterValidator(storable_json)]


class ClientModel(BaseModel):
    """Input of a client that sends more than is read."""


class OwnerFields(ClientModel):
    user_id: OwnerId | None = None
    agent_id: OwnerId | None = None
    app_id: OwnerId | None = None
    run_id: OwnerId | None = None

    @property
    def ids(self) -> dict[str, str | None]:
        return {name: getattr(self, name) for name in ID_FIELDS}


class Message(ClientModel):
    """content: a text, or parts of which those of text are read."""

    role: str = "user"
    content: fields.Content | None = None

    @field_validator("content", mode="before")
    @classmethod
    def _text_of_parts(cls, value: Any) -> Any:
        parts = [value] if isinstance(value, dict) else value
        if not isinstance(parts, list):
            return value or None
        texts = [part.get("text") for part in parts if isinstance(part, dict)]
        return "\n".join(text for text in texts if isinstance(text, str) and text) or None


def _as_messages(value: Any) -> Any:
    """One message, or its text alone, is a list of one."""
    if isinstance(value, str):
        return [{"role": "user", "content": value}]
    return [value] if isinstance(value, dict) else value


class AddIn(OwnerFields):
    messages: Annotated[list[Message], BeforeValidator(_as_messages)] = Field(min_length=1, max_length=MOST_MESSAGES)
    filters: FilterTree | None = None
    metadata: fields.Attributes | None = None
    infer: bool = True
    immutable: bool = False
    timestamp: Timestamp | None = None
    expiration_date: Day | None = None
    output_format: str = "v1.1"


class NarrowedIn(OwnerFields):
    """What a list or a search is narrowed to: by filters, or by ids beside them, as older clients send these."""

    filters: FilterTree | None = None
    metadata: FilterTree | None = None
    categories: fields.Words | None = None
    start_date: Timestamp | None = None
    end_date: Timestamp | None = None
    show_expired: bool = False
    output_format: str = ""


class SearchIn(NarrowedIn):
    query: fields.SearchQuery
    top_k: int | None = Field(None, ge=1, le=1000)
    limit: int | None = Field(None, ge=1, le=1000)
    threshold: float | None = Field(None, ge=0, le=1)
    rerank: bool | None = None
    fields: list[str] | None = Field(None, max_length=50)


class PageQuery(ClientModel):
    """Pages count from 1."""

    page: int | None = Field(None, ge=1, le=1_000_000)
    page_size: int | None = Field(None, ge=1, le=1000)


class DeleteQuery(OwnerFields):
    """What all of someone's memories are narrowed to in an address. Filters and metadata are JSON, or as Python writes
    a dictionary, which is how version 0.1 of the client sends them."""

    filters: ObjectText | None = None
    metadata: ObjectText | None = None
    categories: list[fields.Word] = Field([], max_length=50)
    start_date: Timestamp | None = None
    end_date: Timestamp | None = None


class ListQuery(PageQuery, DeleteQuery):
    show_expired: bool = False
    limit: int | None = Field(None, ge=1, le=1000)
    top_k: int | None = Field(None, ge=1, le=1000)


class UpdateIn(ClientModel):
    """Only what is named is changed; `expiration_date: null` takes the date away."""

    text: fields.Content | None = None
    metadata: fields.Attributes | None = None
    timestamp: Timestamp | None = None
    expiration_date: Day | None = None


class BatchItem(ClientModel):
    memory_id: str = Field(max_length=200)
    text: fields.Content | None = None
    metadata: fields.Attributes | None = None


class BatchIn(ClientModel):
    memories: list[BatchItem] = Field(min_length=1, max_length=MOST_IN_BATCH)
