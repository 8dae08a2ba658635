"""A memory as mem0's clients read it. What may be told of it is decided as for the API."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from hashlib import blake2b
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest

from memory_app.api.redaction import memory_out_for
from memory_app.compat.mem0.owners import ids_of
from memory_app.engine.retrieval.query import MemoryResult
from memory_app.models import Memory
from memory_app.rules.fusion import Share

Json = dict[str, Any]

BREAKDOWN = {"semantic": "meaning", "bm25": "words", "entity": "names"}
"""Signals of a score, by what mem0 calls them."""


def memory_json(request: HttpRequest, memory: Memory, now: datetime, *, request_text: str | None = None) -> Json:
    """Expects person, space and channel to be loaded with it. request_text: as for `memory_out_for`."""
    out = memory_out_for(request, memory, now, request_text=request_text)
    ids = ids_of(out.person, out.attributes)
    metadata = out.attributes.get("metadata")
    return {
        "id": str(out.id),
        "memory": out.content,
        "hash": blake2b(out.content.encode(), digest_size=16).hexdigest(),
        **ids,
        "session_id": ids["run_id"],
        "metadata": metadata if isinstance(metadata, dict) else {},
        "categories": list(dict.fromkeys([out.category, *out.tags])),
        "created_at": out.created_at,
        "updated_at": out.updated_at,
        "expiration_date": last_day(out.expires_at, memory.person.zone),
        "immutable": out.protected,
        "structured_attributes": None,
    }


def memories_json(request: HttpRequest, memories: Iterable[Memory], now: datetime) -> list[Json]:
    return [memory_json(request, memory, now) for memory in memories]


def result_json(request: HttpRequest, result: MemoryResult, now: datetime, names: Sequence[str] | None) -> Json:
    """A memory that was found. names: the fields that are asked for; None: all."""
    found = {
        **memory_json(request, result.row, now),
        "score": round(result.score, 4),
        "relevant": result.relevant,
        "score_breakdown": _breakdown(result.why),
    }
    return found if names is None else {name: value for name, value in found.items() if name in {"id", *names}}


def _breakdown(why: Iterable[Share]) -> dict[str, float]:
    parts = {share.signal: share.value for share in why}
    return {name: parts.get(signal, 0.0) for name, signal in BREAKDOWN.items()}


def end_of_day(day: date, zone: ZoneInfo) -> datetime:
    """The first moment after a day, where the person lives."""
    return datetime(day.year, day.month, day.day, tzinfo=zone) + timedelta(days=1)


def last_day(moment: datetime | None, zone: ZoneInfo) -> str | None:
    """The day that ends with a moment."""
    return (moment.astimezone(zone) - timedelta(microseconds=1)).date().isoformat() if moment else None
