"""Whom a request spoke of: noted as people enter their venues, for the log of requests.

A body is read once, by the route that understands it; what it names would otherwise be unknown to whoever logs it.
"""

from contextvars import ContextVar, Token
from uuid import UUID

Spoken = list[tuple[UUID, UUID]]
_spoken: ContextVar[Spoken | None] = ContextVar("spoken_of", default=None)


def begin() -> Token[Spoken | None]:
    """Starts to note; `end` takes what this returns."""
    return _spoken.set([])


def note(person: UUID, home: UUID) -> None:
    """Notes a person and their own space, where anyone asked to."""
    spoken = _spoken.get()
    if spoken is not None:
        spoken.append((person, home))


def end(token: Token[Spoken | None]) -> Spoken:
    """Who was spoken of since, in order."""
    spoken = _spoken.get() or []
    _spoken.reset(token)
    return spoken
