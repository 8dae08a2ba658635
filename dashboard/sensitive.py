"""Sensitive memories stay masked until their reader asks to see one, and hide themselves again soon after."""

from datetime import datetime, timedelta
from uuid import UUID

from django.http import HttpRequest

from memory_app.models import Memory

SHOWN_FOR = timedelta(minutes=5)
MASK = "••••••••"
_SESSION = "revealed"


def reveal(request: HttpRequest, memory: UUID, now: datetime) -> None:
    """This session sees the memory in clear for the next few minutes."""
    request.session[_SESSION] = {**_running(request, now), str(memory): (now + SHOWN_FOR).timestamp()}


def hide(request: HttpRequest, memory: UUID, now: datetime) -> None:
    left = _running(request, now)
    left.pop(str(memory), None)
    request.session[_SESSION] = left


def is_masked(request: HttpRequest, memory: Memory, now: datetime) -> bool:
    return memory.sensitive and str(memory.id) not in _running(request, now)


def is_revealed(request: HttpRequest, shown: UUID, now: datetime) -> bool:
    """Whether this session asked, some minutes ago at most, to see what goes by this id in clear."""
    return str(shown) in _running(request, now)


def _running(request: HttpRequest, now: datetime) -> dict[str, float]:
    stored: dict[str, float] = request.session.get(_SESSION, {})
    return {memory: until for memory, until in stored.items() if until > now.timestamp()}
