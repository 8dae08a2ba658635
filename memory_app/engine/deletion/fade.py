"""Fade: delete what has lost its strength, in one statement that reads no row into Python, and refresh the reflections
that quoted it.
"""

from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import DateTimeField, FloatField

from memory_app.engine.audit.log import Author
from memory_app.engine.memories.reflection_lines import ABOUT_TO_FADE, refresh_reflection
from memory_app.models import VERSIONED, Memory
from memory_app.models.person import lock_writers
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.postgres.fast.prepared_query import inlined_sql

FADED = "faded"
AUTHOR = Author("job", "fade")

ID_SQL = "(%(milliseconds)s || '7' || substr({hash}, 1, 3) || '8' || substr({hash}, 4, 15))::uuid"
"""A UUIDv7 of the time of the run whose random part is a hash of the memory's version: servers before 18 have no
uuidv7(), and a spread table takes no random()."""

TIME_SQL = (
    "to_jsonb(to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS')"
    " || CASE WHEN date_trunc('second', {column}) = {column} THEN '' ELSE to_char({column}, '.MS') END || 'Z')"
)
NUMBER_SQL = (
    "CASE WHEN {column} = trunc({column}) THEN to_jsonb(round({column}::numeric, 1)) ELSE to_jsonb({column}) END"
)
"""As `change.versioned_state` writes them, so that a version by either reads alike."""

FADE_SQL = """
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
        "version_id": _id_sql("version"),
        "operation_id": _id_sql("operation"),
        "state": ", ".join(f"'{name}', {_json_sql(name)}" for name in VERSIONED),
    }
    values: dict[str, Any] = {
        "now": now,
        "author": AUTHOR.label,
        "reason": FADED,
        "milliseconds": f"{int(now.timestamp() * 1000):012x}",
    }
    with every_space(), connection.cursor() as cursor:
        cursor.execute(FADE_SQL.format(faded=_faded_rows_sql(now), **parts), values)
        faded = int(cursor.rowcount)
    refresh_outdated_reflections(now)
    return faded


def _faded_rows_sql(now: datetime) -> str:
    """The rows that faded, locked, with what their versions hold, as SQL with its parameters bound."""
    columns = ("space_id", "id", "person_id", "version", "changed_by", "updated_at", *VERSIONED)
    return inlined_sql(Memory.objects.faded(now).select_for_update(skip_locked=True).values(*columns))


def _id_sql(kind: str) -> str:
    return ID_SQL.format(hash=f"md5(space_id::text || id::text || version::text || '{kind}')")


def _json_sql(name: str) -> str:
    field: Any = Memory._meta.get_field(name)
    if isinstance(field, DateTimeField):
        return TIME_SQL.format(column=name)
    if isinstance(field, FloatField):
        return NUMBER_SQL.format(column=name)
    return f"to_jsonb({name})"


OUTDATED_REFLECTIONS_SQL = """
SELECT DISTINCT told.space_id, told.id, told.person_id FROM memory told
CROSS JOIN LATERAL jsonb_path_query(told.attributes, 'lax $.lines[*]') AS line (said)
CROSS JOIN LATERAL jsonb_path_query(line.said, 'lax $.quotes[*]') AS quote (id)
LEFT JOIN memory quoted ON quoted.space_id = told.space_id
    AND quoted.id = CASE WHEN quote.id #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        THEN (quote.id #>> '{}')::uuid END
WHERE told.source_type IN ('consolidation', 'reflection') AND told.type = 'reflection'
    AND (quoted.id IS NULL OR quoted.status <> 'active' OR quoted.expires_at <= %(now)s
        OR starts_with(line.said ->> 'text', %(about_to_fade)s) AND quoted.reinforced_at > told.created_at)
"""
"""Reflections with a line that no longer holds, for what is recalled is kept for longer without a word as well."""


def refresh_outdated_reflections(now: datetime) -> int:
    """Has all of which some line holds no longer say what holds; how many. Each by itself, nobody else changing what
    it rests on meanwhile."""
    with every_space(), connection.cursor() as cursor:
        cursor.execute(OUTDATED_REFLECTIONS_SQL, {"now": now, "about_to_fade": ABOUT_TO_FADE})
        found = cursor.fetchall()
    for space, one, person in found:
        with allowed_spaces([space]):
            lock_writers(person)
            rows = Memory.objects.filter(space_id=space, id=one, person_id=person)
            for reflection in rows.select_related("person").defer("embedding", "tsv"):
                refresh_reflection(reflection, now)
    return len(found)
