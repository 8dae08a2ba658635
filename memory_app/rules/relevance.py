"""Relevance: which of what was found has to do with the query at all, so that a search can say that it found nothing.

Ranking needs no such floor, and the gate of a brief is stricter. Set on the seen half of `bench/understanding`, where
the answer is found for .83 of the questions that have one, and anything for .05 of those on what was never told.
"""

import math
from collections.abc import Sequence

from memory_app.rules.fusion import Signals, Statistics, closeness, coverage

WORDS = 0.3
"""What the words in common add, where they are all of the query."""

FOUND = 0.35
"""What the most relevant of FEW rows must come to, or nothing is found: a cosine of .31 where no word is in common."""

BESIDE, PART_OF_BEST = 0.1, 0.3
"""By how much less the others may have then, and what part of the best they must have."""

BY_CHANCE, FEW, MANY = 0.15, 20, 1_000
"""The nearest of many rows is near by chance: the largest of n draws grows as √(2 ln n), and so does what is asked."""


def relevant(rows: Sequence[Signals], statistics: Statistics) -> list[bool]:
    """For each row, whether it is relevant."""
    values = [relevance(row, statistics) for row in rows]
    floor = FOUND + BY_CHANCE * (_largest_of(statistics.rows) - _largest_of(FEW))
    best = max(values, default=0.0)
    return [best >= floor and value >= max(floor - BESIDE, PART_OF_BEST * best) for value in values]


def relevance(row: Signals, statistics: Statistics) -> float:
    """How much a row has to do with the query: 1 or more where it has all that was asked for."""
    if _has_every_word(row, statistics) or row.matched & statistics.sides_asked_of:
        return 1.0
    said = coverage(row, statistics)
    if row.cosine is None:
        return said
    bare = row.cosine if row.bare_cosine is None else row.bare_cosine
    return closeness((row.cosine + bare) / 2) + WORDS * said


def _largest_of(rows: float) -> float:
    return math.sqrt(2 * math.log(min(max(rows, FEW), MANY)))


def _has_every_word(row: Signals, statistics: Statistics) -> bool:
    """Whether a row has each word of the query that means anything to the text search."""
    own = len(statistics.counts) - statistics.sides
    asked = sum(1 << bit for bit, counts in enumerate(statistics.counts[:own]) if counts)
    return bool(asked) and not asked & ~row.matched
