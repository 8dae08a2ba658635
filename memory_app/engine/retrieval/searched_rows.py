"""The rows of each table that is searched, with the columns that a search asks of them."""

from typing import Any

from django.db.models import (
    BooleanField,
    CharField,
    DateTimeField,
    Expression,
    ExpressionWrapper,
    F,
    Q,
    UUIDField,
    Value,
)
from django.db.models.expressions import RawSQL
from django.db.models.functions import Cast, Coalesce

from memory_app.models.conversation import TurnQuerySet
from memory_app.models.document import DocumentQuerySet
from memory_app.models.memory import MemoryQuerySet
from memory_app.models.note import NoteQuerySet

COLUMNS = (
    *("kind", "space_id", "id", "embedding", "embedding_model", "tsv", "passages", "passage_words"),
    *("said_by", "said_as", "said_at", "session", "position", "asks", "expires_at", "superseded", "replaced_by"),
)
"""What a search asks of each row, whatever its table."""


def searched_memories(rows: MemoryQuerySet) -> Any:
    """The memories with `COLUMNS`."""
    return rows.annotate(
        kind=Value("memory"),
        said_by=F("source_speaker"),
        said_as=Value("user"),
        said_at=Coalesce("event_time", "created_at"),
        session=Cast("event_time", CharField()),
        replaced_by=F("superseded_by"),
        superseded=_condition_column(Q(status="superseded")),
        asks=_is_question(),
        **_passages("memory"),
    )


def searched_turns(rows: TurnQuerySet) -> Any:
    """The turns with `COLUMNS`."""
    return rows.annotate(
        kind=Value("turn"),
        said_by=F("speaker"),
        said_as=F("role"),
        said_at=F("spoken_at"),
        session=Cast("conversation_id", CharField()),
        asks=_is_question(),
        **_never_replaced(),
        **_passages("turn"),
    )


def searched_notes(rows: NoteQuerySet) -> Any:
    """The notes with `COLUMNS`: of one person, in their own space; told of by nobody, and of no conversation."""
    said_at = RawSQL("(note.date + time '12:00') AT TIME ZONE 'UTC'", [], output_field=DateTimeField())
    return rows.annotate(kind=Value("note"), said_as=Value("user"), said_at=said_at, **_alone("note"))


def searched_documents(rows: DocumentQuerySet) -> Any:
    """The documents with `COLUMNS`: as notes; of the time when they were written last."""
    return rows.annotate(
        kind=Value("document"), said_as=Value("assistant"), said_at=F("updated_at"), **_alone("document")
    )


def _alone(table: str) -> dict[str, Any]:
    """Of what nobody told, in no conversation."""
    return {
        "said_by": Value(""),
        "session": Cast("id", CharField()),
        "position": Value(0),
        "asks": _condition_column(None),
        **_never_replaced(),
        **_passages(table),
    }


def _never_replaced() -> dict[str, Any]:
    return {
        "expires_at": Cast(Value(None), DateTimeField()),
        "superseded": _condition_column(None),
        "replaced_by": Cast(Value(None), UUIDField()),
    }


def _passages(table: str) -> dict[str, Expression]:
    """Columns that the ORM does not know."""
    return {name: RawSQL(f"{table}.{name}", []) for name in ("passages", "passage_words")}


def _is_question() -> Expression:
    return _condition_column(Q(content__endswith="?") | Q(content__endswith="？"))


def _condition_column(condition: Q | None) -> Expression:
    """A condition as a column; None is never."""
    if condition is None:
        return Value(False)
    return ExpressionWrapper(condition, output_field=BooleanField())
