"""Which units a search looks at closely: ranked by all that speaks for each, as far as the packed form tells.

Three steps, each by the whole score: the signs of the question and of the units leave `ROUGHLY_RANKED` of them, the
question's own values and the signs leave some hundreds, and the vectors themselves, which the database compares,
leave `MAX_CANDIDATES` for fusion.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_app.rules import fusion
from memory_app.rules.candidate_signals import Statistics, microseconds
from memory_app.rules.fusion import Periods, closenesses, coverages, text_scores
from memory_app.rules.units import FROM_ASSISTANT, WORD, Units

Array = NDArray[Any]

ROUGHLY_RANKED = 4000
FEWEST_COMPARED, MOST_COMPARED, COMPARED_PART = 500, 1200, 0.012
"""Units that a step leaves. Of the 10, 20 and 200 nearest of 100,000 real vectors the last one leaves 1.000, 1.000 and
.992; of 10,000, 1.000, 1.000 and .97 (`bench candidates`)."""

MAX_CANDIDATES = 200
"""Rows that leave a search for fusion: with the best 60, recall@10 was measured .003 lower."""

MAX_PARTS = 2 * MAX_CANDIDATES
"""Units among which these are looked for: of a long row several may be near."""

SIGN_SCALE = math.sqrt(2 / math.pi)
"""What the product of a unit vector with its own signs comes to, times the root of its dimensions."""

ALL_BYTES = 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1) - 1
"""The signs that each byte stands for."""

Term = Sequence[Sequence[int]]
"""A word of the question, or a side of a life: alternatives, each the hashes of words that a unit must have all. Empty
where it means nothing to the text search, as stop words do."""


@dataclass(frozen=True)
class Evidence:
    """What speaks for each unit besides its vector, and the statistics of all of them.

    matched: a bit for each term that a unit has; linked: by whom it is about. often: how many times it has each, where
    words alone are compared. flat: what speaker, time and role add to its score.
    """

    matched: Array
    linked: Array
    often: Sequence[Array]
    speaker: Array
    flat: Array
    statistics: Statistics

    @property
    def speakers_named(self) -> bool:
        """Whether someone who is called as someone in the question said a unit."""
        return bool(self.speaker.any())


@dataclass(frozen=True)
class TermCounts:
    """Which units have which hashes, and how often."""

    places: Mapping[int, Array]
    counts: Mapping[int, Array]


def term_counts(units: Units, terms: Sequence[Term]) -> TermCounts:
    """Of the hashes that the terms are made of, the places of the units that have each."""
    wanted = np.array(sorted({number for term in terms for one in term for number in one}), WORD)
    at = np.flatnonzero(np.isin(units.words, wanted))
    owners = np.searchsorted(np.cumsum(units.records["hashes"]), at, side="right")
    found = units.words[at]
    pairs = {int(one): np.unique(owners[found == one], return_counts=True) for one in wanted}
    return TermCounts({one: pair[0] for one, pair in pairs.items()}, {one: pair[1] for one, pair in pairs.items()})


def said_terms(size: int, terms: Sequence[Term], counts: TermCounts) -> Array:
    """A bit for each term that a unit has. size: how many units there are."""
    said = np.zeros(size, np.int64)
    for bit, term in enumerate(terms):
        for first, *others in term:
            having = counts.places[first]
            for other in others:
                having = np.intersect1d(having, counts.places[other], assume_unique=True)
            said[having] |= 1 << bit
    return said


def how_often(size: int, terms: Sequence[Term], counts: TermCounts) -> list[Array]:
    """Of each term, how many times a unit has it: of the alternatives in all, of each by the first of its words."""
    often = [np.zeros(size) for _ in terms]
    for of_term, term in zip(often, terms, strict=True):
        for first in {one[0] for one in term}:
            of_term[counts.places[first]] += counts.counts[first]
    return often


def flat_bonus(units: Units, speaker: Array, periods: Periods, wants_assistant: bool | None) -> Array:
    """What speaks for a unit besides meaning and words. wants_assistant: whose words are wanted; None where roles tell
    nothing apart."""
    flat: Array = fusion.SPEAKER * speaker
    if periods:
        flat = flat + fusion.TIME * told_in(units, periods)
    if wants_assistant is not None:
        flat = flat + fusion.ROLE * (from_assistant(units) == wants_assistant)
    return flat


def told_in(units: Units, periods: Periods) -> Array:
    """Whether each was told in one of the periods."""
    told: Array = np.zeros(len(units), np.bool_)
    said_at = units.records["said_at"]
    for start, end in periods:
        told |= (said_at >= microseconds(start)) & (said_at < microseconds(end))
    return told


def from_assistant(units: Units) -> Array:
    spoken: Array = np.not_equal(units.records["flags"] & FROM_ASSISTANT, 0)
    return spoken


def rank_closely(units: Units, evidence: Evidence, method: str, question: Array | None) -> Array:
    """Places of the units to compare exactly. question: its vector; None where nothing is compared by meaning."""
    places = np.arange(len(units))
    if question is None:
        scores = base_scores(units, evidence, method, places, None)
        speaks = scores > 0 if method == "text" else np.ones(len(scores), np.bool_)
        return best_units(scores[speaks], units, places[speaks], MOST_COMPARED)
    for compare, most in ((cosines_by_signs, ROUGHLY_RANKED), (cosines_by_values, compared_exactly(len(units)))):
        if len(places) > most:
            cosines = _cosines_at(units, places, question, compare)
            places = best_units(base_scores(units, evidence, method, places, cosines), units, places, most)
    return places


def compared_exactly(units: int) -> int:
    """How many of so many units are compared exactly."""
    return int(min(max(FEWEST_COMPARED, COMPARED_PART * units), MOST_COMPARED))


def _cosines_at(units: Units, places: Array, question: Array, compare: Callable[[Array, Array], Array]) -> Array:
    """Of the units at these places; NaN of those without a vector."""
    cosines = np.full(len(places), np.nan)
    compared = places < len(units.signs)
    signs = units.signs if len(places) == len(units) else units.signs[places[compared]]
    cosines[compared] = compare(signs, question)
    return cosines


def base_scores(units: Units, evidence: Evidence, method: str, places: Array, cosines: Array | None) -> Array:
    """The score of the units at these places, of what is known before fusion. cosines: NaN where there is no vector."""
    none = np.full(len(places), np.nan) if cosines is None else cosines
    if method == "vector":
        return np.nan_to_num(none, nan=-1.0)
    words, statistics = units.records["words"][places], evidence.statistics
    if method == "text":
        return text_scores(evidence.matched[places], [one[places] for one in evidence.often], words, statistics)
    covered = fusion.WORDS * coverages(evidence.matched[places], words, statistics)
    scores: Array = fusion.MEANING * closenesses(none) + covered + evidence.flat[places]
    return scores


def cosines_by_signs(signs: Array, question: Array) -> Array:
    """Cosines as the signs of both sides tell them."""
    asked = np.packbits(question > 0)
    wide = (signs.view(np.uint64), asked.view(np.uint64)) if signs.shape[1] % 8 == 0 else (signs, asked)
    apart = np.zeros(len(signs), np.uint16)
    for column, of_question in zip(wide[0].T, wide[1], strict=True):  # several times as quick as sums along rows
        apart += np.bitwise_count(column ^ of_question)
    of_each_count: Array = np.cos(np.pi * np.arange(len(question) + 8) / len(question))
    return of_each_count[apart]


def cosines_by_values(signs: Array, question: Array) -> Array:
    """Cosines as the signs of the units and the question's own values tell them."""
    values = np.pad(question, (0, 8 * signs.shape[1] - len(question))).reshape(-1, 8)
    of_each_byte = (values @ ALL_BYTES.T).astype(np.float32).ravel()  # what a byte of signs comes to, at each place
    sums = of_each_byte.take(signs + 256 * np.arange(signs.shape[1])).sum(axis=1)
    cosines: Array = sums / (math.sqrt(len(question)) * SIGN_SCALE)
    return cosines


def best_by_signs(signs: Array, vectors: Array, may_be: Array, most: int) -> Array:
    """Places of the units that are among the closest to any of the vectors, as their signs and its own values tell.
    may_be: for each vector, which of the units are compared with it. most: of each vector."""
    above = len(signs) - most
    if above <= 0:
        return np.flatnonzero(may_be.any(axis=0))
    bits = np.unpackbits(signs, axis=1, count=vectors.shape[1]).astype(np.float32)
    # Of signs that are 1 or −1, half the inner product, but for a part that is the same for all units.
    close = np.where(may_be, vectors @ bits.T, -np.inf)
    least = np.partition(close, above, axis=1)[:, above : above + 1]
    return np.flatnonzero(((close >= least) & may_be).any(axis=0))


def best_units(scores: Array, units: Units, places: Array, most: int) -> Array:
    """The places of the best scores, in no order; of equal ones at the end the newer rows."""
    if len(scores) <= most:
        return places
    least = np.partition(scores, -most)[-most]
    above, equal = places[scores > least], places[scores == least]
    newest_first = _newest_last(units, equal)[::-1]
    return np.concatenate([above, equal[newest_first[: most - len(above)]]])


def _newest_last(units: Units, places: Array, *scores: Array) -> Array:
    """The order of the units at these places, by their scores and rows."""
    records = units.records[places]
    return np.lexsort((-records["part"].astype(np.int32), records["low"], records["high"], *scores))


def best_of_each_row(units: Units, scores: Array, places: Array, most: int) -> Array:
    """Which of the places and scores are the best of their row, best first."""
    at = _newest_last(units, places, scores)[::-1][:MAX_PARTS]
    ranked = places[at]
    records = units.records[ranked]
    rows = zip(records["high"].tolist(), records["low"].tolist(), strict=True)
    first: dict[tuple[int, int], int] = {}
    for place, row in zip(at.tolist(), rows, strict=True):
        first.setdefault(row, place)
    return np.array(list(first.values())[:most], np.int64)
