"""What comes up again and again: groups of things near each other, and what a person reacts to or asks for often."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memory_app.nlp.text import normalised

NEAR = 0.55
"""Cosine with the middle of a group from which one belongs to it. By all-MiniLM-L6-v2 two sentences on one subject
come to .5 to .7, and two on different ones to .3 at most."""


def clusters(vectors: NDArray[np.float32]) -> list[list[int]]:
    """Indexes by group, the largest first; alone is a group too. Rows are unit vectors.

    Each joins the nearest group that is near enough, in order; the middle of a group moves with it.
    """
    groups: list[list[int]] = []
    middles: list[NDArray[np.float32]] = []
    for index, vector in enumerate(vectors):
        cosines = [float(vector @ middle) for middle in middles]
        best = int(np.argmax(cosines)) if cosines else -1
        if best >= 0 and cosines[best] >= NEAR:
            groups[best].append(index)
            middles[best] = _middle(vectors[groups[best]])
        else:
            groups.append([index])
            middles.append(vector)
    return sorted(groups, key=lambda group: (-len(group), group[0]))


def centre(vectors: NDArray[np.float32], group: Sequence[int]) -> int:
    """The one of a group that is nearest to its middle: it stands for the others."""
    middle = _middle(vectors[list(group)])
    return group[int(np.argmax(vectors[list(group)] @ middle))]


def _middle(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    total = vectors.sum(axis=0)
    length = float(np.linalg.norm(total))
    unit: NDArray[np.float32] = total / length if length else total
    return unit


OFTEN_ENOUGH = 3
"""Signals for a subject, those against it taken off (seed 003: three reactions to one topic)."""


@dataclass(frozen=True, slots=True)
class InterestSignal:
    """One signal, as far as this goes. terms: the subject, and the words it may share with others."""

    subject: str
    terms: frozenset[str]
    liked: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class Interest:
    """subject: as it was written last, or the word that several subjects share."""

    subject: str
    times: int
    last: datetime


def find_interests(signals: Sequence[InterestSignal]) -> list[Interest]:
    """The subjects that come often enough, the most frequent first, then the latest. A word of a subject that is one
    itself is left out: it says less."""
    found = {term: _interest(term, [one for one in signals if term in one.terms]) for term in _terms(signals)}
    often = [(term, one) for term, one in found.items() if one.times >= OFTEN_ENOUGH]
    subjects = {normalised(one.subject) for one in signals}
    whole = [term for term, _ in often if term in subjects]
    interests = [one for term, one in often if term in subjects or not any(term in other.split() for other in whole)]
    return sorted(interests, key=lambda one: (-one.times, -one.last.timestamp(), one.subject))


def _terms(signals: Iterable[InterestSignal]) -> set[str]:
    return {term for one in signals for term in one.terms}


def _interest(term: str, signals: Sequence[InterestSignal]) -> Interest:
    last = max(signals, key=lambda one: one.at)
    subject = last.subject if normalised(last.subject) == term else _written(term, last.subject)
    return Interest(subject, sum(1 if one.liked else -1 for one in signals), last.at)


def _written(term: str, subject: str) -> str:
    """A word as the subject writes it."""
    return next((word.strip(".,:;!?()") for word in subject.split() if normalised(word) == term), term)
