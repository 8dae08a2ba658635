"""A memory that another one contradicted stands by itself again once that one is forgotten; until it is back."""

from datetime import datetime
from typing import Any

from ...models import Memory, Status, Version
from ...models.memory import CONFLICTS_WITH
from ..author import Author
from ..change import change, locked

CONTRADICTED_CONFIDENCE = 0.3
"""What an older memory is still worth once a newer one contradicts it (design: the decision table)."""


def release(newer: Memory, author: Author, now: datetime) -> None:
    """What this one contradicted is worth again what it was."""
    older = _older(newer)
    if older and older.conflicts_with == newer.id:
        stand_alone(older, newer, author, now, confidence=confidence_before(older, newer))


def hold_against(newer: Memory, author: Author, now: datetime) -> None:
    """The other way round: brought back, it contradicts again what nothing else contradicts by now."""
    older = _older(newer)
    if older and older.contradicted_by is None:
        attributes = {**older.attributes, CONFLICTS_WITH: str(newer.id)}
        worth = min(older.confidence, CONTRADICTED_CONFIDENCE)
        change(older, operation="contradict", author=author, now=now, confidence=worth, attributes=attributes)


def stand_alone(memory: Memory, other: Memory, author: Author, now: datetime, **fields: Any) -> Memory:
    """The memory without the mark that the other one is against it, and with these fields."""
    attributes = dict(memory.attributes)
    if memory.conflicts_with == other.id:
        del attributes[CONFLICTS_WITH]
    return change(memory, operation="confirm", author=author, now=now, attributes=attributes, **fields)


def confidence_before(older: Memory, newer: Memory) -> float:
    """What the older one was worth until it was contradicted."""
    versions = Version.objects.filter(space_id=older.space_id, memory_id=older.id, replaced_at=newer.created_at)
    before = versions.order_by("number").first()
    return max(older.confidence, float(before.state["confidence"]) if before else 0.0)


def _older(newer: Memory) -> Memory | None:
    older = locked(newer.space_id, newer.contradicts) if newer.contradicts else None
    stands = older and older.person_id == newer.person_id and older.status == Status.ACTIVE
    return older if stands else None
