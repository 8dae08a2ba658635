"""Fusion: one score from what each signal says, on fixed scales, and the share of each in it.

Signal by signal, and not row by row: two hundred candidates of every search come through here. Constants were set on
conversations 1–3 of LoCoMo and held on 4–5 and on a set of mixed lengths (`docs/benchmarks.md`). What no row changes
for another is on a fixed scale: dividing by the best row's value was measured to find less.
"""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np

from memory_app.rules.bm25 import HAS_ALL, bm25
from memory_app.rules.candidate_signals import Array, SignalColumns, Statistics, microseconds

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

SESSION, SESSION_BEST = 0.3, 3
"""A row gains this part of the mean of its session's three best, of all where it has fewer: what was said around it is
about the same."""

ANSWER = 0.16
"""A row gains this part of the one just before it, where that one asks something: an answer rarely repeats it."""

LONG = 40
"""Distinct words from which a text counts as long, and what it has in common with a question for less."""

TOLD_LATER, TOLD_LATER_FOR = 0.5, timedelta(days=14)
"""What happened at a time is often told days after: such a row has half of the time signal."""

RRF_K = 60
"""The usual constant of reciprocal rank fusion (Cormack et al., SIGIR 2009); selectable, and not the default."""


Periods = Sequence[tuple[datetime, datetime]]


Columns = dict[str, Array]
"""By signal: what it adds to the score of each candidate."""


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
