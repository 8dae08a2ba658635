"""Fusion: one score from what each signal says, on fixed scales, and the share of each in it.

Signal by signal, and not row by row: two hundred candidates of every search come through here. Constants were set on
conversations 1–3 of LoCoMo and held on 4–5 and on a set of mixed lengths (`docs/benchmarks.md`). What no row changes
for another is on a fixed scale: dividing by the best row's value was measured to find less.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from memory_app.rules.bm25 import HAS_ALL, bm25

REPLACED = 0.6
"""What is left of a superseded memory's score; it never ranks above the one that replaced it."""


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


def reranked_shares(why: Sequence[Share], score: float, given: float, rank: int) -> tuple[Share, ...]:
    """The shares of a result that a reranker gave a place, and with it the score of that place: what it said for
    itself, and what the reranker added (or took, as a share below 0). Together they are the whole score."""
    part = score / given if given else 0.0
    moved = Share("rerank", rank, round(given - score, 4), round(1 - part, 4))
    return (*(share._replace(share=round(share.share * part, 4)) for share in why), moved)


COSINE_FLOOR, COSINE_SPAN = 0.05, 0.75
"""A cosine of .05 says nothing and one of .80 all there is to say, with all-MiniLM-L6-v2."""

MEANING, WORDS, SPEAKER, TIME, ROLE = 0.5, 0.45, 0.1, 0.2, 0.12
"""What each signal may add to a score."""

MISSING_WORD_WEIGHT, IMPLIED_WORD_WEIGHT = 0.3, 0.75
"""What a question asks besides the words that some row has, in the measure of what is covered: this part of each word
that none has, and for what is only meant this part of the rarest word. Without these "how much do I charge?" is wholly
answered by any row with "much", and a question of which only a name is known by any row with that name
(`docs/benchmarks.md`)."""

SESSION, SESSION_BEST = 0.3, 3
"""A row gains this part of the mean of its session's three best, of all where it has fewer: what was said around it is
about the same."""

ANSWER = 0.16
"""A row gains this part of the one just before it, where that one asks something: an answer rarely repeats it."""

LONG = 40
"""Distinct words from which a text counts as long, and what it has in common with a question for less."""

TOLD_LATER, TOLD_LATER_FOR = 0.5, timedelta(days=14)
"""What happened at a time is often told days after: such a row has half of the time signal."""

RELATED_WORD_WEIGHT = 0.5
"""Of the weight of a question's own words, that of words akin to them."""

RRF_K = 60
"""The usual constant of reciprocal rank fusion (Cormack et al., SIGIR 2009); selectable, and not the default."""

Periods = Sequence[tuple[datetime, datetime]]


Columns = dict[str, list[float]]
"""By signal: what it adds to the score of each candidate."""


class Signals(NamedTuple):
    """What speaks for a candidate.

    cosine: of the question and the row, −1..1; None while the row has no vector. bare_cosine: of the question without
    names. matched: a bit for each word of the question that the row has; linked: of those, the ones it has by speaking
    of who is called so, and not in its own words. words: distinct words of the row. replaced_by: the newer one that
    took its place (superseded).
    session: rows of one conversation, or told of one time, share it; position: its place there. asks: ends in "?".
    part: of a long row, the passage that speaks for it most, from 1; 0 where that is the whole. often: how many times
    the row has each word of the question, where it is searched by words alone.
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
    part: int = 0
    often: Sequence[float] = ()


@dataclass(frozen=True)
class Statistics:
    """Of the visible set: how many rows, how many of them hold each word of the question, and which words are names.
    counts: whether a word means anything to the text search (stop words do not). known: a bit for each word by which a
    row is linked to who or what is called so. sides: how many of the last words stand each for all the words that a
    side of a life is told by. average: distinct words of a row."""

    rows: float
    holding: Sequence[float]
    counts: Sequence[bool]
    is_name: Sequence[bool] = ()
    known: int = 0
    sides: int = 0
    average: float = 1.0

    @cached_property
    def names(self) -> int:
        """A bit for each word that is a name: by how it is written, or because something known is called so."""
        return self.known | sum(1 << bit for bit, name in enumerate(self.is_name) if name)

    @property
    def sides_asked_of(self) -> int:
        """A bit for each of the sides."""
        own = len(self.holding) - self.sides
        return (1 << len(self.holding)) - (1 << own)

    @cached_property
    def weights(self) -> list[float]:
        """Rarity of each word; those that no row holds would ask too much of all, and weigh nothing."""
        own = len(self.holding) - self.sides
        return [
            (rarity(self.rows, df) if df else 0.0) * (1 if bit < own else RELATED_WORD_WEIGHT)
            for bit, df in enumerate(self.holding)
        ]

    @cached_property
    def held(self) -> int:
        """A bit for each of the question's own words that some row has."""
        own = len(self.holding) - self.sides
        return sum(1 << bit for bit, df in enumerate(self.holding[:own]) if df)

    @cached_property
    def covered_by(self) -> Callable[[int], float]:
        """How much of the question, by rarity, a mask of matched words covers, 0..1. There are few distinct masks."""
        return cache(lambda mask: sum(w for bit, w in enumerate(self.weights) if mask >> bit & 1) / self.asked)

    @cached_property
    def asked(self) -> float:
        """The weight of all that a question asks."""
        return sum(self.weights) + self._not_held

    @cached_property
    def _not_held(self) -> float:
        """The weight of what a question asks, and no row holds in its own words."""
        own = len(self.holding) - self.sides
        missing = sum(counts and not df for df, counts in list(zip(self.holding, self.counts, strict=True))[:own])
        return MISSING_WORD_WEIGHT * missing * rarity(self.rows, 0) + IMPLIED_WORD_WEIGHT * rarity(max(self.rows, 1), 1)


def rarity(rows: float, holding: float) -> float:
    """ln(1 + (N − df + ½) / (df + ½)): the inverse document frequency of BM25 (Robertson & Zaragoza 2009)."""
    return math.log(1 + (rows - holding + 0.5) / (holding + 0.5))


def closeness(cosine: float | None) -> float:
    """A cosine on the fixed scale, 0..1."""
    return 0.0 if cosine is None else min(1.0, max(0.0, (cosine - COSINE_FLOOR) / COSINE_SPAN))


@lru_cache(4096)
def brevity(words: int) -> float:
    """1 for a short text; a long one has more words in common with anything."""
    return 1 / (1 + math.log(max(1.0, words / LONG)))


def coverage(signals: Signals, statistics: Statistics) -> float:
    """How much of the question the row's words cover, 0..1, long texts for less."""
    return statistics.covered_by(signals.matched) * brevity(signals.words)


def text_score(signals: Signals, statistics: Statistics) -> float:
    """How well the row answers by its words alone, 0..1: by BM25, and whatever has all of the words first."""
    if not signals.matched:
        return 0.0
    often = signals.often or (1.0,) * len(statistics.holding)
    weighed = bm25(signals.matched, often, signals.words, weights=statistics.weights, average=statistics.average)
    has_all = statistics.held and not statistics.held & ~signals.matched
    return (HAS_ALL if has_all else 0.0) + (1 - HAS_ALL) * weighed / statistics.asked


def name_coverage(signals: Signals, statistics: Statistics) -> float:
    """The part of `coverage` that the names in the question make up."""
    return statistics.covered_by(signals.matched & statistics.names) * brevity(signals.words)


def time_match(said_at: datetime | None, periods: Periods) -> float:
    """1 in one of the periods, half of that for two weeks after one, else 0."""
    if said_at is None or not periods:
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
    parts = _parts(candidates, statistics, periods, method)
    if method == "rrf":
        parts = {name: _by_rank(values) for name, values in parts.items()}
    if method == "hybrid":
        parts |= _session_and_answer(candidates, parts)
    scores = _with_replaced_below(candidates, _sums(parts))
    order = sorted((-score, index) for index, score in enumerate(scores) if score > 0 or method == "hybrid")
    ascending = {name: sorted(values) for name, values in parts.items()}
    shown = [Ranked(index, -score, _shares(index, parts, ascending)) for score, index in order[:limit]]
    return shown, len(order)


def _parts(candidates: Sequence[Signals], statistics: Statistics, periods: Periods, method: str) -> Columns:
    """What each signal that the method asks says of each candidate for itself."""
    if method == "entity":
        return {"names": [_names_covered(one, statistics) for one in candidates]}
    if method == "text":
        return {"words": [text_score(one, statistics) for one in candidates]}
    words = [coverage(one, statistics) for one in candidates]
    meaning = [closeness(one.cosine) for one in candidates]
    if method == "vector":
        return {"meaning": meaning}
    if method == "rrf":
        return {"meaning": meaning, "words": words}
    names = [name_coverage(one, statistics) for one in candidates]
    return {
        "meaning": [MEANING * value for value in meaning],
        "words": [WORDS * (covered - named) for covered, named in zip(words, names, strict=True)],
        "names": [WORDS * value for value in names],
        "speaker": [SPEAKER * one.speaker_named for one in candidates],
        "time": [TIME * time_match(one.said_at, periods) for one in candidates],
        "role": [ROLE * one.from_wanted_role for one in candidates],
    }


def _sums(parts: Columns) -> list[float]:
    return [sum(of_one) for of_one in zip(*parts.values(), strict=True)]


def _names_covered(signals: Signals, statistics: Statistics) -> float:
    found = (signals.matched & statistics.names).bit_count() + signals.speaker_named
    return found / (statistics.names.bit_count() or 1)


def _session_and_answer(candidates: Sequence[Signals], parts: Columns) -> Columns:
    """What a row gains from its session, and from the question it answers."""
    sessions: dict[Hashable, list[int]] = {}
    for index, candidate in enumerate(candidates):
        sessions.setdefault(candidate.session, []).append(index)
    bases, asked = _sums(parts), any(one.asks for one in candidates)
    gained, answered = [0.0] * len(candidates), [0.0] * len(candidates)
    for rows in sessions.values():
        best = sorted((bases[index] for index in rows), reverse=True)[:SESSION_BEST]
        gain = SESSION * sum(best) / len(best)
        for index in rows:
            gained[index] = gain
        for before, after in _questions(candidates, rows) if asked else ():
            said = parts["meaning"][before] / MEANING + (parts["words"][before] + parts["names"][before]) / WORDS
            answered[after] = ANSWER * said / 2
    return {"session": gained, "answer": answered}


def _questions(candidates: Sequence[Signals], rows: Sequence[int]) -> list[tuple[int, int]]:
    """Of the rows of one session: those that ask something, each with the one just after it."""
    at = {candidates[index].position: index for index in rows}
    pairs = ((at.get(candidates[index].position - 1), index) for index in rows)
    return [(before, index) for before, index in pairs if before is not None and candidates[before].asks]


def _by_rank(values: Sequence[float]) -> list[float]:
    """1 / (k + rank) of each, equal values ranking alike; nothing where the signal says nothing."""
    place = {value: rank for rank, value in enumerate(sorted(set(values), reverse=True), 1)}
    return [1 / (RRF_K + place[value]) if value > 0 else 0.0 for value in values]


def _shares(index: int, parts: Columns, ascending: Columns) -> tuple[Share, ...]:
    own = {name: values[index] for name, values in parts.items()}
    total = sum(own.values()) or 1.0
    return tuple(
        Share(
            name,
            1 + len(ascending[name]) - bisect_right(ascending[name], value),
            round(value, 4),
            round(value / total, 4),
        )
        for name, value in own.items()
        if value > 0
    )


def _with_replaced_below(candidates: Sequence[Signals], scores: Sequence[float]) -> list[float]:
    """The scores, where what was replaced is below what replaced it."""
    lowered = [score * REPLACED if one.superseded else score for one, score in zip(candidates, scores, strict=True)]
    replaced = [index for index, one in enumerate(candidates) if one.superseded]
    placed = {one.id: index for index, one in enumerate(candidates)} if replaced else {}
    above = {index: placed[by] for index in replaced if (by := candidates[index].replaced_by) in placed}
    for index in sorted(above, key=lambda index: _height(index, above)):
        lowered[index] = min(lowered[index], lowered[above[index]] * REPLACED)
    return lowered


def _height(index: int, above: Mapping[int, int]) -> int:
    """How many that replaced one another are above it."""
    seen = {index}
    while (index := above.get(index, index)) not in seen:
        seen.add(index)
    return len(seen)
