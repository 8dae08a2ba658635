"""The rows of one person in all tables: find them in the catalogue, count them, and remove them at once or in steps.

Tables are found by the columns that tie a row to a person, a space or a memory, so that one added later is not missed.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter
from typing import Any, Self
from uuid import UUID

from django.db import connection
from psycopg import sql

from memory_app.engine.erasure.row_counts import CombinedChanges, RowCounts, blank_rows, delete_rows
from memory_app.engine.erasure.traces import like_pattern
from memory_app.engine.segments import lock_segments
from memory_app.engine.transfer.export import MODELS_OF_LINES
from memory_app.models import Person
from memory_app.models.segment import KINDS

_ID_TABLES_SQL = """
    SELECT relation.relname, array_agg(attribute.attname::text)
    FROM pg_class AS relation JOIN pg_attribute AS attribute ON attribute.attrelid = relation.oid
    JOIN pg_type AS type ON type.oid = attribute.atttypid
    WHERE relation.relnamespace = current_schema()::regnamespace AND relation.relkind IN ('r', 'p')
        AND NOT relation.relispartition AND NOT attribute.attisdropped AND attribute.attnum > 0 AND typname = 'uuid'
    GROUP BY relation.relname ORDER BY 1
"""
_REFERENCES_SQL = """
    SELECT child.relname, parent.relname
    FROM pg_constraint AS reference
    JOIN pg_class AS child ON child.oid = reference.conrelid JOIN pg_class AS parent ON parent.oid = reference.confrelid
    WHERE reference.contype = 'f' AND child.oid <> parent.oid AND NOT child.relispartition
        AND child.relnamespace = current_schema()::regnamespace
"""

RECORD_TABLES = ("erasure", "tombstone")
"""They tell of what is gone, and stay."""

NAME_COLUMNS = (("dashboard_user", "username"), ("api_key", "name"), ("space", "name"), ("channel", "name"))
"""Columns of names that someone chose, and that may be, or hold, the name of a person."""

BLANK_KEY_SQL = """
    people = array_replace(people, %(name)s::varchar, ''),
    revoked_at = CASE WHEN id IN (SELECT key_id FROM oauth_authorization) THEN coalesce(revoked_at, now())
        ELSE revoked_at END
"""
"""Assistants that signed in for them are ended."""
TOKENS_OF_PERSON_SQL = "data->>'key' IN (SELECT id::text FROM api_key WHERE %(name)s = ANY(people))"

SPACES_SQL = " UNION ".join(f"SELECT space_id FROM {kind} WHERE person_id = %(person)s" for kind in KINDS)
MEMORY_IDS_SQL = "SELECT id FROM memory WHERE person_id = %(person)s"
HOLDS_MEMORY_SQL = (
    "EXISTS (SELECT FROM jsonb_array_elements({column}) item"
    " WHERE (item->>{key})::uuid IN (SELECT id FROM memory WHERE person_id = %(person)s))"
)
OUTSIDE_HOME_SQL = sql.SQL("space_id <> %(home)s AND ({})")
DELETE_SOME_SQL = sql.SQL(
    "DELETE FROM {table} WHERE (space_id, id) IN"
    " (SELECT space_id, id FROM {table} WHERE space_id = %(home)s LIMIT %(most)s)"
)


@dataclass(frozen=True)
class RowsOfPerson:
    """The rows of one person, whose own space is `home`. Expects `every_space()` in every method."""

    person: UUID
    home: UUID
    name: str = ""

    @classmethod
    def of(cls, person: Person) -> Self:
        return cls(person.id, person.space_id, person.name)

    @cached_property
    def conditions(self) -> Mapping[str, sql.Composable]:
        """Which rows of each table are theirs; what refers to others before what it refers to."""
        tables = tables_with_ids()
        tied = {table for table, columns in tables.items() if "space_id" in columns} - {"person"}
        return {table: _rows_condition(tables[table]) for table in _children_first(tied)}

    @property
    def params(self) -> dict[str, Any]:
        return {"person": self.person, "home": self.home, "name": self.name, "id": str(self.person)}

    def count(self) -> Counter[str]:
        """Counted before anything goes: a row that goes with the one it belongs to is not counted by a DELETE."""
        row_counts = RowCounts()
        for table, condition in self.conditions.items():
            row_counts.count(table, condition, self.params)
        return row_counts.removed

    def remove(self) -> None:
        """All that is theirs, but for the person and their space."""
        self._lock_segments()
        self._delete(self.conditions)

    def remove_outside_home(self) -> None:
        """What of theirs is in spaces that others are in."""
        self._lock_segments()
        self._delete({table: OUTSIDE_HOME_SQL.format(condition) for table, condition in self.conditions.items()})

    def remove_some(self, most: int) -> int:
        """Up to so many rows of their own space, of the first table that has any; returns how many."""
        for table in self._large:
            statement = DELETE_SOME_SQL.format(table=sql.Identifier(table))
            if gone := _execute(statement, {**self.params, "most": most}):
                return gone
        return 0

    def remove_references(self, row_counts: RowCounts) -> None:
        """Answers, briefs and searches of others in which a memory of theirs was shown; what else knows the name."""
        shown = f"memory_ids && ARRAY({MEMORY_IDS_SQL}) OR response::text LIKE %(named)s"
        named = f'%"person": {like_pattern(json.dumps(self.name, ensure_ascii=False))}%'
        in_items = HOLDS_MEMORY_SQL.format(column="items", key="'memory'")
        in_found = HOLDS_MEMORY_SQL.format(column="found", key="1")
        changes = [
            delete_rows("idempotency", shown),
            blank_rows("receipt", "items = '[]'", f"person_id <> %(person)s AND {in_items}"),
            delete_rows("search", f"person_id <> %(person)s AND {in_found}"),
            delete_rows("job_run", "subject IN (%(name)s, %(id)s)"),
            blank_rows("person", "merged_into = NULL", "merged_into = %(person)s"),
            blank_rows("dashboard_user", "person_id = NULL", "person_id = %(person)s"),
            delete_rows("allauth_idp_oidc_token", TOKENS_OF_PERSON_SQL),
            # A key for them alone is one for nobody: with no name left in it, it would be one for everyone.
            blank_rows("api_key", BLANK_KEY_SQL, "%(name)s = ANY(people)"),
        ]
        row_counts.apply(CombinedChanges(changes), {**self.params, "named": named})

    def remove_person(self, row_counts: RowCounts) -> None:
        """The person and their space, when nothing refers to them any more."""
        changes = [delete_rows("person", "id = %(person)s"), delete_rows("space", "id = %(home)s")]
        row_counts.apply(CombinedChanges(changes), self.params)

    def names_containing_name(self, display_name: str) -> dict[str, int]:
        """Rows by "table.column" in which a login, a key, a space or a channel is called by their name: these are
        others' to rename."""
        patterns = [re.escape(name) for name in (self.name, display_name) if name]
        whole = re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE)
        counts: dict[str, int] = {}
        for table, column in NAME_COLUMNS:
            names = _matching_values(
                table, column, [f"%{like_pattern(name)}%" for name in (self.name, display_name) if name]
            )
            if rows := sum(1 for name in names if whole.search(name)):
                counts[f"{table}.{column}"] = rows
        return counts

    def write_tombstones(self, erasure: UUID) -> None:
        """A tombstone for each of their memories, and of what else an export holds."""
        statement = sql.SQL("INSERT INTO tombstone SELECT id, %(erasure)s FROM {} WHERE {} ON CONFLICT DO NOTHING")
        for table in ("memory", *(model._meta.db_table for model in MODELS_OF_LINES.values())):
            _execute(
                statement.format(sql.Identifier(table), self.conditions[table]), {**self.params, "erasure": erasure}
            )

    def _lock_segments(self) -> None:
        """Or what is packed just now would come into a segment after theirs are gone."""
        with connection.cursor() as cursor:
            cursor.execute(SPACES_SQL, self.params)
            spaces = {space for (space,) in cursor.fetchall()}
        for space in sorted(spaces | {self.home}):
            lock_segments(space)

    @cached_property
    def _large(self) -> list[str]:
        tables = tables_with_ids()
        return [table for table in self.conditions if "id" in tables[table]]

    def _delete(self, conditions: Mapping[str, sql.Composable]) -> None:
        for table, condition in conditions.items():
            _execute(sql.SQL("DELETE FROM {} WHERE {}").format(sql.Identifier(table), condition), self.params)


def tables_with_ids() -> dict[str, list[str]]:
    """Tables and their columns of ids, without those that tell of what is gone."""
    with connection.cursor() as cursor:
        cursor.execute(_ID_TABLES_SQL)
        return {table: list(columns) for table, columns in cursor.fetchall() if table not in RECORD_TABLES}


def find_ids(ids: Sequence[UUID]) -> tuple[dict[str, int], int]:
    """Rows that hold one of the ids, by "table.column"; and how many columns were looked through."""
    found: dict[str, int] = {}
    tables = tables_with_ids()
    for table, columns in tables.items():
        counts = [sql.SQL("count(*) FILTER (WHERE {} = ANY(%s))").format(sql.Identifier(name)) for name in columns]
        statement = sql.SQL("SELECT {} FROM {}").format(sql.SQL(", ").join(counts), sql.Identifier(table))
        with connection.cursor() as cursor:
            cursor.execute(statement, [list(ids)] * len(columns))
            counted = cursor.fetchone()
        found |= {f"{table}.{name}": rows for name, rows in zip(columns, counted, strict=True) if rows}
    return found, sum(len(columns) for columns in tables.values())


def _rows_condition(columns: Sequence[str]) -> sql.Composable:
    """The rows of a table that are theirs: in their own space, in their name, or of a memory of theirs."""
    parts = ["space_id = %(home)s"]
    if "person_id" in columns:
        parts.append("person_id = %(person)s")
    elif "memory_id" in columns:
        parts.append(f"memory_id IN ({MEMORY_IDS_SQL})")
    return sql.SQL(" OR ".join(parts))


def _children_first(tables: Iterable[str]) -> list[str]:
    """Memories last of all, for some tables are tied to a person by them alone, and by no reference."""
    ordered: TopologicalSorter[str] = TopologicalSorter(dict.fromkeys(sorted(tables), ()))
    with connection.cursor() as cursor:
        cursor.execute(_REFERENCES_SQL)
        for child, parent in cursor.fetchall():
            if child in tables and parent in tables:
                ordered.add(parent, child)
    return sorted(ordered.static_order(), key=lambda table: table == "memory")


def _matching_values(table: str, column: str, patterns: Sequence[str]) -> list[str]:
    statement = sql.SQL("SELECT {} FROM {} WHERE {} ILIKE ANY (%s)").format(
        sql.Identifier(column), sql.Identifier(table), sql.Identifier(column)
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [list(patterns)])
        return [value for (value,) in cursor.fetchall()]


def _execute(statement: sql.Composable, params: Mapping[str, Any]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        return int(cursor.rowcount)
