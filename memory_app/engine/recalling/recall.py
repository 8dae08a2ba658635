"""Recall: find what is relevant to a question among what may be seen from a venue.

One pipeline over memories, turns and notes: the question read, the visible set's signals gathered in one statement,
fused, ordered, and read again by a reranker where there is one. What a score is made of is told with each result.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.enter import Entered
from memory_app.engine.named import named
from memory_app.engine.recalling.asked import Asked, Kind, Result
from memory_app.engine.recalling.ranking import CANDIDATES
from memory_app.engine.recalling.rerank import LOOKED_AT, rerank
from memory_app.engine.recalling.signals import Gathered, gather
from memory_app.llm.reranker import configured
from memory_app.models import Memory, Note, Turn
from memory_app.models.by_id import by_id
from memory_app.models.scope import within
from memory_app.rules.explain import in_words
from memory_app.rules.fusion import Statistics, fuse
from memory_app.rules.question import Question, read_question
from memory_app.rules.relevance import relevant
from memory_app.rules.shares import Ranked

NOT_SHOWN = ("embedding", "tsv")
"""What a row is found by: most of what it holds, and nobody reads it."""

WITHOUT_VECTORS = frozenset({"text", "entity"})


@dataclass(frozen=True, slots=True)
class Recalled:
    """What was found, best first. total_found counts what is relevant; the rest of the results ranks below it.
    search_method: the method asked for, and whether a reranker had the last word."""

    results: Sequence[Result]
    total_found: int
    search_method: str
    took_ms: float
    question: Question
    statistics: Statistics
    speakers_named: bool


def recall(*, entered: Entered, asked: Asked, now: datetime, encoder: Encoder) -> Recalled:
    """Finds what answers a question. Changes nothing: being recalled is recorded by `brief`."""
    started = time.perf_counter()
    person = entered.person
    question = read_question(asked.query, at=now, timezone=person.zone, language=person.language)
    vectors = _vectors(question, asked, encoder)
    reranker = configured(asked.rerank) if asked.method == "hybrid" else None
    limit = max(asked.limit, LOOKED_AT) if reranker else asked.limit
    if not question.means_something:
        limit = CANDIDATES
    with within(entered.venue.spaces):
        gathered = gather(entered, asked, question, vectors, encoder.name, now)
        ranked, total = fuse(gathered.signals, gathered.statistics, question.periods, asked.method, limit)
        results = _loaded(gathered, ranked, entered, asked)
    if asked.method != "entity":  # which finds by names alone, and nothing else
        total = sum(relevant(gathered.signals, gathered.statistics))
    if not question.means_something:
        results = [replace(result, relevant=True) for result in results if question.text.strip() in result.row.content]
        total = len(results)
    # After the transaction: a model may take seconds, and a connection is not to wait for it.
    read_again = rerank(results, asked.query, reranker, settings.KEEPSAKE_RERANK_SECONDS) if reranker else None
    return Recalled(
        results=(read_again or results)[: asked.limit],
        total_found=total,
        search_method=asked.method if read_again is None else f"{asked.method}+rerank",
        took_ms=(time.perf_counter() - started) * 1000,
        question=question,
        statistics=gathered.statistics,
        speakers_named=gathered.speakers_named,
    )


def because(result: Result, recalled: Recalled, timezone: ZoneInfo, now: datetime) -> str:
    """Why a result is there, in plain words."""
    reranked = any(share.signal == "rerank" for share in result.why)
    return in_words(
        result.signals, recalled.statistics, recalled.question, now=now, timezone=timezone, reranked=reranked
    )


def _vectors(question: Question, asked: Asked, encoder: Encoder) -> Vectors | None:
    """Of the question, and of it without names; None where nothing is compared by meaning."""
    if asked.method in WITHOUT_VECTORS or not question.text.strip():
        return None
    return encoder.queries([question.text, question.without_names])


def _loaded(gathered: Gathered, ranked: Sequence[Ranked], entered: Entered, asked: Asked) -> list[Result]:
    """The rows of what is shown, read at once for each kind."""
    kinds: tuple[Kind, ...] = ("memory", "turn", "note")
    rows = {place: row for kind in kinds for place, row in _rows(gathered, ranked, kind, entered).items()}
    speak = relevant(gathered.signals, gathered.statistics)
    return [
        Result(
            rows[gathered.places[item.place]],
            item.score,
            item.shares,
            gathered.signals[item.place],
            relevant=speak[item.place] or asked.method == "entity",
        )
        for item in ranked
        if gathered.places[item.place] in rows
    ]


def _rows(
    gathered: Gathered, ranked: Sequence[Ranked], kind: Kind, entered: Entered
) -> dict[tuple[UUID, UUID], Memory | Turn | Note]:
    places = [gathered.places[item.place] for item in ranked if gathered.kinds[item.place] == kind]
    if not places:
        return {}
    spaces, ids = {space for space, _ in places}, [identifier for _, identifier in places]
    if kind == "memory":
        memories = by_id(Memory, spaces, ids, without=NOT_SHOWN)
        return {(row.space_id, row.id): row for row in named(memories, entered)}
    others: Sequence[Turn | Note] = by_id(Turn if kind == "turn" else Note, spaces, ids, without=NOT_SHOWN)
    return {(row.space_id, row.id): row for row in others}
