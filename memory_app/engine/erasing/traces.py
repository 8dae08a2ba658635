"""Traces: where in the database some texts can still be read, column by column; and which tables refer to memories.

Tables and columns are found in the catalogue, so that one added later is searched without being listed anywhere.
"""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from django.db import connection
from psycopg import sql

FEWEST_WORDS, FEWEST_CHARACTERS = 3, 20
"""A text of fewer words, and of fewer characters, is looked for as a whole value: "Birthday" is a part of anything."""

SEARCHED_AT_ONCE = 50_000
"""Rows of the whole database up to which an erasure searches for traces before it answers: about 0.1 s. Beyond, it is
done afterwards, for the words are nowhere else by then."""

WHAT_WAS_SAID = frozenset({"turn.content", "note.content"})
"""Columns that hold someone's own words, from which a memory may have been taken: they are not the memory's."""

_COLUMNS = """
    SELECT relation.relname, attribute.attname, type.typname
    FROM pg_class AS relation
    JOIN pg_attribute AS attribute ON attribute.attrelid = relation.oid
    JOIN pg_type AS type ON type.oid = attribute.atttypid
    WHERE relation.relnamespace = current_schema()::regnamespace AND relation.relkind IN ('r', 'p')
        AND NOT relation.relispartition AND attribute.attnum > 0 AND NOT attribute.attisdropped
        AND type.typname IN ('text', 'varchar', 'bpchar', 'json', 'jsonb', '_text', '_varchar')
    ORDER BY 1, 2
"""


@dataclass(frozen=True, slots=True)
class Traces:
    """Rows in which the texts can be read, by "table.column". said: in what someone said or noted; left: elsewhere."""

    said: dict[str, int] = field(default_factory=dict)
    left: dict[str, int] = field(default_factory=dict)
    searched: int = 0


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts to look for, as patterns: in plain columns; in JSON, where they are written with escapes; and in lists,
    where a short one would only be a keyword."""

    plain: list[str]
    quoted: list[str]
    listed: list[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Texts":
        distinct = sorted({text.strip() for text in texts} - {""})
        long = [_quoted(text) for text in distinct if not _is_short(text)]
        return cls(
            plain=[pattern(text) if _is_short(text) else f"%{pattern(text)}%" for text in distinct],
            quoted=[*long, *(_quoted(text, '"') for text in distinct if _is_short(text))],
            listed=long,
        )

    @property
    def params(self) -> dict[str, list[str]]:
        return {"plain": self.plain, "quoted": self.quoted, "listed": self.listed}


def holds(column: str, kind: str = "text") -> sql.Composable:
    """The condition that a column holds one of the texts, whatever their case. kind: the name of its type."""
    name = sql.Identifier(column)
    if kind in ("json", "jsonb"):
        return sql.SQL("lower({}::text) LIKE ANY (SELECT lower(t) FROM unnest(%(quoted)s::text[]) t)").format(name)
    if kind.startswith("_"):
        listed = "lower(to_jsonb({})::text) LIKE ANY (SELECT lower(t) FROM unnest(%(listed)s::text[]) t)"
        return sql.SQL(listed).format(name)
    return sql.SQL("lower({}) LIKE ANY (SELECT lower(t) FROM unnest(%(plain)s::text[]) t)").format(name)


def traces(texts: Texts) -> Traces:
    """Reads every text column of every table once. Expects `every_space()`."""
    columns = _columns()
    if not texts.plain:
        return Traces(searched=sum(len(of_table) for of_table in columns.values()))
    found = {place: rows for table, of_table in columns.items() for place, rows in _search(table, of_table, texts)}
    return Traces(
        said={place: rows for place, rows in found.items() if place in WHAT_WAS_SAID},
        left={place: rows for place, rows in found.items() if place not in WHAT_WAS_SAID},
        searched=sum(len(of_table) for of_table in columns.values()),
    )


def about_rows_in_all(now: datetime) -> int:
    """About how many rows there are, as the planner believed within the last minute."""
    return _rows_in_all(int(now.timestamp()) // 60)


@lru_cache(maxsize=1)
def _rows_in_all(_minute: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(sum(greatest(reltuples, 0)), 0)::bigint FROM pg_class"
            " WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
        )
        counted: int = cursor.fetchone()[0]
    return counted


def _columns() -> dict[str, list[tuple[str, str]]]:
    tables: dict[str, list[tuple[str, str]]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_COLUMNS)
        for table, column, kind in cursor.fetchall():
            tables.setdefault(table, []).append((column, kind))
    return tables


def _search(table: str, columns: Collection[tuple[str, str]], texts: Texts) -> list[tuple[str, int]]:
    counts = [sql.SQL("count(*) FILTER (WHERE {})").format(holds(column, kind)) for column, kind in columns]
    statement = sql.SQL("SELECT {} FROM {}").format(sql.SQL(", ").join(counts), sql.Identifier(table))
    with connection.cursor() as cursor:
        cursor.execute(statement, texts.params)
        counted = cursor.fetchone()
    return [(f"{table}.{column}", rows) for (column, _), rows in zip(columns, counted, strict=True) if rows]


def _is_short(text: str) -> bool:
    return len(text.split()) < FEWEST_WORDS and len(text) < FEWEST_CHARACTERS


def _quoted(text: str, around: str = "") -> str:
    """The pattern of a text as it stands in JSON."""
    return f"%{around}{pattern(json.dumps(text, ensure_ascii=False)[1:-1])}{around}%"


def pattern(text: str) -> str:
    """The text as a LIKE pattern that means it alone."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
