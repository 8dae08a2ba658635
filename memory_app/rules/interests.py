"""Interests: what a person reacts to, saves and asks for again and again. Pure: signals in, subjects out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory_app.nlp.text import normalised

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
    told = [one for term, one in often if term in subjects or not any(term in other.split() for other in whole)]
    return sorted(told, key=lambda one: (-one.times, -one.last.timestamp(), one.subject))


def _terms(signals: Iterable[InterestSignal]) -> set[str]:
    return {term for one in signals for term in one.terms}


def _interest(term: str, signals: Sequence[InterestSignal]) -> Interest:
    last = max(signals, key=lambda one: one.at)
    subject = last.subject if normalised(last.subject) == term else _written(term, last.subject)
    return Interest(subject, sum(1 if one.liked else -1 for one in signals), last.at)


def _written(term: str, subject: str) -> str:
    """A word as the subject writes it."""
    return next((word.strip(".,:;!?()") for word in subject.split() if normalised(word) == term), term)
