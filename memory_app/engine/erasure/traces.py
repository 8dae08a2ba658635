"""Search the whole database for erased words, column by column, and say where they can still be read.

Tables and columns are found in the catalogue, so that one added later is searched too. A search that takes long goes on
after the erasure was answered: its words are kept encrypted until it is done, and a killed process is taken over from.
"""

import json
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import lru_cache
from threading import Lock
from uuid import UUID

from django.db import connection, transaction
from psycopg import sql

from memory_app.encryption import decrypt, encrypt
from memory_app.engine.erasure.erasure_receipt import sign_erasure
from memory_app.engine.erasure.tombstone_file import append_erasures
from memory_app.engine.segments import segments_with
from memory_app.models import Erasure
from memory_app.models.row_security import every_space

MIN_WORDS, MIN_CHARACTERS = 3, 20
"""A text of fewer words, and of fewer characters, is looked for as a whole value: "Birthday" is a part of anything."""

MAX_ROWS_SEARCHED_AT_ONCE = 50_000
"""Rows of the whole database up to which an erasure searches for traces before it answers: about 0.1 s. Beyond, it is
done afterwards, for the words are nowhere else by then."""

SPEECH_COLUMNS = frozenset({"turn.content", "note.content"})
"""Columns that hold someone's own words, from which a memory may have been taken: they are not the memory's."""

_TEXT_COLUMNS_SQL = """
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
class TraceCounts:
    """Rows in which the texts can be read, by "table.column". in_speech: in what someone said or noted."""

    in_speech: dict[str, int] = field(default_factory=dict)
    elsewhere: dict[str, int] = field(default_factory=dict)
    searched: int = 0


@dataclass(frozen=True, slots=True)
class SearchTexts:
    """Texts to look for, as patterns: in plain columns; in JSON, where they are written with escapes; and in lists,
    where a short one would only be a keyword."""

    plain: list[str]
    quoted: list[str]
    listed: list[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> "SearchTexts":
        distinct = sorted({text.strip() for text in texts} - {""})
        long = [_json_pattern(text) for text in distinct if not _is_short(text)]
        return cls(
            plain=[like_pattern(text) if _is_short(text) else f"%{like_pattern(text)}%" for text in distinct],
            quoted=[*long, *(_json_pattern(text, '"') for text in distinct if _is_short(text))],
            listed=long,
        )

    @property
    def params(self) -> dict[str, list[str]]:
        return {"plain": self.plain, "quoted": self.quoted, "listed": self.listed}


def contains_text(column: str, kind: str = "text") -> sql.Composable:
    """The condition that a column holds one of the texts, whatever their case. kind: the name of its type."""
    name = sql.Identifier(column)
    if kind in ("json", "jsonb"):
        return sql.SQL("lower({}::text) LIKE ANY (SELECT lower(t) FROM unnest(%(quoted)s::text[]) t)").format(name)
    if kind.startswith("_"):
        listed = "lower(to_jsonb({})::text) LIKE ANY (SELECT lower(t) FROM unnest(%(listed)s::text[]) t)"
        return sql.SQL(listed).format(name)
    return sql.SQL("lower({}) LIKE ANY (SELECT lower(t) FROM unnest(%(plain)s::text[]) t)").format(name)


def find_traces(texts: SearchTexts) -> TraceCounts:
    """Reads every text column of every table once. Expects `every_space()`."""
    columns = _text_columns()
    if not texts.plain:
        return TraceCounts(searched=sum(len(of_table) for of_table in columns.values()))
    found = {
        place: rows for table, of_table in columns.items() for place, rows in _search_table(table, of_table, texts)
    }
    return TraceCounts(
        in_speech={place: rows for place, rows in found.items() if place in SPEECH_COLUMNS},
        elsewhere={place: rows for place, rows in found.items() if place not in SPEECH_COLUMNS},
        searched=sum(len(of_table) for of_table in columns.values()),
    )


def estimated_row_count(now: datetime) -> int:
    """About how many rows there are, as the planner believed within the last minute."""
    return _row_count(int(now.timestamp()) // 60)


@lru_cache(maxsize=1)
def _row_count(_minute: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(sum(greatest(reltuples, 0)), 0)::bigint FROM pg_class"
            " WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
        )
        counted: int = cursor.fetchone()[0]
    return counted


def _text_columns() -> dict[str, list[tuple[str, str]]]:
    tables: dict[str, list[tuple[str, str]]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_TEXT_COLUMNS_SQL)
        for table, column, kind in cursor.fetchall():
            tables.setdefault(table, []).append((column, kind))
    return tables


def _search_table(table: str, columns: Collection[tuple[str, str]], texts: SearchTexts) -> list[tuple[str, int]]:
    counts = [sql.SQL("count(*) FILTER (WHERE {})").format(contains_text(column, kind)) for column, kind in columns]
    statement = sql.SQL("SELECT {} FROM {}").format(sql.SQL(", ").join(counts), sql.Identifier(table))
    with connection.cursor() as cursor:
        cursor.execute(statement, texts.params)
        counted = cursor.fetchone()
    return [(f"{table}.{column}", rows) for (column, _), rows in zip(columns, counted, strict=True) if rows]


def _is_short(text: str) -> bool:
    return len(text.split()) < MIN_WORDS and len(text) < MIN_CHARACTERS


def _json_pattern(text: str, around: str = "") -> str:
    """The pattern of a text as it stands in JSON."""
    return f"%{around}{like_pattern(json.dumps(text, ensure_ascii=False)[1:-1])}{around}%"


def like_pattern(text: str) -> str:
    """The text as a LIKE pattern that means it alone."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


PACKED_COLUMN = "segment.units"
"""Holds no words but hashes of them, and the ids of the rows that have them: it is searched by these."""

SEAL_PURPOSE = "words of erasures"

search_lock = Lock()
"""One after the other: each reads every table."""


def search_traces(erasure: Erasure, words: SearchTexts) -> None:
    """Writes into an erasure where the words can still be read. Expects `every_space()`."""
    left = find_traces(words)
    erasure.found, erasure.quoted, erasure.searched = left.elsewhere, left.in_speech, left.searched + 1
    if packed := sum(segments_with(erasure.of_space, row) for row in (erasure.subject, *map(UUID, erasure.derived))):
        erasure.found[PACKED_COLUMN] = packed


def seal_texts(words: SearchTexts) -> bytes:
    return encrypt(json.dumps(asdict(words)).encode(), SEAL_PURPOSE)


def search_sealed_texts(erasure: UUID) -> bool:
    """Searches for the words that an erasure sealed, and drops them; whether it did. One that another process is
    searching is left to that one."""
    with search_lock, every_space():
        rows = Erasure.objects.unsearched().select_for_update(skip_locked=True)
        found = rows.filter(id=erasure).first()
        if found is None or found.sought is None:
            return False
        words = _unseal_texts(bytes(found.sought))
        if words is not None:
            search_traces(found, words)
        found.sought = None
        sign_erasure(found).save()
        transaction.on_commit(lambda: append_erasures([found]), robust=True)
    return True


def _unseal_texts(sought: bytes) -> SearchTexts | None:
    """None where the secret key is another one by now."""
    words = decrypt(sought, SEAL_PURPOSE)
    return None if words is None else SearchTexts(**json.loads(words))
