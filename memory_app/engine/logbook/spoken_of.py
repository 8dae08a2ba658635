"""Whom a request spoke of: noted as people enter their venues, for the log of requests; what it asked, and what for in
vain.

A body is read once, by the route that understands it; what it names would otherwise be unknown to whoever logs it. And
what is decided of words that come to nothing is written with the entry of their request: a transaction of its own is
taken back.
"""

from collections.abc import Iterable, Mapping
from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Spoken:
    """people: with their own spaces, in order. decided: entries for the log, each its name and detail. asked: the words
    of what was searched for or asked. shown: the memories that a search showed, each with its space."""

    people: list[tuple[UUID, UUID]] = field(default_factory=list)
    decided: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    shown: list[tuple[UUID, UUID]] = field(default_factory=list)


_spoken: ContextVar[Spoken | None] = ContextVar("spoken_of", default=None)


def begin() -> Token[Spoken | None]:
    """Starts to note; `end` takes what this returns."""
    return _spoken.set(Spoken())


def note(person: UUID, home: UUID) -> None:
    """Notes a person and their own space, where anyone asked to."""
    spoken = _spoken.get()
    if spoken is not None:
        spoken.people.append((person, home))


def note_decision(operation: str, detail: Mapping[str, Any]) -> None:
    """Notes what was decided of words that come to nothing, where anyone asked to. detail: reasons and ids."""
    spoken = _spoken.get()
    if spoken is not None:
        spoken.decided.append((operation, detail))


def note_asked(words: str) -> None:
    """Notes the words of a search, a question or a command, where anyone asked to."""
    spoken = _spoken.get()
    if spoken is not None:
        spoken.asked.append(words)


def note_shown(places: Iterable[tuple[UUID, UUID]]) -> None:
    """Notes the memories that a search showed, to be counted with the entry of its request."""
    spoken = _spoken.get()
    if spoken is not None:
        spoken.shown.extend(places)


def end(token: Token[Spoken | None]) -> Spoken:
    """What was noted since."""
    spoken = _spoken.get() or Spoken()
    _spoken.reset(token)
    return spoken
