"""Which of the memories found for a description are those it may mean: only real matches, for they may be forgotten.

A search shows the best it has; here the best may be nothing at all.
"""

from collections.abc import Sequence

from memory_app.rules.fusion import Signals, Statistics, rarity

CLOSE = 0.4
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
        if cosine >= best - MAX_COSINE_GAP and (cosine >= CLOSE or (part >= SAID_IN_PART and cosine >= NEAR))
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
