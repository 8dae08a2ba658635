"""What each signal contributed to a score; and what a reranker added."""

from collections.abc import Sequence
from typing import NamedTuple


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


def given_place(why: Sequence[Share], score: float, given: float, rank: int) -> tuple[Share, ...]:
    """The shares of a result that a reranker gave a place, and with it the score of that place: what it said for
    itself, and what the reranker added (or took, as a share below 0). Together they are the whole score."""
    part = score / given if given else 0.0
    moved = Share("rerank", rank, round(given - score, 4), round(1 - part, 4))
    return (*(share._replace(share=round(share.share * part, 4)) for share in why), moved)
