"""Gather the signals of each visible row for a question, in one statement.

All statistics (how many rows, how many hold a word, who speaks in them) are of the visible set: no other row can change
a result. Vectors are compared exactly, row by row. A large space may have an index of its own, which is asked only if
the asker sees all that it holds; which indexes there are is remembered for a minute.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Lock
from typing import Any
from uuid import UUID

from django.db import connection

from memory_app.embedding.vectors import Vectors
from memory_app.engine.retrieval.query import RecallQuery
from memory_app.engine.retrieval.ranking_sql import StatementForm, ranking_statement
from memory_app.engine.retrieval.visible_rows import visible_entities_sql, visible_rows_sql
from memory_app.engine.venue_context import VenueContext
from memory_app.models.vector_index import VectorIndex, existing_indexes
from memory_app.nlp.queries.question import Question, names_in_question
from memory_app.postgres.fast.binary_protocol import BinaryHalfVector, fetch_dicts
from memory_app.rules.fusion import Signals, Statistics
from memory_app.rules.visibility import Venue, Visibility, clauses

WORD_SLOT_STEP = 4
"""Questions of up to 4, 8, 12 … words share a statement, which the database plans once for a connection: planning takes
as long as answering over a thousand rows. 999 annotated questions were asked in 35 statements before, and a word that
is not there costs nothing that can be measured."""

NO_STATISTICS = Statistics(0, (), (), ())


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidates, best first by what the database could tell, and the statistics of the visible set."""

    kinds: Sequence[str] = ()
    signals: Sequence[Signals] = ()
    statistics: Statistics = NO_STATISTICS
    speakers_named: bool = False
    places: Sequence[tuple[UUID, UUID]] = ()


def gather_candidates(
    venue_context: VenueContext,
    recall_query: RecallQuery,
    question: Question,
    vectors: Vectors | None,
    model: str,
    now: datetime,
) -> Candidates:
    """The candidates for an answer. vectors: of the question, and of it without names. Expects the venue's scope."""
    if not recall_query.searchable_kinds:
        return _candidates_from_rows((), question, len(recall_query.sides))
    source, row_parameters = visible_rows_sql(venue_context.venue, recall_query, now)
    entity_names = names_in_question(question) if "memory" in recall_query.searchable_kinds else {}
    indexes = usable_indexes(venue_context.venue, recall_query, model) if vectors is not None else ()
    if indexes:
        search_indexes_deeply()
    statement = ranking_statement(
        source, replace(_statement_form(venue_context, question, recall_query, vectors, entity_names), near=indexes)
    )
    sides = {f"s{n}": " or ".join(words) for n, words in enumerate(recall_query.sides)}
    rows = fetch_dicts(
        statement, {**row_parameters, **sides, **_parameters(venue_context, question, vectors, model, entity_names)}
    )
    return _candidates_from_rows(rows, question, len(recall_query.sides))


def _statement_form(
    venue_context: VenueContext,
    question: Question,
    recall_query: RecallQuery,
    vectors: Vectors | None,
    entity_names: Mapping[str, int],
) -> StatementForm:
    """Memories count as said by their person: roles tell turns apart alone."""
    return StatementForm(
        words=len(_padded_words(question)),
        sides=len(recall_query.sides),
        meaning=vectors is not None,
        names=bool(question.names),
        times=bool(question.periods),
        roles="turn" in recall_query.searchable_kinds,
        vector_only=recall_query.method == "vector",
        text=recall_query.method == "text",
        entities=visible_entities_sql(venue_context.venue) if entity_names else "",
    )


def _padded_words(question: Question) -> tuple[str, ...]:
    """The words of a question, and empty ones after them."""
    return question.words + ("",) * (-len(question.words) % WORD_SLOT_STEP)


def _parameters(
    venue_context: VenueContext,
    question: Question,
    vectors: Vectors | None,
    model: str,
    entity_names: Mapping[str, int],
) -> dict[str, Any]:
    """All that a statement may name; which of them it does depends on its form."""
    words = {f"w{n}": word for n, word in enumerate(_padded_words(question))}
    periods = "{" + ",".join(f"[{start.isoformat()},{end.isoformat()})" for start, end in question.periods) + "}"
    parameters = {
        "language": venue_context.person.language,
        "names": [name.casefold() for name in question.names],
        "role": "assistant" if question.wants_assistant else "user",
        "periods": periods,
        "model": model,
        "called": list(entity_names),
        "called_bits": list(entity_names.values()),
    }
    if vectors is None:
        return {**words, **parameters}
    near = {
        "plain": vectors[0],
        "bare": vectors[1],
        "averaged": _average_vector(vectors) if question.names else vectors[0],
    }
    return {**words, **parameters, **{name: BinaryHalfVector(vector) for name, vector in near.items()}}


def _average_vector(vectors: Vectors) -> Vectors:
    """The question, and it without names, in one: who is asked about leads, but does not crowd out what is asked."""
    total = vectors[0] + vectors[1]
    length: float = float((total @ total) ** 0.5)
    averaged: Vectors = total / length if length else vectors[0]
    return averaged


def _candidates_from_rows(rows: Sequence[dict[str, Any]], question: Question, sides: int) -> Candidates:
    is_name = [word in question.names for word in _padded_words(question)] + [False] * sides
    if not rows:
        return Candidates(statistics=Statistics(0, [0.0] * len(is_name), [False] * len(is_name), is_name))
    first = rows[0]
    return Candidates(
        kinds=[row["kind"] for row in rows],
        signals=[_signals_of_row(row) for row in rows],
        statistics=Statistics(
            first["n"],
            first["holding"],
            [nodes > 0 for nodes in first["nodes"]],
            is_name,
            known=first["known"],
            sides=sides,
            average=first["average"],
        ),
        speakers_named=bool(first["speakers_named"]),
        places=[(row["space_id"], row["id"]) for row in rows],
    )


def _signals_of_row(row: dict[str, Any]) -> Signals:
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
        linked=row["linked"],
        replaced_by=row["replaced_by"],
        superseded=row["superseded"],
        part=row["part"],
        often=[times or 0.0 for times in row["often"] or ()],
    )


CACHE_SECONDS = 60.0
"""One that is gone meanwhile costs time, not results: its rows are then compared exactly."""

ROWS_EXAMINED = 400
"""Rows that the index looks at (hnsw.ef_search), twice as many as leave it: recall@10 came to .99 and more."""

FULLY_SHARED = (Visibility.SPACE, Visibility.EVERYONE)


class _IndexCache:
    """What the catalogue said last."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.until = 0.0
        self.indexes: Sequence[VectorIndex] = ()


_index_cache = _IndexCache()


def usable_indexes(venue: Venue, recall_query: RecallQuery, model: str) -> tuple[VectorIndex, ...]:
    """Those of which the asker sees every row, for a question that is narrowed by nothing: what an index finds and a
    condition then drops would be missing."""
    if recall_query.filters or recall_query.since or recall_query.until or recall_query.as_of:
        return ()
    fully_visible = {
        space
        for clause in clauses(venue)
        if clause.visibility in FULLY_SHARED and clause.owner is None and clause.channel is None
        for space in clause.spaces
    }
    return tuple(
        index
        for index in _known_indexes()
        if index.space in fully_visible and index.model == model and index.table in recall_query.searchable_kinds
    )


def forget_indexes() -> None:
    """Has the catalogue asked again."""
    _index_cache.until = 0.0


def search_indexes_deeply() -> None:
    """Has the indexes look at enough rows, for the rest of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL hnsw.ef_search = {ROWS_EXAMINED}")


def _known_indexes() -> Sequence[VectorIndex]:
    with _index_cache.lock:
        if time.monotonic() >= _index_cache.until:
            _index_cache.indexes = existing_indexes()
            _index_cache.until = time.monotonic() + CACHE_SECONDS
        return _index_cache.indexes
