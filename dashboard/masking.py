"""Sensitive memories stay masked until their reader asks to see one, and hide themselves again soon after."""

from datetime import datetime, timedelta
from uuid import UUID

from django.http import HttpRequest

from memory_app.models import Memory

REVEALED_FOR = timedelta(minutes=5)
MASK = "••••••••"
_SESSION_KEY = "revealed"


def reveal(request: HttpRequest, memory: UUID, now: datetime) -> None:
    """This session sees the memory in clear for the next few minutes."""
    request.session[_SESSION_KEY] = {**_revealed_until(request, now), str(memory): (now + REVEALED_FOR).timestamp()}


def hide(request: HttpRequest, memory: UUID, now: datetime) -> None:
    left = _revealed_until(request, now)
    left.pop(str(memory), None)
    request.session[_SESSION_KEY] = left


def is_masked(request: HttpRequest, memory: Memory, now: datetime) -> bool:
    return memory.sensitive and str(memory.id) not in _revealed_until(request, now)


def is_revealed(request: HttpRequest, item: UUID, now: datetime) -> bool:
    """Whether this session asked, some minutes ago at most, to see what goes by this id in clear."""
    return str(item) in _revealed_until(request, now)


def _revealed_until(request: HttpRequest, now: datetime) -> dict[str, float]:
    stored: dict[str, float] = request.session.get(_SESSION_KEY, {})
    return {memory: until for memory, until in stored.items() if until > now.timestamp()}
