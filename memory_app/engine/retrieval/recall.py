"""Recall: find what is relevant to a question among what may be seen from a venue.

One pipeline over memories, turns and notes: the question read, the visible set's signals gathered in one statement,
fused, ordered, and read again by a reranker where there is one. What a score is made of is told with each result.
"""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.memories.find import attach_names
from memory_app.engine.retrieval.query import Kind, RecallQuery, Result
from memory_app.engine.retrieval.ranking_sql import MAX_CANDIDATES
from memory_app.engine.retrieval.rerank import MAX_RERANKED, rerank
from memory_app.engine.retrieval.signals import Candidates, gather_candidates
from memory_app.engine.venue_context import VenueContext
from memory_app.llm.reranker import configured_reranker
from memory_app.models import Memory, Note, Turn
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.queries.question import Question, read_question
from memory_app.postgres.fast.prepared_query import rows_by_id
from memory_app.rules.explain import explain
from memory_app.rules.fusion import Ranked, Statistics, fuse
from memory_app.rules.gate import relevant_rows

UNREAD_COLUMNS = ("embedding", "tsv")
"""What a row is found by: most of what it holds, and nobody reads it."""

METHODS_WITHOUT_VECTORS = frozenset({"text", "entity"})


@dataclass(frozen=True, slots=True)
class RecallResults:
    """What was found, best first. total_found counts what is relevant; the rest of the results ranks below it.
    search_method: the method asked for, and whether a reranker had the last word."""

    results: Sequence[Result]
    total_found: int
    search_method: str
    took_ms: float
    question: Question
    statistics: Statistics
    speakers_named: bool


def recall(*, venue_context: VenueContext, recall_query: RecallQuery, now: datetime, encoder: Encoder) -> RecallResults:
    """Finds what answers a question. Changes nothing: being recalled is recorded by `brief`."""
    started = time.perf_counter()
    person = venue_context.person
    question = read_question(recall_query.text, at=now, timezone=person.zone, language=person.language)
    vectors = _question_vectors(question, recall_query, encoder)
    reranker = configured_reranker(recall_query.rerank) if recall_query.method == "hybrid" else None
    limit = max(recall_query.limit, MAX_RERANKED) if reranker else recall_query.limit
    if not question.means_something:
        limit = MAX_CANDIDATES
    with allowed_spaces(venue_context.venue.spaces):
        candidates = gather_candidates(venue_context, recall_query, question, vectors, encoder.name, now)
        ranked, total = fuse(candidates.signals, candidates.statistics, question.periods, recall_query.method, limit)
        results = _load_results(candidates, ranked, venue_context, recall_query)
    if recall_query.method != "entity":  # which finds by names alone, and nothing else
        total = sum(relevant_rows(candidates.signals, candidates.statistics))
    if not question.means_something:
        results = [replace(result, relevant=True) for result in results if question.text.strip() in result.row.content]
        total = len(results)
    # After the transaction: a model may take seconds, and a connection is not to wait for it.
    reranked = rerank(results, recall_query.text, reranker, settings.KEEPSAKE_RERANK_SECONDS) if reranker else None
    return RecallResults(
        results=(reranked or results)[: recall_query.limit],
        total_found=total,
        search_method=recall_query.method if reranked is None else f"{recall_query.method}+rerank",
        took_ms=(time.perf_counter() - started) * 1000,
        question=question,
        statistics=candidates.statistics,
        speakers_named=candidates.speakers_named,
    )


def explain_result(result: Result, recall_results: RecallResults, timezone: ZoneInfo, now: datetime) -> str:
    """Why a result is there, in plain words."""
    reranked = any(share.signal == "rerank" for share in result.why)
    return explain(
        result.signals,
        recall_results.statistics,
        recall_results.question,
        now=now,
        timezone=timezone,
        reranked=reranked,
    )


def _question_vectors(question: Question, recall_query: RecallQuery, encoder: Encoder) -> Vectors | None:
    """Of the question, and of it without names; None where nothing is compared by meaning."""
    if recall_query.method in METHODS_WITHOUT_VECTORS or not question.text.strip():
        return None
    return encoder.queries([question.text, question.without_names])


def _load_results(
    candidates: Candidates, ranked: Sequence[Ranked], venue_context: VenueContext, recall_query: RecallQuery
) -> list[Result]:
    """The rows of what is shown, read at once for each kind."""
    kinds: tuple[Kind, ...] = ("memory", "turn", "note")
    rows = {place: row for kind in kinds for place, row in _load_rows(candidates, ranked, kind, venue_context).items()}
    are_relevant = relevant_rows(candidates.signals, candidates.statistics)
    return [
        Result(
            rows[candidates.places[item.place]],
            item.score,
            item.shares,
            candidates.signals[item.place],
            relevant=are_relevant[item.place] or recall_query.method == "entity",
        )
        for item in ranked
        if candidates.places[item.place] in rows
    ]


def load_memories(spaces: Collection[UUID], ids: Collection[UUID], venue_context: VenueContext) -> Sequence[Memory]:
    """The memories of these ids, each with its person, space and channel. Expects the venue's spaces to be allowed."""
    return attach_names(rows_by_id(Memory, spaces, ids, without=UNREAD_COLUMNS), venue_context)


def _load_rows(
    candidates: Candidates, ranked: Sequence[Ranked], kind: Kind, venue_context: VenueContext
) -> dict[tuple[UUID, UUID], Memory | Turn | Note]:
    places = [candidates.places[item.place] for item in ranked if candidates.kinds[item.place] == kind]
    if not places:
        return {}
    spaces, ids = {space for space, _ in places}, [identifier for _, identifier in places]
    if kind == "memory":
        return {(row.space_id, row.id): row for row in load_memories(spaces, ids, venue_context)}
    turns_or_notes: Sequence[Turn | Note] = rows_by_id(
        Turn if kind == "turn" else Note, spaces, ids, without=UNREAD_COLUMNS
    )
    return {(row.space_id, row.id): row for row in turns_or_notes}
