"""Fade: move what is no longer remembered well to tier 2, in one statement that reads no row into Python."""

from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import DateTimeField, FloatField

from memory_app.engine.author import Author
from memory_app.engine.summing.retell_outdated import retell_outdated
from memory_app.models import VERSIONED, Memory
from memory_app.models.as_sql import bound
from memory_app.models.scope import every_space

FADED = "faded"
AUTHOR = Author("job", "fade")

IDENTIFIER = "(%(milliseconds)s || '7' || substr({hash}, 1, 3) || '8' || substr({hash}, 4, 15))::uuid"
"""A UUIDv7 of the time of the run whose random part is a hash of the memory's version: servers before 18 have no
uuidv7(), and a spread table takes no random()."""

MOMENT = (
    "to_jsonb(to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS')"
    " || CASE WHEN date_trunc('second', {column}) = {column} THEN '' ELSE to_char({column}, '.MS') END || 'Z')"
)
NUMBER = "CASE WHEN {column} = trunc({column}) THEN to_jsonb(round({column}::numeric, 1)) ELSE to_jsonb({column}) END"
"""As `change.state_of` writes them, so that a version by either reads alike."""

STATEMENT = """
WITH faded AS MATERIALIZED ({faded}),
past AS (
    INSERT INTO memory_version (space_id, id, memory_id, number, changed_by, changed_at, replaced_at, state)
    SELECT space_id, {version_id}, id, version, changed_by, updated_at, %(now)s, jsonb_build_object({state})
    FROM faded
),
logged AS (
    INSERT INTO operation (space_id, id, at, name, author, person_id, memory_id, request_id, detail)
    SELECT space_id, {operation_id}, %(now)s, 'fade', %(author)s, person_id, id, '',
        jsonb_build_object('version', version + 1, 'reason', %(reason)s,
            'changed', jsonb_build_array('delete_reason', 'deleted_at', 'status'))
    FROM faded
)
UPDATE memory SET status = 'deleted', deleted_at = %(now)s, deleted_by = %(author)s, delete_reason = %(reason)s,
    version = memory.version + 1, updated_at = %(now)s, changed_by = %(author)s
FROM faded WHERE memory.space_id = faded.space_id AND memory.id = faded.id
"""
"""The rows are locked as they are chosen: what is recalled, kept or changed at the same moment is not faded. Nor is it
waited for: whoever holds a row may next want one that is held here. The next run sees what became of it."""


def fade(now: datetime) -> int:
    """How many memories fell below the strength at which they are kept. A second run finds none.

    Each leaves a version and an operation, and can be restored. Protected memories and reflections do not fade.
    """
    parts = {
        "version_id": _identifier("version"),
        "operation_id": _identifier("operation"),
        "state": ", ".join(f"'{name}', {_as_json(name)}" for name in VERSIONED),
    }
    values: dict[str, Any] = {
        "now": now,
        "author": AUTHOR.label,
        "reason": FADED,
        "milliseconds": f"{int(now.timestamp() * 1000):012x}",
    }
    with every_space(), connection.cursor() as cursor:
        cursor.execute(STATEMENT.format(faded=_faded(now), **parts), values)
        gone = int(cursor.rowcount)
    retell_outdated(now)
    return gone


def _faded(now: datetime) -> str:
    """The rows that faded, locked, with what their versions hold, as SQL with its parameters bound."""
    columns = ("space_id", "id", "person_id", "version", "changed_by", "updated_at", *VERSIONED)
    return bound(Memory.objects.faded(now).select_for_update(skip_locked=True).values(*columns))


def _identifier(kind: str) -> str:
    return IDENTIFIER.format(hash=f"md5(space_id::text || id::text || version::text || '{kind}')")


def _as_json(name: str) -> str:
    field: Any = Memory._meta.get_field(name)
    if isinstance(field, DateTimeField):
        return MOMENT.format(column=name)
    if isinstance(field, FloatField):
        return NUMBER.format(column=name)
    return f"to_jsonb({name})"
