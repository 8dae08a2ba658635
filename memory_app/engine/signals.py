"""What speaks for each visible row, gathered in one statement over the rows that someone may see.

All statistics (how many rows, how many hold a word, who speaks in them) are of the visible set: no other row can
change a result. Vectors are compared exactly, row by row: no shared index is ever asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import connection
from django.db.models import BooleanField, CharField, Expression, ExpressionWrapper, F, Q, UUIDField, Value
from django.db.models.functions import Cast, Coalesce
from pgvector import HalfVector

from ..embedding.vectors import Vectors
from ..models import Memory, Turn
from ..rules import fusion
from ..rules.fusion import Signals, Statistics
from ..rules.question import Question
from .enter import Entered

if TYPE_CHECKING:
    from .recall import Asked

CANDIDATES = 200
"""Rows that leave the database for fusion: with the best 60, recall@10 was measured .003 lower."""

COLUMNS = (
    *("kind", "space_id", "id", "embedding", "embedding_model", "tsv", "words", "said_by", "said_as", "said_at"),
    *("session", "place", "superseded", "replaced_by", "asks"),
)


NOTHING = Statistics(0, (), (), ())


@dataclass(frozen=True, slots=True)
class Gathered:
    """The candidates, best first by what the database could tell, and the statistics of the visible set."""

    kinds: Sequence[str] = ()
    signals: Sequence[Signals] = ()
    statistics: Statistics = NOTHING
    speakers_named: bool = False
    places: Sequence[tuple[UUID, UUID]] = ()


def gather(
    entered: Entered, asked: "Asked", question: Question, vectors: Vectors | None, model: str, now: datetime
) -> Gathered:
    """The candidates for an answer. vectors: of the question, and of it without names. Expects the venue's scope."""
    source = " UNION ALL ".join(_source(kind, entered, asked, now) for kind in asked.kinds)
    with connection.cursor() as cursor:
        cursor.execute(
            _statement(source, len(question.words)),
            _parameters(entered, question, vectors, model, asked),
        )
        columns = [column.name for column in cursor.description or ()]
        rows = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
    return _gathered(rows, question)


def _source(kind: str, entered: Entered, asked: "Asked", now: datetime) -> str:
    """The visible rows of one kind, as SQL with its parameters bound."""
    rows = _visible_turns(entered, asked) if kind == "turn" else _visible_memories(entered, asked, now)
    sql, params = rows.values(*COLUMNS).query.sql_with_params()
    bound: str = connection.ops.compose_sql(sql, params)  # type: ignore[attr-defined]
    return bound.replace("%", "%%")


def _visible_memories(entered: Entered, asked: "Asked", now: datetime) -> Any:
    rows = Memory.objects.kept().visible_from(entered.venue).valid(asked.as_of, now)
    if asked.types:
        rows = rows.filter(type__in=asked.types)
    annotated = rows.annotate(
        kind=Value("memory"),
        said_by=F("source_speaker"),
        said_as=Value("user"),
        said_at=Coalesce("event_time", "created_at"),
        session=Cast("event_time", CharField()),
        place=F("position"),
        replaced_by=F("superseded_by"),
        superseded=_is(Q(status="superseded") if asked.as_of is None else None),
        asks=_asks(),
    )
    return _between(annotated, asked)


def _visible_turns(entered: Entered, asked: "Asked") -> Any:
    rows = Turn.objects.spoken().visible_from(entered.venue)
    rows = rows.annotate(
        kind=Value("turn"),
        said_by=F("speaker"),
        said_as=F("role"),
        said_at=F("spoken_at"),
        session=Cast("conversation_id", CharField()),
        place=F("position"),
        replaced_by=Value(None, output_field=UUIDField()),
        superseded=_is(None),
        asks=_asks(),
    )
    return _between(rows, asked)


def _asks() -> Expression:
    return _is(Q(content__endswith="?") | Q(content__endswith="？"))


def _is(condition: Q | None) -> Expression:
    """A condition as a column; None is never."""
    if condition is None:
        return Value(False)
    return ExpressionWrapper(condition, output_field=BooleanField())


def _between(rows: Any, asked: "Asked") -> Any:
    if asked.since:
        rows = rows.filter(said_at__gte=asked.since)
    if asked.until:
        rows = rows.filter(said_at__lt=asked.until)
    return rows


def _statement(source: str, words: int) -> str:
    """The statement for a question of so many words. Its constants are those of `rules.fusion`."""
    bits = range(words)
    queries = ", ".join(f"plainto_tsquery(%(language)s::regconfig, %(w{n})s) q{n}" for n in bits) or "1 AS none"
    either = " || ".join(f"q{n}" for n in bits)
    each = " + ".join(f"(visible.tsv @@ (SELECT q{n} FROM asked))::int * {1 << n}" for n in bits)
    matched = f"CASE WHEN visible.tsv @@ (SELECT {either} FROM asked) THEN {each} ELSE 0 END" if words else "0"
    holding = ", ".join(f"coalesce(sum(k) FILTER (WHERE matched & {1 << n} <> 0), 0)::float8 d{n}" for n in bits)
    weight = [f"ln(1 + (n - d{n} + 0.5::float8) / (d{n} + 0.5::float8))" for n in bits]
    covered = " + ".join(f"CASE WHEN matched & {1 << n} <> 0 THEN {weight[n]} ELSE 0 END" for n in bits) or "0"
    askable = " + ".join(f"CASE WHEN d{n} > 0 THEN {weight[n]} ELSE 0 END" for n in bits) or "0"
    return f"""
WITH asked AS MATERIALIZED (SELECT {queries}),
visible AS NOT MATERIALIZED ({source}),
named AS MATERIALIZED (
    SELECT array_agg(DISTINCT lower(split_part(said_by, ' ', 1))) names FROM visible
    WHERE lower(split_part(said_by, ' ', 1)) = ANY(%(names)s::text[])
),
seen AS MATERIALIZED (
    SELECT kind, space_id, id, words, superseded,
        CASE WHEN embedding_model = %(model)s THEN
            -(embedding <#> (
                SELECT CASE WHEN names IS NULL THEN %(plain)s::halfvec ELSE %(averaged)s::halfvec END FROM named
            ))
        END AS cosine,
        {matched} AS matched,
        coalesce(lower(split_part(said_by, ' ', 1)) = ANY((SELECT names FROM named)::text[]), false) AS speaker_named,
        said_as = %(role)s AS from_wanted_role,
        coalesce(said_at <@ %(periods)s::tstzmultirange, false) AS in_time
    FROM visible
),
masks AS MATERIALIZED (SELECT matched, count(*)::float8 k FROM seen GROUP BY matched),
holding AS MATERIALIZED (SELECT coalesce(sum(k), 0)::float8 n {", " + holding if words else ""} FROM masks),
covers AS MATERIALIZED (
    SELECT matched, ({covered})::float8 / greatest(({askable})::float8, 1e-9) AS cover FROM masks, holding
),
best AS MATERIALIZED (
    SELECT seen.*,
        {fusion.MEANING} * least(greatest((coalesce(cosine, 0) - {fusion.COSINE_FLOOR}) / {fusion.COSINE_SPAN}, 0), 1)
        + {fusion.WORDS} * cover / (1 + ln(greatest(words / {fusion.LONG}.0::float8, 1)))
        + {fusion.SPEAKER} * speaker_named::int + {fusion.TIME} * in_time::int + {fusion.ROLE} * from_wanted_role::int
        AS base
    FROM seen JOIN covers USING (matched)
    ORDER BY base DESC, id DESC LIMIT %(candidates)s
)
SELECT best.kind, best.space_id, best.id, best.cosine, best.matched, best.words, best.speaker_named,
    best.from_wanted_role, best.superseded, visible.said_at, visible.session, visible.place, visible.replaced_by,
    visible.asks,
    CASE WHEN best.cosine IS NOT NULL THEN -(visible.embedding <#> %(bare)s::halfvec) END AS bare_cosine,
    (SELECT n FROM holding) AS n,
    (SELECT ARRAY[{", ".join(f"d{n}" for n in bits)}]::float8[] FROM holding) AS holding,
    (SELECT ARRAY[{", ".join(f"numnode(q{n})" for n in bits)}]::int[] FROM asked) AS nodes,
    (SELECT names IS NOT NULL FROM named) AS speakers_named
FROM best JOIN visible USING (kind, space_id, id)
ORDER BY base DESC, id DESC
"""


def _parameters(
    entered: Entered, question: Question, vectors: Vectors | None, model: str, asked: "Asked"
) -> dict[str, Any]:
    plain, bare = (None, None) if vectors is None else (vectors[0], vectors[1])
    return {
        **{f"w{n}": word for n, word in enumerate(question.words)},
        "language": entered.person.language,
        "names": [name.casefold() for name in question.names],
        "model": model if vectors is not None else "",
        "plain": _text(plain),
        "bare": _text(bare),
        "averaged": None if vectors is None else _text(_averaged(vectors)),
        "role": "assistant" if question.wants_assistant else "user",
        "periods": "{" + ",".join(f"[{start.isoformat()},{end.isoformat()})" for start, end in question.periods) + "}",
        "candidates": CANDIDATES,
    }


def _averaged(vectors: Vectors) -> Vectors:
    """The question, and it without names, in one: who is asked about leads, but does not crowd out what is asked."""
    total = vectors[0] + vectors[1]
    length: float = float((total @ total) ** 0.5)
    averaged: Vectors = total / length if length else vectors[0]
    return averaged


def _text(vector: Vectors | None) -> str | None:
    return None if vector is None else str(HalfVector(vector).to_text())


def _gathered(rows: Sequence[dict[str, Any]], question: Question) -> Gathered:
    if not rows:
        empty = [0.0] * len(question.words)
        return Gathered(statistics=Statistics(0, empty, [False] * len(empty), _is_name(question)))
    first = rows[0]
    return Gathered(
        kinds=[row["kind"] for row in rows],
        signals=[_signals(row) for row in rows],
        statistics=Statistics(
            first["n"], first["holding"], [nodes > 0 for nodes in first["nodes"]], _is_name(question)
        ),
        speakers_named=bool(first["speakers_named"]),
        places=[(row["space_id"], row["id"]) for row in rows],
    )


def _is_name(question: Question) -> list[bool]:
    return [word in question.names for word in question.words]


def _signals(row: dict[str, Any]) -> Signals:
    return Signals(
        id=row["id"],
        cosine=row["cosine"],
        bare_cosine=row["bare_cosine"],
        matched=row["matched"],
        words=row["words"] or 0,
        session=(row["kind"], row["session"] or row["id"]),
        position=row["place"],
        speaker_named=row["speaker_named"],
        from_wanted_role=row["from_wanted_role"],
        said_at=row["said_at"],
        asks=row["asks"],
        replaced_by=row["replaced_by"],
        superseded=row["superseded"],
    )
