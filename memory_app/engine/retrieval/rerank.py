"""Rerank: a second look at the best of what was found, by a model that reads each text beside the question.

It has a time limit. Whatever goes wrong or takes too long, the fused order stands, and the answer says which it is.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import BoundedSemaphore
from uuid import UUID

import structlog

from memory_app.engine.retrieval.query import Result
from memory_app.llm.model import with_timeout
from memory_app.llm.reranker import Reranker
from memory_app.models import Memory, Note, Turn
from memory_app.nlp.privacy.sensitive import sensitive_kinds
from memory_app.rules.fusion import reranked_shares
from memory_app.rules.rerank_order import apply_order, is_permutation

MAX_RERANKED = 25
"""Of the best: what a cross-encoder of six layers reads in a quarter of a second on two cores."""

MAX_PARALLEL = 4
"""Second looks that may be under way, those included that nobody waits for any more."""

_log = structlog.get_logger(__name__)
_slots = BoundedSemaphore(MAX_PARALLEL)


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
    return row.sensitive if isinstance(row, Memory) else isinstance(row, Note) and bool(sensitive_kinds(row.text))


def _text_of(result: Result) -> str:
    """As it was said, and by whom where that is known; of a long text the passage that was found."""
    row = result.row
    speaker = row.source_speaker if isinstance(row, Memory) else row.speaker if isinstance(row, Turn) else ""
    text = result.passage or row.content
    return f"{speaker}: {text}" if speaker else text


def _replacements(results: Sequence[Result]) -> dict[int, int]:
    """Of what was superseded: its place, and that of the newer one, where both were found."""
    at: dict[UUID, int] = {result.row.id: place for place, result in enumerate(results)}
    found = ((place, at.get(result.signals.replaced_by)) for place, result in enumerate(results)  # type: ignore[call-overload]
             if result.signals.superseded)  # fmt: skip
    return {place: by for place, by in found if by is not None}


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
