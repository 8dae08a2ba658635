"""What was found that is relevant: enough to put before an assistant, at all to a search, or meant by a description.

The gate is a logistic combination of features of the five best rows and of the question's words; its coefficients were
fitted on conversations 1–3 of LoCoMo, as turns, as memories and as the observations made of them, and on short
statements of people written by hand; each one's questions put to its own person and to others (`docs/benchmarks.md`).

A search asks less. Its floor was set on the seen half of `bench/understanding`, where the answer is found for .83 of
the questions that have one, and anything for .05 of those on what was never told. What may be forgotten asks more.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_app.nlp import linear_re as re
from memory_app.nlp.queries.query_kind import QueryKind
from memory_app.rules.candidate_signals import SignalColumns, Signals, Statistics, rarity
from memory_app.rules.fusion import brevity, closeness, closenesses, coverages

SKIPPED_INTENTS = frozenset({"alarm", "cancel", "clock", "command", "greeting", "smalltalk", "stop", "time", "timer"})
"""What an intent may begin with that no memory helps with: `timer_set`, `time.query`, `cancel`."""

_FIRST_WORD = re.compile(r"[a-z]+")

BEST = 5
CLOSE, COVERED, UNSEEN, STRANGER, KNOWN, AMONG, BIAS = 16.1, 1.85, -1.6, -2.7, 2.9, -5.55, 11.0
THRESHOLD = 0.2

PERSONAL = -0.65
"""What the words of a question of one's own life count at least: it is often answered in other words ("who cuts my
hair?", "the same barber since 1974")."""

WORLD, ORDER = 0.8, 3.5
"""What more is asked of a question that names nothing known, and of an order to the assistant: what it rests on was
seldom told."""

FEWEST_TO_FIND_AMONG, MOST_TO_FIND_AMONG = 40, 1_000
"""Rows among which the nearest was found, as far as the gate was measured. The nearest of many is near by chance: the
largest of n draws grows as √(2 ln n)."""

ENOUGH = 10.0
"""Nats of rarity below which a question has too few words to count as wholly covered ("thanks!", "ok")."""

FEWEST_ROWS = 500.0
"""Rarity is taken as if there were at least so many rows: of a person with two memories, every word is in half."""

PART_OF_BEST = 0.5
"""Of the best row's score: what has less is left out even where the gate is open. At .6, of what search finds among its
first five for the questions of `bench/understanding` (the seen half), one answer more in a hundred is left out, and a
fifth of a line a brief."""

PART_OF_BEST_SIDE = 0.6
"""The same of rows that were found by the words that a side of a life is told by, which some have by chance."""

TOPIC_COVERED, TOPIC_CLOSE = 0.3, 0.6
"""Of a topic whose memories someone asks for ("the blue tile"): the share that a memory is to have of its words that
any memory has, by rarity, or how close in meaning it is to be (a cosine of .5), to be one of them. Set by eye."""


def skips_intent(intent: str) -> bool:
    """Whether an assistant's own name for what is asked says that no memory helps."""
    word = _FIRST_WORD.match(intent.casefold().replace("small_talk", "smalltalk"))
    return word is not None and word.group() in SKIPPED_INTENTS


def gate_opens(
    best: Sequence[Signals], statistics: Statistics, names_known: bool, kind: QueryKind = QueryKind.OTHER
) -> bool:
    """Whether a brief may hold anything. best: the rows as ranked; names_known: a speaker of theirs is named."""
    return gate_score(best, statistics, names_known, kind) >= THRESHOLD


def is_relevant_enough(score: float, best: float, part: float = PART_OF_BEST) -> bool:
    """Whether one row is nearly as relevant as the best."""
    return score >= part * best


def is_about_topic(row: Signals, statistics: Statistics) -> bool:
    """Whether a row is about a topic that was asked for by itself: it has a word of it, or means much the same."""
    said = sum(weight for bit, weight in enumerate(statistics.weights) if row.matched >> bit & 1)
    covered = said / (sum(statistics.weights) or 1.0) * brevity(row.words)
    return covered >= TOPIC_COVERED or closeness(row.bare_cosine) >= TOPIC_CLOSE


def has_related_word(row: Signals, statistics: Statistics) -> bool:
    """Whether a row has a word by which a side of a life is told that was asked of."""
    return bool(row.matched & statistics.sides_asked_of)


def gate_score(
    best: Sequence[Signals], statistics: Statistics, names_known: bool, kind: QueryKind = QueryKind.OTHER
) -> float:
    """The log-odds, up to a constant, that what was found is relevant."""
    top = best[:BEST]
    if not top:
        return float("-inf")
    close = (max(row.cosine or 0.0 for row in top) + max(row.bare_cosine or 0.0 for row in top)) / 2
    words = _words(top, statistics, names_known)
    if not (names_known or _names_known(statistics)):
        words -= ORDER if kind is QueryKind.ORDER else WORLD
    if kind is QueryKind.PERSONAL:
        words = max(words, PERSONAL)
    names = STRANGER * _names_a_stranger(statistics) + KNOWN * names_known
    return CLOSE * close + words + names + AMONG * _nearest_by_chance(statistics.rows) + BIAS


def _words(top: Sequence[Signals], statistics: Statistics, names_known: bool) -> float:
    """What the words that the question shares with what was found speak for, and those that nothing has against."""
    weights = _weights(statistics, names_known)
    total = sum(weights)
    unseen = sum(w for w, df in zip(weights, statistics.holding, strict=True) if not df) / total if total else 1.0
    covered = max(_covered(row, weights) for row in top) / max(total, ENOUGH)
    return COVERED * covered + UNSEEN * unseen


def _names_known(statistics: Statistics) -> bool:
    """Whether the question names what some visible row speaks of."""
    return any(holding for bit, holding in enumerate(statistics.holding) if statistics.names >> bit & 1)


def _nearest_by_chance(rows: float) -> float:
    among = min(max(rows, FEWEST_TO_FIND_AMONG), MOST_TO_FIND_AMONG)
    return math.sqrt(2 * math.log(among))


def _weights(statistics: Statistics, names_known: bool) -> list[float]:
    """Rarity of each word; names of speakers and stop words weigh nothing."""
    rows = max(statistics.rows, FEWEST_ROWS)
    return [
        rarity(rows, holding) if counts and not (name and names_known and holding) else 0.0
        for holding, counts, name in zip(statistics.holding, statistics.counts, statistics.is_name, strict=True)
    ]


def _covered(row: Signals, weights: Sequence[float]) -> float:
    return sum(weight for bit, weight in enumerate(weights) if row.matched >> bit & 1) * brevity(row.words)


def _names_a_stranger(statistics: Statistics) -> bool:
    """Whether the question has a name that no visible row holds."""
    return any(name and not holding for name, holding in zip(statistics.is_name, statistics.holding, strict=True))


WORDS = 0.3
"""What the words in common add, where they are all of the query."""

MIN_RELEVANCE = 0.35
"""What the most relevant of FEW rows must come to, or nothing is found: a cosine of .31 where no word is in common."""

RELEVANCE_MARGIN, RELEVANT_PART_OF_BEST = 0.1, 0.3
"""By how much less the others may have then, and what part of the best they must have."""

CHANCE_FACTOR, FEW_ROWS, MANY_ROWS = 0.15, 20, 1_000
"""The nearest of many rows is near by chance: the largest of n draws grows as √(2 ln n), and so does what is asked."""


def relevant_rows(rows: SignalColumns, statistics: Statistics) -> list[bool]:
    """For each row, whether it is relevant."""
    values = relevances(rows, statistics)
    floor = MIN_RELEVANCE + CHANCE_FACTOR * (_largest_of(statistics.rows) - _largest_of(FEW_ROWS))
    best = max(values.tolist(), default=0.0)
    enough = (values >= max(floor - RELEVANCE_MARGIN, RELEVANT_PART_OF_BEST * best)) & (best >= floor)
    relevant: list[bool] = enough.tolist()
    return relevant


def relevances(rows: SignalColumns, statistics: Statistics) -> NDArray[Any]:
    """How much each row has to do with the query: 1 or more where it has all that was asked for."""
    said = coverages(rows.matched, rows.words, statistics)
    bare = np.where(np.isnan(rows.bare_cosine), rows.cosine, rows.bare_cosine)
    near = closenesses((rows.cosine + bare) / 2) + WORDS * said
    by_side = (rows.matched & statistics.sides_asked_of) != 0
    sure = _have_every_word(rows, statistics) | by_side
    return np.where(sure, 1.0, np.where(np.isnan(rows.cosine), said, near))


def _largest_of(rows: float) -> float:
    return math.sqrt(2 * math.log(min(max(rows, FEW_ROWS), MANY_ROWS)))


def _have_every_word(rows: SignalColumns, statistics: Statistics) -> NDArray[Any]:
    """Whether each row has each word of the query that means anything to the text search."""
    own = len(statistics.counts) - statistics.sides
    asked = sum(1 << bit for bit, counts in enumerate(statistics.counts[:own]) if counts)
    every: NDArray[Any] = (rows.matched & asked == asked) & (asked != 0)
    return every


MEANT_FROM = 0.4
"""Cosine from which a memory may be meant that shares no word with its description. Of all-MiniLM-L6-v2, tried with
twenty descriptions of ten memories: of another subject, up to .31; the same in other words, mostly .38 to .64."""

SAID_IN_PART, NEAR = 0.5, 0.3
"""A memory that has half of the words said, by rarity, is meant if it is of the same subject too."""

MAX_COSINE_GAP = 0.2
"""Cosine by which one may be further than the closest and still be meant."""


def match_description(found: Sequence[Signals], statistics: Statistics) -> list[int]:
    """Positions in `found`, in its order, of what a description may mean: those that have all of its words, or else
    those that have many of them or are close in meaning."""
    parts = [_words_share(one, statistics) for one in found]
    whole = [at for at, part in enumerate(parts) if part >= 1]
    return whole or _near(found, parts)


def _near(found: Sequence[Signals], parts: Sequence[float]) -> list[int]:
    cosines = [one.cosine or 0.0 for one in found]
    best = max(cosines, default=0.0)
    return [
        at
        for at, (part, cosine) in enumerate(zip(parts, cosines, strict=True))
        if cosine >= best - MAX_COSINE_GAP and (cosine >= MEANT_FROM or (part >= SAID_IN_PART and cosine >= NEAR))
    ]


def _words_share(one: Signals, statistics: Statistics) -> float:
    """The part of the description's words that the row has, 0..1, rare words counting more; words the text search
    leaves out do not count, those that no row has do."""
    weights = [
        rarity(statistics.rows, holding) if counts else 0.0
        for holding, counts in zip(statistics.holding, statistics.counts, strict=True)
    ]
    total = sum(weights)
    return sum(weight for bit, weight in enumerate(weights) if one.matched >> bit & 1) / total if total else 0.0
