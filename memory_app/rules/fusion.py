"""Fusion: one score from what each signal says, on fixed scales, and the share of each in it.

Signal by signal, and not row by row: two hundred candidates of every search come through here. Constants were set on
conversations 1–3 of LoCoMo and held on 4–5 and on a set of mixed lengths (`docs/benchmarks.md`). What no row changes
for another is on a fixed scale: dividing by the best row's value was measured to find less.
"""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

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

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LONG_AGO = -(2**63)
"""In microseconds since then: of what was told nobody knows when."""

Periods = Sequence[tuple[datetime, datetime]]


Array = NDArray[Any]

Columns = dict[str, Array]
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
class SignalColumns:
    """The signals of many candidates, each in one array: as `Signals` has them, but NaN for no cosine, a number for a
    session, and times in microseconds since 1970. often: of each word, for all candidates; empty where nobody asks."""

    ids: Sequence[str]
    cosine: Array
    bare_cosine: Array
    matched: Array
    words: Array
    session: Array
    position: Array
    speaker_named: Array
    from_wanted_role: Array
    said_at: Array
    asks: Array
    linked: Array
    replaced_by: Sequence[str]
    superseded: Array
    part: Array
    often: Sequence[Array] = ()

    @classmethod
    def of(cls, rows: Sequence[Signals]) -> Self:
        """The columns of rows that were made one by one."""
        sessions = {session: number for number, session in enumerate(dict.fromkeys(row.session for row in rows))}
        return cls(
            [str(row.id) for row in rows],
            np.array([row.cosine for row in rows], np.float64),
            np.array([row.bare_cosine for row in rows], np.float64),
            np.array([row.matched for row in rows], np.int64),
            np.array([row.words for row in rows], np.int64),
            np.array([sessions[row.session] for row in rows], np.int64),
            np.array([row.position for row in rows], np.int64),
            np.array([row.speaker_named for row in rows], np.bool_),
            np.array([row.from_wanted_role for row in rows], np.bool_),
            np.array([microseconds(row.said_at) if row.said_at else LONG_AGO for row in rows], np.int64),
            np.array([row.asks for row in rows], np.bool_),
            np.array([row.linked for row in rows], np.int64),
            [str(row.replaced_by) for row in rows],
            np.array([row.superseded for row in rows], np.bool_),
            np.array([row.part for row in rows], np.int64),
            [np.array(often) for often in zip(*(row.often for row in rows), strict=True)],
        )

    def __len__(self) -> int:
        return len(self.ids)

    def row(self, place: int) -> Signals:
        """The signals of one candidate."""
        cosine, bare = float(self.cosine[place]), float(self.bare_cosine[place])
        return Signals(
            id=self.ids[place],
            cosine=None if math.isnan(cosine) else cosine,
            bare_cosine=None if math.isnan(bare) else bare,
            matched=int(self.matched[place]),
            words=int(self.words[place]),
            session=int(self.session[place]),
            position=int(self.position[place]),
            speaker_named=bool(self.speaker_named[place]),
            from_wanted_role=bool(self.from_wanted_role[place]),
            said_at=EPOCH + timedelta(microseconds=int(self.said_at[place])),
            asks=bool(self.asks[place]),
            linked=int(self.linked[place]),
            replaced_by=self.replaced_by[place],
            superseded=bool(self.superseded[place]),
            part=int(self.part[place]),
            often=[float(one[place]) for one in self.often],
        )


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


def closenesses(cosines: Array) -> Array:
    """As `closeness`, of many; NaN is none."""
    return np.clip((np.nan_to_num(cosines, nan=-1.0) - COSINE_FLOOR) / COSINE_SPAN, 0.0, 1.0)


def brevity(words: int) -> float:
    """1 for a short text; a long one has more words in common with anything."""
    return 1 / (1 + math.log(max(1.0, words / LONG)))


def coverages(matched: Array, words: Array, statistics: Statistics) -> Array:
    """How much of the question the words of each row cover, 0..1, long texts for less. matched: as `Signals` has it;
    words: distinct ones of each row."""
    found: Array = np.zeros(len(matched))
    having = np.flatnonzero(matched)  # few of all
    masks, which = np.unique(matched[having], return_inverse=True)
    covered = np.array([statistics.covered_by(int(mask)) for mask in masks], np.float64)[which]
    found[having] = covered / (1 + np.log(np.maximum(words[having] / LONG, 1.0)))
    return found


def text_scores(matched: Array, often: Sequence[Array], words: Array, statistics: Statistics) -> Array:
    """How well each row answers by its words alone, 0..1: by BM25, and whatever has all of the words first."""
    weighed = bm25(matched, often, words, weights=statistics.weights, average=statistics.average)
    has_all = (matched & statistics.held == statistics.held) & (statistics.held != 0)
    scores = HAS_ALL * has_all + (1 - HAS_ALL) * weighed / (statistics.asked or 1.0)
    return np.where(matched != 0, scores, 0.0)


def time_match(said_at: datetime | None, periods: Periods) -> float:
    """1 in one of the periods, half of that for two weeks after one, else 0."""
    if said_at is None or not periods:
        return 0.0
    if any(start <= said_at < end for start, end in periods):
        return 1.0
    later = any(end <= said_at < end + TOLD_LATER_FOR for _, end in periods)
    return TOLD_LATER if later else 0.0


def time_matches(said_at: Array, periods: Periods) -> Array:
    """As `time_match`, of many."""
    matches: Array = np.zeros(len(said_at))
    for value, spans in (
        (TOLD_LATER, [(end, end + TOLD_LATER_FOR) for _, end in periods]),
        (1.0, periods),
    ):
        for start, end in spans:
            matches[(said_at >= microseconds(start)) & (said_at < microseconds(end))] = value
    return matches


def microseconds(moment: datetime) -> int:
    """Since 1970."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def fuse(
    candidates: SignalColumns, statistics: Statistics, periods: Periods, method: str, limit: int
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
    order = np.argsort(-scores, kind="stable")
    found = order if method == "hybrid" else order[scores[order] > 0]
    shown = found[:limit]
    return _with_shares(shown, scores, parts), len(found)


def _parts(candidates: SignalColumns, statistics: Statistics, periods: Periods, method: str) -> Columns:
    """What each signal that the method asks says of each candidate for itself."""
    if method == "entity":
        return {"names": _names_covered(candidates, statistics)}
    if method == "text":
        return {"words": text_scores(candidates.matched, candidates.often, candidates.words, statistics)}
    words = coverages(candidates.matched, candidates.words, statistics)
    meaning = closenesses(candidates.cosine)
    if method == "vector":
        return {"meaning": meaning}
    if method == "rrf":
        return {"meaning": meaning, "words": words}
    names = coverages(candidates.matched & statistics.names, candidates.words, statistics)
    return {
        "meaning": MEANING * meaning,
        "words": WORDS * (words - names),
        "names": WORDS * names,
        "speaker": SPEAKER * candidates.speaker_named,
        "time": TIME * time_matches(candidates.said_at, periods),
        "role": ROLE * candidates.from_wanted_role,
    }


def _sums(parts: Columns) -> Array:
    total: Array = sum(parts.values(), np.zeros(1))
    return total


def _names_covered(candidates: SignalColumns, statistics: Statistics) -> Array:
    found = np.bitwise_count(candidates.matched & statistics.names) + candidates.speaker_named
    covered: Array = found / (statistics.names.bit_count() or 1)
    return covered


def _session_and_answer(candidates: SignalColumns, parts: Columns) -> Columns:
    """What a row gains from its session, and from the question it answers."""
    bases = _sums(parts)
    _, session = np.unique(candidates.session, return_inverse=True)
    order = np.lexsort((-bases, session))
    first = np.searchsorted(session[order], session[order])
    best = order[np.arange(len(order)) - first < SESSION_BEST]
    means = np.bincount(session[best], bases[best]) / np.maximum(np.bincount(session[best]), 1)
    answered = np.zeros(len(candidates))
    said = parts["meaning"] / MEANING + (parts["words"] + parts["names"]) / WORDS
    for before, after in _questions(candidates):
        answered[after] = ANSWER * said[before] / 2
    return {"session": SESSION * means[session] if len(session) else answered, "answer": answered}


def _questions(candidates: SignalColumns) -> list[tuple[int, int]]:
    """The rows that ask something, each with the one just after it in its session."""
    asking = np.flatnonzero(candidates.asks).tolist()
    if not asking:
        return []
    places = zip(candidates.session.tolist(), candidates.position.tolist(), strict=True)
    at = {place: index for index, place in enumerate(places)}
    after = ((int(candidates.session[index]), int(candidates.position[index]) + 1) for index in asking)
    return [(before, at[place]) for before, place in zip(asking, after, strict=True) if place in at]


def _by_rank(values: Array) -> Array:
    """1 / (k + rank) of each, equal values ranking alike; nothing where the signal says nothing."""
    different, which = np.unique(-values, return_inverse=True)
    ranks: Array = 1 / (RRF_K + 1.0 + np.arange(len(different)))[which]
    return np.where(values > 0, ranks, 0.0)


def _with_shares(shown: Array, scores: Array, parts: Columns) -> list[Ranked]:
    """The candidates at these places, each with the shares that its score is the sum of."""
    names, values = list(parts), np.array([part[shown] for part in parts.values()]).reshape(len(parts), -1)
    ranks = [1 + (part > part[shown][:, None]).sum(axis=1) for part in parts.values()]
    totals = values.sum(axis=0)
    shares = np.divide(values, totals, out=values.copy(), where=totals != 0)
    columns = zip(
        shown.tolist(),
        scores[shown].tolist(),
        np.array(ranks).T.tolist(),
        values.T.round(4).tolist(),
        shares.T.round(4).tolist(),
        strict=True,
    )
    return [
        Ranked(
            place,
            score,
            tuple(share for share in map(Share, names, ranks_of_row, values_of_row, shares_of_row) if share.value > 0),
        )
        for place, score, ranks_of_row, values_of_row, shares_of_row in columns
    ]


def _with_replaced_below(candidates: SignalColumns, scores: Array) -> Array:
    """The scores, where what was replaced is below what replaced it."""
    replaced = np.flatnonzero(candidates.superseded).tolist()
    if not replaced:
        return scores
    lowered = np.where(candidates.superseded, scores * REPLACED, scores)
    placed = {identifier: index for index, identifier in enumerate(candidates.ids)}
    above = {index: placed[by] for index in replaced if (by := candidates.replaced_by[index]) in placed}
    for index in sorted(above, key=lambda index: _height(index, above)):
        lowered[index] = min(lowered[index], lowered[above[index]] * REPLACED)
    return lowered


def _height(index: int, above: Mapping[int, int]) -> int:
    """How many that replaced one another are above it."""
    seen = {index}
    while (index := above.get(index, index)) not in seen:
        seen.add(index)
    return len(seen)
