"""Pass rows on from one person to another: in place where the space stays, else as a copy and a delete, for the space
of a row is never changed. Ids stay, so that links hold."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Model
from psycopg import sql

from memory_app.engine.passing.pass_names import pass_names
from memory_app.engine.passing.passage import Passage
from memory_app.models import (
    Conflict,
    Conversation,
    ExtractionRun,
    Memory,
    Note,
    Operation,
    Proposal,
    Receipt,
    Signal,
    Turn,
    Version,
)

Ids = Mapping[str, Sequence[UUID]]
"""Of memories, conversations, proposals, notes, receipts, signals and conflicts: those of one space that pass."""

Follows = tuple[type[Model], str, str]

IN_ORDER: Sequence[Follows] = (
    (Memory, "id", "memories"),
    (Version, "memory_id", "memories"),
    (Operation, "memory_id", "memories"),
    (Conversation, "id", "conversations"),
    (Turn, "conversation_id", "conversations"),
    (ExtractionRun, "conversation_id", "conversations"),
    (Proposal, "id", "proposals"),
    (Note, "id", "notes"),
    (Receipt, "id", "receipts"),
    (Signal, "id", "signals"),
    (Conflict, "id", "conflicts"),
)
"""Tables, by which column their rows follow what passes; parents before what refers to them."""


ITEMS = "replace(items::text, %(from_text)s, %(to_text)s)::jsonb"
"""What a brief held says in which space that lived."""


def pass_on(passage: Passage, ids: Ids) -> None:
    """Passes rows on, with what belongs to them. Expects the scope of both spaces, and other writers held off."""
    pass_rows(passage, ids)
    pass_names(passage, ids.get("memories", ()))
    if not passage.stays:
        leave(passage, ids)


def pass_rows(passage: Passage, ids: Ids) -> None:
    """The first half: rows are with the other, or copied to where they go. Whom they name is the caller's."""
    for model, column, kind in IN_ORDER:
        if ids.get(kind):
            _pass(passage, model, column, ids[kind])


def _pass(passage: Passage, model: type[Model], column: str, ids: Sequence[UUID]) -> None:
    columns = [field.column for field in model._meta.concrete_fields if field.column and not field.generated]
    owned = "person_id" in columns
    if passage.stays:
        if owned:
            _execute(passage, "UPDATE {table} SET person_id = %(to)s WHERE {these}", model, column, ids)
        return
    values = {"space_id": "%(to_space)s", "person_id": "%(to)s", "items": ITEMS}
    chosen = sql.SQL(", ").join(sql.SQL(values[name]) if name in values else sql.Identifier(name) for name in columns)
    named = sql.SQL(", ").join(map(sql.Identifier, columns))
    copy = "INSERT INTO {table} ({named}) SELECT {chosen} FROM {table} WHERE {these}"
    _execute(passage, copy, model, column, ids, named=named, chosen=chosen)


def leave(passage: Passage, ids: Ids) -> None:
    """The second half, where the space is another one: deletes what was copied, children first."""
    for model, column, kind in reversed(IN_ORDER):
        if ids.get(kind):
            _execute(passage, "DELETE FROM {table} WHERE {these}", model, column, ids[kind])


def _execute(
    passage: Passage, statement: str, model: type[Model], column: str, ids: Sequence[UUID], **parts: sql.Composable
) -> None:
    these = sql.SQL("space_id = %(from_space)s AND {} = ANY(%(ids)s)").format(sql.Identifier(column))
    table = sql.Identifier(model._meta.db_table)
    params: dict[str, Any] = {
        "ids": list(ids),
        "from_space": passage.from_space,
        "to_space": passage.to_space,
        "from_text": str(passage.from_space),
        "to_text": str(passage.to_space),
        "to": passage.to,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL(statement).format(table=table, these=these, **parts), params)
