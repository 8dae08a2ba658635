"""A memory as Hindsight's client reads it. What may be told of it is decided as for the API."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest

from memory_app.api.redaction import memory_out_for
from memory_app.engine.retrieval.query import MemoryResult
from memory_app.models import Memory, MemoryType

Json = dict[str, Any]

NOTED_IN = "hindsight"
"""The attribute that holds what Hindsight knows of a memory and Keepsake does not."""

OBSERVATION, EXPERIENCE, WORLD = "observation", "experience", "world"
FACT_TYPES: dict[str, tuple[MemoryType, ...]] = {
    OBSERVATION: (MemoryType.REFLECTION,),
    EXPERIENCE: (MemoryType.EVENT, MemoryType.MEETING, MemoryType.JOURNAL),
}
"""Of Hindsight's types of facts the types of memories; all others are of the world."""


def fact_type(memory_type: str) -> str:
    return next((name for name, types in FACT_TYPES.items() if memory_type in types), WORLD)


def memory_types(fact_types: list[str]) -> tuple[str, ...]:
    """The types of memories that are of these types of facts."""
    return tuple(kind.value for kind in MemoryType if fact_type(kind) in fact_types)


def fact_json(request: HttpRequest, memory: Memory, now: datetime) -> Json:
    """Expects person, space and channel to be loaded with it."""
    out = memory_out_for(request, memory, now)
    noted = out.attributes.get(NOTED_IN)
    metadata = out.attributes.get("metadata")
    return {
        "id": str(out.id),
        "text": out.content,
        "type": fact_type(out.type),
        "context": out.context,
        "mentioned_at": out.said_at,
        "occurred_start": out.event_time,
        "occurred_end": out.event_end,
        "tags": out.tags,
        "metadata": {str(name): str(value) for name, value in metadata.items()} if isinstance(metadata, dict) else None,
        "document_id": noted.get("document_id") if isinstance(noted, dict) else None,
        "entities": None,
        "chunk_id": None,
    }


def unit_json(request: HttpRequest, memory: Memory, now: datetime) -> Json:
    """As a list has it."""
    fact = fact_json(request, memory, now)
    return {
        **fact,
        "fact_type": fact["type"],
        "context": fact["context"] or "",
        "date": (memory.event_time or memory.valid_from).isoformat(),
        "entities": "",
        "proof_count": memory.source_count,
        "state": "valid",
        "updated_at": memory.updated_at,
    }


def found_json(request: HttpRequest, result: MemoryResult, now: datetime) -> Json:
    parts = {share.signal: share.value for share in result.why}
    scores = {
        "final": round(result.score, 4),
        "semantic": parts.get("meaning", 0.0),
        "keyword": parts.get("words", 0.0),
    }
    return {**fact_json(request, result.row, now), "scores": scores}
