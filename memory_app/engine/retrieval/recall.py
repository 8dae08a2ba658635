"""Recall: find what is relevant to a question among what may be seen from a venue.

One pipeline over memories, turns and notes: the question is read, the signals of all visible rows are gathered in one
statement and fused, and the best rows are loaded. A reranker, where one is set, reads these once more in limited time.
Each result says what its score is made of.
"""

import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from threading import BoundedSemaphore
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from django.conf import settings

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.retrieval.query import Kind, RecallQuery, Result, ResultOf, SearchedRow
from memory_app.engine.retrieval.signals import Candidates, SearchRequest, gather_candidates
from memory_app.engine.venue_context import VenueContext
from memory_app.llm.model import with_timeout
from memory_app.llm.reranker import Reranker, configured_reranker
from memory_app.models import Channel, Document, Memory, Note, Person, Space, Turn
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.privacy.sensitive import sensitive_kinds
from memory_app.nlp.queries.question import Question, read_question
from memory_app.postgres.fast.prepared_query import rows_by_id
from memory_app.rules.candidate_signals import Statistics
from memory_app.rules.fusion import Ranked, fuse, reranked_shares
from memory_app.rules.gate import relevant_rows
from memory_app.rules.rank_units import MAX_CANDIDATES
from memory_app.rules.reasons_in_words import explain
from memory_app.rules.result_order import apply_order, is_permutation
from memory_app.rules.units import Units

UNREAD_COLUMNS = ("embedding", "tsv")
"""What a row is found by: most of what it holds, and nobody reads it."""

MODELS_BY_KIND: Mapping[Kind, type[Turn | Note | Document]] = {"turn": Turn, "note": Note, "document": Document}
"""Of what is found beside memories."""

METHODS_WITHOUT_VECTORS = frozenset({"text", "entity"})

MAX_RERANKED = 25
"""Of the best: what a cross-encoder of six layers reads in a quarter of a second on two cores."""

MAX_PARALLEL = 4
"""Second looks that may be under way, those included that nobody waits for any more."""

_log = structlog.get_logger(__name__)
_slots = BoundedSemaphore(MAX_PARALLEL)
_encoding = ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="encode")


@dataclass(frozen=True, slots=True)
class RecallResults:
    """What was found, best first. total_found counts what is relevant; the rest of the results ranks below it.
    search_method: the method asked for, and whether a reranker had the last word. units: all that was searched."""

    results: Sequence[Result]
    total_found: int
    search_method: str
    took_ms: float
    question: Question
    statistics: Statistics
    speakers_named: bool
    units: Units


def recall(*, venue_context: VenueContext, recall_query: RecallQuery, now: datetime, encoder: Encoder) -> RecallResults:
    """Finds what answers a question. Changes nothing: being recalled is recorded by `brief`."""
    started = time.perf_counter()
    person = venue_context.person
    question = read_question(recall_query.text, at=now, timezone=person.zone, language=person.language)
    vectors = _begin_encoding(question, recall_query, encoder)
    reranker = configured_reranker(recall_query.rerank) if recall_query.method == "hybrid" else None
    limit = max(recall_query.limit, MAX_RERANKED) if reranker else recall_query.limit
    if not question.means_something:
        limit = MAX_CANDIDATES
    request = SearchRequest(venue_context, recall_query, question, vectors, encoder.name, now)
    with allowed_spaces(venue_context.venue.spaces):
        candidates = gather_candidates(request)
        ranked, total = fuse(candidates.signals, candidates.statistics, question.periods, recall_query.method, limit)
        are_relevant = relevant_rows(candidates.signals, candidates.statistics)
        if recall_query.method == "entity":  # which finds by names alone, and nothing else
            are_relevant = [True] * len(are_relevant)
        else:
            total = sum(are_relevant)
        results = _load_results(candidates, ranked, are_relevant, venue_context)
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
        units=candidates.units,
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


def _begin_encoding(question: Question, recall_query: RecallQuery, encoder: Encoder) -> Callable[[], Vectors] | None:
    """Has the question, and it without names, encoded while the database is asked what may be seen: waits for their
    vectors. None where nothing is compared by meaning."""
    if recall_query.method in METHODS_WITHOUT_VECTORS or not question.text.strip():
        return None
    return _encoding.submit(encoder.queries, [question.text, question.without_names]).result


def _load_results(
    candidates: Candidates, ranked: Sequence[Ranked], are_relevant: Sequence[bool], venue_context: VenueContext
) -> list[Result]:
    """The rows of what is shown, read at once for each kind."""
    kinds: tuple[Kind, ...] = ("memory", *MODELS_BY_KIND)
    rows = {place: row for kind in kinds for place, row in _load_rows(candidates, ranked, kind, venue_context).items()}
    return [
        ResultOf(
            rows[candidates.places[item.place]],
            item.score,
            item.shares,
            candidates.signals.row(item.place),
            relevant=are_relevant[item.place],
        )
        for item in ranked
        if candidates.places[item.place] in rows
    ]


def load_memories(spaces: Collection[UUID], ids: Collection[UUID], venue_context: VenueContext) -> Sequence[Memory]:
    """The memories of these ids, each with its person, space and channel. Expects the venue's spaces to be allowed."""
    return attach_names(rows_by_id(Memory, spaces, ids, without=UNREAD_COLUMNS), venue_context)


def _load_rows(
    candidates: Candidates, ranked: Sequence[Ranked], kind: Kind, venue_context: VenueContext
) -> dict[tuple[str, str], SearchedRow]:
    places = [candidates.places[item.place] for item in ranked if candidates.kinds[item.place] == kind]
    if not places:
        return {}
    spaces, ids = {UUID(space) for space, _ in places}, [UUID(identifier) for _, identifier in places]
    if kind == "memory":
        return {(row.space_id.hex, row.id.hex): row for row in load_memories(spaces, ids, venue_context)}
    others: Sequence[Turn | Note | Document] = rows_by_id(MODELS_BY_KIND[kind], spaces, ids, without=UNREAD_COLUMNS)
    return {(row.space_id.hex, row.id.hex): row for row in others}


def attach_names(rows: Iterable[Memory], venue_context: VenueContext) -> Sequence[Memory]:
    """The rows with person, space and channel set: the asker's own without a query, the others with one query for all
    people, spaces and channels each. Expects the venue's spaces allowed."""
    found = list(rows)
    people = {venue_context.person.id: venue_context.person}
    spaces = {space.id: space for space in (venue_context.person.space, venue_context.space) if space}
    if others := {row.person_id for row in found} - people.keys():
        people |= Person.objects.in_bulk(others)
    if others := {row.space_id for row in found} - spaces.keys():
        spaces |= Space.objects.in_bulk(others)
    channels = _channels_of(found)
    for row in found:
        row.person, row.space = people[row.person_id], spaces[row.space_id]
        if row.channel_id:
            row.channel = channels[row.channel_id]
    return found


def _channels_of(rows: Sequence[Memory]) -> dict[UUID, Channel]:
    spaces, ids = {row.space_id for row in rows if row.channel_id}, {row.channel_id for row in rows if row.channel_id}
    return {row.id: row for row in Channel.objects.filter(space_id__in=spaces, id__in=ids)} if ids else {}


def rerank(results: Sequence[Result], question: str, reranker: Reranker, seconds: float) -> list[Result] | None:
    """The results with the best of them in a new order, each saying how it was moved; None where there is none."""
    movable = [
        place
        for place, result in enumerate(results[:MAX_RERANKED])
        if not (reranker.is_remote and _is_sensitive(result))
    ]
    if len(movable) < 2:
        return None
    texts = [_text_of(results[place]) for place in movable]
    order = _order_in_time(lambda: reranker.order(question, texts), seconds, reranker.name)
    if order is None or not is_permutation(order, len(movable)):
        return None
    placed = apply_order(len(results), movable, order, _replacements(results[:MAX_RERANKED]))
    looked_at = frozenset(movable)
    return [
        _with_new_rank(results[old], results[new].score, new + 1) if old in looked_at else results[old]
        for new, old in enumerate(placed)
    ]


def _is_sensitive(result: Result) -> bool:
    row = result.row
    if isinstance(row, Memory):
        return row.sensitive
    return isinstance(row, Note | Document) and bool(sensitive_kinds(result.passage or row.content))


def _text_of(result: Result) -> str:
    """As it was said, and by whom where that is known; of a long text the passage that was found."""
    row = result.row
    speaker = row.source_speaker if isinstance(row, Memory) else row.speaker if isinstance(row, Turn) else ""
    text = result.passage or row.content
    return f"{speaker}: {text}" if speaker else text


def _replacements(results: Sequence[Result]) -> dict[int, int]:
    """Of what was superseded: its place, and that of the newer one, where both were found."""
    at = {result.signals.id: place for place, result in enumerate(results)}
    replaced = ((place, result.signals) for place, result in enumerate(results) if result.signals.superseded)
    return {place: at[signals.replaced_by] for place, signals in replaced if signals.replaced_by in at}


def _with_new_rank(result: Result, score: float, rank: int) -> Result:
    """With the score of the place it was given: scores stay in order, and on the scale they were on."""
    return replace(result, score=score, why=reranked_shares(result.why, result.score, score, rank))


def _order_in_time(order_texts: Callable[[], list[int]], seconds: float, name: str) -> list[int] | None:
    """What it answers within so many seconds. What takes longer goes on by itself, and is waited for by nobody."""
    try:
        return with_timeout(order_texts, seconds, _slots)
    except Exception as error:  # whatever a model may raise: the fused order stands
        _log.warning("not reranked", model=name, why=type(error).__name__)
        return None
