"""What speaks for each candidate of a search, one by one and in columns, and the statistics of what may be seen."""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

MISSING_WORD_WEIGHT, IMPLIED_WORD_WEIGHT = 0.3, 0.75
"""What a question asks besides the words that some row has, in the measure of what is covered: this part of each word
that none has, and for what is only meant this part of the rarest word. Without these "how much do I charge?" is wholly
answered by any row with "much", and a question of which only a name is known by any row with that name
(`docs/benchmarks.md`)."""

RELATED_WORD_WEIGHT = 0.5
"""Of the weight of a question's own words, that of words akin to them."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LONG_AGO = -(2**63)
"""In microseconds since then: of what was told nobody knows when."""


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


def microseconds(moment: datetime) -> int:
    """Since 1970."""
    return (moment - EPOCH) // timedelta(microseconds=1)
