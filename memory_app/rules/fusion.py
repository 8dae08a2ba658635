"""Fusion: one score from what each signal says, on fixed scales, and the share of each in it.

Constants were set on conversations 1–3 of LoCoMo and held on 4–5 and on a set of mixed lengths (`bench/README.md`).
What no row changes for another is on a fixed scale: dividing by the best row's value was measured to find less.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, cached_property
from typing import NamedTuple

COSINE_FLOOR, COSINE_SPAN = 0.05, 0.75
"""A cosine of .05 says nothing and one of .80 all there is to say, with all-MiniLM-L6-v2."""

MEANING, WORDS, SPEAKER, TIME, ROLE = 0.5, 0.3, 0.1, 0.2, 0.08
"""What each signal may add to a score."""

SESSION, SESSION_BEST = 0.3, 3
"""A row gains this part of the mean of its session's three best: what was said around it is about the same."""

ANSWER = 0.1
"""A row gains this part of the one just before it, where that one asks something: an answer rarely repeats it."""

LONG = 40
"""Distinct words from which a text counts as long, and what it has in common with a question for less."""

TOLD_LATER, TOLD_LATER_FOR = 0.5, timedelta(days=14)
"""What happened at a time is often told days after: such a row has half of the time signal."""

REPLACED = 0.6
"""What is left of a superseded memory's score; it never ranks above the one that replaced it."""

CONTRADICTED = 0.9
"""Of the score of what contradicts it, the most that an older memory has: both are told, the newer one first."""

RRF_K = 60
"""The usual constant of reciprocal rank fusion (Cormack et al., SIGIR 2009); selectable, and not the default."""

Periods = Sequence[tuple[datetime, datetime]]


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks for a candidate.

    cosine: of the question and the row, −1..1; None while the row has no vector. bare_cosine: of the question without
    names. matched: a bit for each word of the question that the row has; linked: of those, the ones it has by speaking
    of who is called so, and not in its own words. words: distinct words of the row. replaced_by: the newer one that
    took its place (superseded), or that says otherwise (contradicted, where that one is a candidate too).
    session: rows of one conversation, or told of one time, share it; position: its place there. asks: ends in "?".
    """

    id: Hashable
    cosine: float | None
    bare_cosine: float | None
    matched: int
    words: int
    session: Hashable
    position: int
    speaker_named: bool
    from_wanted_role: bool
    said_at: datetime | None
    asks: bool = False
    linked: int = 0
    replaced_by: Hashable | None = None
    superseded: bool = False
    contradicted: bool = False


@dataclass(frozen=True)
class Statistics:
    """Of the visible set: how many rows, how many of them hold each word of the question, and which words are names.
    counts: whether a word means anything to the text search (stop words do not). known: a bit for each word by which a
    row is linked to who or what is called so."""

    rows: float
    holding: Sequence[float]
    counts: Sequence[bool]
    is_name: Sequence[bool] = ()
    known: int = 0

    @cached_property
    def names(self) -> int:
        """A bit for each word that is a name: by how it is written, or because something known is called so."""
        return self.known | sum(1 << bit for bit, name in enumerate(self.is_name) if name)

    @cached_property
    def weights(self) -> list[float]:
        """Rarity of each word; those that no row holds would ask too much of all, and weigh nothing."""
        return [rarity(self.rows, df) if df else 0.0 for df in self.holding]

    @cached_property
    def covered_by(self) -> Callable[[int], float]:
        """How much of the question, by rarity, a mask of matched words covers, 0..1. There are few distinct masks."""
        total = sum(self.weights) or 1.0
        return cache(lambda mask: sum(w for bit, w in enumerate(self.weights) if mask >> bit & 1) / total)


class Share(NamedTuple):
    """What one signal contributed: its rank among the candidates from 1, its value, and its part of the score."""

    signal: str
    rank: int
    value: float
    share: float


class Ranked(NamedTuple):
    """A candidate: its place among those given, its score, and the shares it is the sum of."""

    place: int
    score: float
    shares: tuple[Share, ...]


def rarity(rows: float, holding: float) -> float:
    """ln(1 + (N − df + ½) / (df + ½)): the inverse document frequency of BM25 (Robertson & Zaragoza 2009)."""
    return math.log(1 + (rows - holding + 0.5) / (holding + 0.5))


def closeness(cosine: float | None) -> float:
    """A cosine on the fixed scale, 0..1."""
    return 0.0 if cosine is None else min(1.0, max(0.0, (cosine - COSINE_FLOOR) / COSINE_SPAN))


def brevity(words: int) -> float:
    """1 for a short text; a long one has more words in common with anything."""
    return 1 / (1 + math.log(max(1.0, words / LONG)))


def coverage(signals: Signals, statistics: Statistics) -> float:
    """How much of the question the row's words cover, 0..1, long texts for less."""
    return statistics.covered_by(signals.matched) * brevity(signals.words)


def names_in(signals: Signals, statistics: Statistics) -> float:
    """The part of `coverage` that the names in the question make up."""
    return statistics.covered_by(signals.matched & statistics.names) * brevity(signals.words)


def told_of(said_at: datetime | None, periods: Periods) -> float:
    """1 in one of the periods, half of that for two weeks after one, else 0."""
    if said_at is None:
        return 0.0
    if any(start <= said_at < end for start, end in periods):
        return 1.0
    later = any(end <= said_at < end + TOLD_LATER_FOR for _, end in periods)
    return TOLD_LATER if later else 0.0


def fuse(
    candidates: Sequence[Signals], statistics: Statistics, periods: Periods, method: str, limit: int
) -> tuple[list[Ranked], int]:
    """The best `limit` candidates that the method's signals speak for, best first, and how many there are in all.

    method: hybrid, vector, text, entity or rrf. Of all signals together (hybrid) the nearest is told, however far.
    """
    parts = [_base_parts(candidate, statistics, periods, method) for candidate in candidates]
    if method == "rrf":
        parts = _by_rank(parts)
    if method == "hybrid":
        _lift(candidates, parts)
    scores = _with_replaced_below(candidates, [sum(part.values()) for part in parts])
    order = sorted((-score, index) for index, score in enumerate(scores) if score > 0 or method == "hybrid")
    ascending = {name: sorted(part[name] for part in parts) for name in (parts[0] if parts else ())}
    shown = [Ranked(index, -score, _shares(index, parts, ascending)) for score, index in order[:limit]]
    return shown, len(order)


def given_place(why: Sequence[Share], score: float, given: float, rank: int) -> tuple[Share, ...]:
    """The shares of a result that a reranker gave a place, and with it the score of that place: what it said for
    itself, and what the reranker added (or took, as a share below 0). Together they are the whole score."""
    part = score / given if given else 0.0
    moved = Share("rerank", rank, round(given - score, 4), round(1 - part, 4))
    return (*(share._replace(share=round(share.share * part, 4)) for share in why), moved)


def _base_parts(signals: Signals, statistics: Statistics, periods: Periods, method: str) -> dict[str, float]:
    meaning, words, names = closeness(signals.cosine), coverage(signals, statistics), names_in(signals, statistics)
    if method == "vector":
        return {"meaning": meaning}
    if method == "text":
        return {"words": words}
    if method == "entity":
        return {"names": _names_covered(signals, statistics)}
    if method == "rrf":
        return {"meaning": meaning, "words": words}
    return {
        "meaning": MEANING * meaning,
        "words": WORDS * (words - names),
        "names": WORDS * names,
        "speaker": SPEAKER * signals.speaker_named,
        "time": TIME * told_of(signals.said_at, periods),
        "role": ROLE * signals.from_wanted_role,
    }


def _names_covered(signals: Signals, statistics: Statistics) -> float:
    found = (signals.matched & statistics.names).bit_count() + signals.speaker_named
    return found / (statistics.names.bit_count() or 1)


def _lift(candidates: Sequence[Signals], parts: list[dict[str, float]]) -> None:
    """Adds what a row gains from its session, and from the question it answers."""
    bases = [sum(part.values()) for part in parts]
    sessions: dict[Hashable, list[float]] = {}
    for candidate, base in zip(candidates, bases, strict=True):
        sessions.setdefault(candidate.session, []).append(base)
    at = {(candidate.session, candidate.position): index for index, candidate in enumerate(candidates)}
    for candidate, part in zip(candidates, parts, strict=True):
        best = sorted(sessions[candidate.session], reverse=True)[:SESSION_BEST]
        before = at.get((candidate.session, candidate.position - 1))
        part["session"] = SESSION * sum(best) / SESSION_BEST
        part["answer"] = _asked_before(candidates, parts, before)


def _asked_before(candidates: Sequence[Signals], parts: list[dict[str, float]], before: int | None) -> float:
    if before is None or not candidates[before].asks:
        return 0.0
    asked = parts[before]
    return ANSWER * (asked["meaning"] / MEANING + (asked["words"] + asked["names"]) / WORDS) / 2


def _by_rank(parts: list[dict[str, float]]) -> list[dict[str, float]]:
    ranks = _ranks(parts)
    return [
        {name: 1 / (RRF_K + ranks[name][index]) if value > 0 else 0.0 for name, value in part.items()}
        for index, part in enumerate(parts)
    ]


def _with_replaced_below(candidates: Sequence[Signals], scores: list[float]) -> list[float]:
    placed = {candidate.id: index for index, candidate in enumerate(candidates)}
    lowered = [score * REPLACED if one.superseded else score for one, score in zip(candidates, scores, strict=True)]
    for index, candidate in enumerate(candidates):
        by = placed.get(candidate.replaced_by) if candidate.superseded or candidate.contradicted else None
        if by is not None:
            part = REPLACED if candidate.superseded else CONTRADICTED
            lowered[index] = min(lowered[index], lowered[by] * part)
    return lowered


def _ranks(parts: Sequence[dict[str, float]]) -> dict[str, dict[int, int]]:
    """Of each signal: the rank of each candidate, equal values ranking alike."""
    ranks: dict[str, dict[int, int]] = {}
    for name in parts[0] if parts else ():
        values = sorted({part[name] for part in parts}, reverse=True)
        place = {value: rank for rank, value in enumerate(values, 1)}
        ranks[name] = {index: place[part[name]] for index, part in enumerate(parts)}
    return ranks


def _shares(index: int, parts: Sequence[dict[str, float]], ascending: dict[str, list[float]]) -> tuple[Share, ...]:
    own = parts[index]
    total = sum(own.values()) or 1.0
    return tuple(
        Share(name, 1 + len(parts) - bisect_right(ascending[name], value), round(value, 4), round(value / total, 4))
        for name, value in own.items()
        if value > 0
    )
