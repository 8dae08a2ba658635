"""Which units a search looks at closely: ranked by all that speaks for each, as far as the packed form tells.

Three steps, each by the whole score: the signs of the question and of each unit leave `ROUGHLY_RANKED` units, the
question's own values and the signs leave `COMPARED_EXACTLY`, and the vectors themselves, which the database compares,
leave as many as leave a search.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_app.rules import fusion
from memory_app.rules.fusion import Periods, Statistics
from memory_app.rules.units import FROM_ASSISTANT, WORD, Units

Array = NDArray[Any]

ROUGHLY_RANKED, COMPARED_EXACTLY = 1500, 500
"""Units that each step leaves (`bench candidates`)."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

SIGN_SCALE = math.sqrt(2 / math.pi)
"""What the values of a unit vector come to beside their signs, times the root of its dimensions."""


@dataclass(frozen=True)
class Term:
    """A word of the question, or a side of a life: alternatives, each the hashes of words that a unit must have all."""

    alternatives: Sequence[Sequence[int]]

    @property
    def counts(self) -> bool:
        """Whether it means anything to the text search: stop words do not."""
        return any(self.alternatives)


@dataclass(frozen=True)
class Evidence:
    """What speaks for each unit besides its vector, and the statistics of all of them.

    said: a bit for each term that a unit has in its words; matched: or by whom it is about. flat: what speaker, time
    and role add to its score."""

    said: Array
    matched: Array
    speaker: Array
    flat: Array
    statistics: Statistics
    speakers_named: bool


def said_terms(units: Units, terms: Sequence[Term]) -> Array:
    """A bit for each term that a unit has."""
    said = np.zeros(len(units), np.int64)
    wanted = np.array(sorted({h for term in terms for one in term.alternatives for h in one}), WORD)
    if not len(wanted) or not len(units.words):
        return said
    at = np.flatnonzero(np.isin(units.words, wanted))
    owners, hashes = np.searchsorted(units.ends, at, side="right"), units.words[at]
    having = {int(one): np.unique(owners[hashes == one]) for one in wanted}
    for bit, term in enumerate(terms):
        for hashes_of_one in filter(None, term.alternatives):
            first, *others = (having[one] for one in hashes_of_one)
            for other in others:
                first = np.intersect1d(first, other, assume_unique=True)
            said[first] |= 1 << bit
    return said


def linked_terms(units: Units, ids: Array, bits: Array) -> Array:
    """A bit for each term that names what a unit's row is linked to. ids: of those rows, in halves; bits: theirs."""
    linked = np.zeros(len(units), np.int64)
    if len(ids):
        order = np.argsort(ids["low"])
        at = np.minimum(np.searchsorted(ids["low"][order], units.records["low"]), len(ids) - 1)
        rows = order[at]
        same = (ids["low"][rows] == units.records["low"]) & (ids["high"][rows] == units.records["high"])
        linked[same] = bits[rows[same]]
    return linked


def flat_bonus(units: Units, speaker: Array, periods: Periods, wants_assistant: bool | None) -> Array:
    """What speaks for a unit besides meaning and words. wants_assistant: whose words are wanted; None where roles tell
    nothing apart."""
    flat = fusion.SPEAKER * speaker
    for start, end in merged(periods):
        said_at = units.records["said_at"]
        flat = flat + fusion.TIME * ((said_at >= start) & (said_at < end))
    if wants_assistant is not None:
        flat = flat + fusion.ROLE * (from_assistant(units) == wants_assistant)
    return flat


def from_assistant(units: Units) -> Array:
    flags: Array = units.records["flags"]
    spoken: Array = np.not_equal(flags & FROM_ASSISTANT, 0)
    return spoken


def merged(periods: Periods) -> list[tuple[int, int]]:
    """Periods as microseconds since 1970, where they overlap as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted((microseconds(start), microseconds(end)) for start, end in periods):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def microseconds(moment: datetime) -> int:
    """Since 1970."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def word_part(evidence: Evidence, words: Array) -> Array:
    """What its words add to the score of each unit. words: how many distinct ones each has."""
    masks, which = np.unique(evidence.matched, return_inverse=True)
    covered = np.array([evidence.statistics.covered_by(int(mask)) for mask in masks])[which]
    part: Array = fusion.WORDS * covered / (1 + np.log(np.maximum(words / fusion.LONG, 1)))
    return part


def closeness(cosines: Array) -> Array:
    """As `fusion.closeness`, of many."""
    return np.clip((cosines - fusion.COSINE_FLOOR) / fusion.COSINE_SPAN, 0, 1)


def cosines_by_signs(signs: Array, question: Array) -> Array:
    """Cosines as the signs of both sides tell them."""
    packed = np.packbits(question > 0)
    apart = np.bitwise_count(_as_words(signs ^ packed)).sum(axis=1, dtype=np.int32)
    cosines: Array = np.cos(np.pi * apart / len(question))
    return cosines


def cosines_by_values(signs: Array, question: Array) -> Array:
    """Cosines as the signs of the units and the question's own values tell them."""
    plus_and_minus = np.unpackbits(signs, axis=1, count=len(question)).astype(np.float32) * 2 - 1
    cosines: Array = plus_and_minus @ question.astype(np.float32) / (math.sqrt(len(question)) * SIGN_SCALE)
    return cosines


def _as_words(packed: Array) -> Array:
    """Bytes as the widest whole numbers that they make."""
    return packed.view(np.uint64) if packed.shape[1] % 8 == 0 else packed


def best(scores: Array, records: Array, most: int) -> Array:
    """Places of the best scores, best first; of equal ones the newer row first."""
    order = np.arange(len(scores))
    if len(scores) > most:
        least = np.partition(scores, -most)[-most]
        order = np.flatnonzero(scores >= least)
    of = records[order]
    return order[np.lexsort((of["low"], of["high"], scores[order]))[::-1]][:most]
