"""What speaks for each visible row, gathered in one statement: closeness in meaning and words in common.

All statistics (how many rows, how many hold a word) are of the visible set: nothing else may change a score.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from django.db import connection
from pgvector import HalfVector

from ..embedding.vectors import Vectors
from ..models import Memory
from ..models.memory import MemoryQuerySet
from ..rules.fusion import Signals
from .enter import Entered
from .locate import WITH_NAMES

if TYPE_CHECKING:
    from .recall import Asked

CANDIDATES = 200
"""Rows that leave the database for fusion: from the best 50 of each signal, recall@10 was measured unchanged."""

MOST_TERMS = 32
"""Distinct words of a question that are looked for; a longer one is a text, whose meaning the vector carries."""

COLUMNS = ("space_id", "id", "tsv", "embedding", "embedding_model")

STATEMENT = """
WITH visible AS ({visible}),
scored AS MATERIALIZED (
    SELECT space_id, id,
        CASE WHEN embedding_model = %(model)s THEN -(embedding <#> %(vector)s::halfvec) END AS cosine,
        CASE WHEN tsv @@ %(any)s::tsquery THEN ARRAY[{ranks}]::real[] END AS hits
    FROM visible
),
counted AS (
    SELECT ARRAY[{idf}]::float[] AS idf, count(*) AS total FROM scored
),
texted AS (
    SELECT scored.*, counted.total,
        (SELECT sum(hit * weight) FROM unnest(hits, counted.idf) AS term (hit, weight)) AS text
    FROM scored, counted
)
SELECT space_id, id, cosine, text, total, max(text) OVER () AS best_text
FROM texted
WHERE {wanted}
ORDER BY coalesce(cosine, 0) + coalesce(text / nullif(max(text) OVER (), 0), 0) DESC, id DESC
LIMIT %(candidates)s
"""


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate: the row and what speaks for it."""

    kind: Literal["memory", "turn"]
    row: Memory
    signals: Signals


def find(entered: Entered, asked: "Asked", vector: Vectors | None, model: str, now: datetime) -> list[Found]:
    """The candidates for an answer, in no particular order. Expects the venue's scope."""
    rows = _candidates(_visible(entered, asked, now), asked, vector, model, entered.person.language)
    loaded = Memory.objects.select_related(*WITH_NAMES).filter(
        space_id__in=entered.venue.spaces, id__in=[row[1] for row in rows]
    )
    memories = {memory.id: memory for memory in loaded}
    return [
        Found("memory", memories[identifier], Signals(cosine=cosine or 0.0, text=(text or 0.0) / (best or 1.0)))
        for _, identifier, cosine, text, _, best in rows
        if identifier in memories
    ]


def _visible(entered: Entered, asked: "Asked", now: datetime) -> MemoryQuerySet:
    rows = Memory.objects.current(now).visible_from(entered.venue)
    if asked.types:
        rows = rows.filter(type__in=asked.types)
    if asked.since:
        rows = rows.filter(created_at__gte=asked.since)
    if asked.until:
        rows = rows.filter(created_at__lt=asked.until)
    return rows


def _candidates(
    visible: MemoryQuerySet, asked: "Asked", vector: Vectors | None, model: str, language: str
) -> list[tuple[Any, ...]]:
    terms = _lexemes(asked.query, language)
    sql, params = visible.values(*COLUMNS).annotate(**{}).query.sql_with_params()
    with connection.cursor() as cursor:
        bound = cursor.mogrify(sql, params) if hasattr(cursor, "mogrify") else _bound(cursor, sql, params)
        statement = STATEMENT.format(
            visible=bound.replace("%", "%%"),
            ranks=", ".join(f"ts_rank('{{1,1,1,1}}', tsv, %(t{n})s::tsquery)" for n in range(len(terms))),
            idf=", ".join(
                f"ln(1 + (count(*) - count(*) FILTER (WHERE hits[{n}] > 0) + 0.5)"
                f" / (count(*) FILTER (WHERE hits[{n}] > 0) + 0.5))"
                for n in range(1, len(terms) + 1)
            ),
            wanted="text > 0" if asked.method == "text" else "cosine IS NOT NULL OR text > 0",
        )
        values: dict[str, Any] = {f"t{n}": _quoted(term) for n, term in enumerate(terms)}
        values |= {
            "vector": HalfVector(vector).to_text() if vector is not None else None,
            "model": model if vector is not None else "",
            "any": " | ".join(_quoted(term) for term in terms),
            "candidates": CANDIDATES,
        }
        cursor.execute(statement, values)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


def _bound(cursor: Any, sql: str, params: Any) -> str:
    statement: str = cursor.cursor.mogrify(sql, params)
    return statement


def _lexemes(query: str, language: str) -> list[str]:
    """The distinct lexemes of a question, as the database makes them of the rows."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tsvector_to_array(to_tsvector(%s::regconfig, %s))", [language, query])
        found: list[str] = cursor.fetchone()[0]
    return found[:MOST_TERMS]


def _quoted(lexeme: str) -> str:
    """A lexeme as a tsquery of itself, whatever characters it holds."""
    escaped = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"
