"""Sensitive memories stay masked until their reader asks to see one; some minutes later they are masked again."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.http import HttpRequest

from memory_app.models import Memory
from memory_app.serializers.memory import memory_out

REVEALED_FOR = timedelta(minutes=5)
MASK = "••••••••"
_SESSION_KEY = "revealed"


def reveal_or_hide(request: HttpRequest, item: UUID, now: datetime) -> None:
    """Shows this session a memory or conversation for some minutes, or hides it again where the form says `hide`."""
    revealed = _revealed_until(request, now)
    revealed.pop(str(item), None)
    if "hide" not in request.POST:
        revealed[str(item)] = (now + REVEALED_FOR).timestamp()
    request.session[_SESSION_KEY] = revealed


def is_masked(request: HttpRequest, memory: Memory, now: datetime) -> bool:
    return memory.sensitive and not is_revealed(request, memory.id, now)


def is_revealed(request: HttpRequest, item: UUID, now: datetime) -> bool:
    """Whether this session asked to see it, some minutes ago at most."""
    return str(item) in _revealed_until(request, now)


def _revealed_until(request: HttpRequest, now: datetime) -> dict[str, float]:
    stored: dict[str, float] = request.session.get(_SESSION_KEY, {})
    return {item: until for item, until in stored.items() if until > now.timestamp()}


def memory_json(memory: Memory, now: datetime, *, masked: bool) -> dict[str, Any]:
    values = memory_out(memory, now).model_dump(mode="json")
    if masked:
        values |= {"summary": MASK, "content": MASK, "context": None, "key": None, "keywords": [], "attributes": {}}
    return values
