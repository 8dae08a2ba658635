"""Recall: find what is relevant to a question among what may be seen from a venue.

One pipeline: visible set, signals, fusion, order. What a score is made of is told with each result.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from ..embedding.encoder import Encoder
from ..models import Memory
from ..models.scope import within
from ..rules.fusion import Share, Signals, fuse
from .enter import Entered
from .signals import Found, find

Kind = Literal["memory", "turn"]
Method = Literal["hybrid", "vector", "text", "entity"]

LIMIT = 20


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and what the answer is narrowed to."""

    query: str
    limit: int = LIMIT
    kinds: tuple[Kind, ...] = ("memory",)
    types: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    method: Method = "hybrid"


@dataclass(frozen=True, slots=True)
class Result:
    """One thing found: its score in 0..1, what each signal contributed, and the raw signals."""

    kind: Kind
    memory: Memory
    score: float
    why: tuple[Share, ...]
    signals: Signals


@dataclass(frozen=True, slots=True)
class Recalled:
    """What was found, best first. total_found counts everything that any signal of the method speaks for."""

    results: Sequence[Result]
    total_found: int
    search_method: Method
    took_ms: float
    signals: Sequence[Signals] = field(default=())


def recall(*, entered: Entered, asked: Asked, now: datetime, encoder: Encoder) -> Recalled:
    """Finds what answers a question. Changes nothing: being recalled is recorded by `brief`."""
    started = time.perf_counter()
    vector = None if asked.method in ("text", "entity") else encoder.query(asked.query)
    with within(entered.venue.spaces):
        found = find(entered, asked, vector, encoder.name, now)
    ranked = fuse([candidate.signals for candidate in found], asked.method)
    results = [_result(found[place], score, why) for place, score, why in ranked[: asked.limit]]
    took = (time.perf_counter() - started) * 1000
    return Recalled(results, len(ranked), asked.method, took, [candidate.signals for candidate in found])


def _result(found: Found, score: float, why: tuple[Share, ...]) -> Result:
    return Result(found.kind, found.row, score, why, found.signals)
