"""What a memory contradicted stands by itself again once that one is forgotten; until it is back."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from ...models import Memory, Proposal, ProposalStatus, Relation, Status, Version
from ...models.mark import CONFLICTS_WITH, newer_by
from ...models.memory import MemoryQuerySet
from ..author import Author
from ..change import change, locked
from ..keeping.compared import differ
from ..keeping.marked import marked
from ..keeping.questions import put_up

CONTRADICTED_CONFIDENCE = 0.3
"""What an older memory is still worth once a newer one contradicts it (design: the decision table)."""


def release(newer: Memory, author: Author, now: datetime, *, for_good: bool = False) -> None:
    """What this one contradicted is worth again what it was; for good, what was forgotten of that as well."""
    for older in _in_doubt(newer, forgotten=for_good):
        beyond = stand_again(older, newer, newer.contradicted_by, author, now)
        if beyond and beyond.conflicts_with == newer.id:  # which may be erased, and its name with it
            attributes = marked(beyond, older)
            change(beyond, operation="contradict", author=author, now=now, attributes=attributes)


def hold_against(back: Memory, author: Author, now: datetime) -> dict[str, Any]:
    """The other way round: brought back, it contradicts again what nothing else contradicts by now; or is contradicted
    by that, if it was told anew since. How it stands by that, as fields to set."""
    asked = _asked_about(back)
    against = [other for other in asked if differ(back, other)]
    for other in against:
        if other.told > back.told:
            if other.conflicts_with in (None, back.id):
                change(other, operation="contradict", author=author, now=now, attributes=marked(other, back))
            worth = min(back.confidence, CONTRADICTED_CONFIDENCE)
            return {"attributes": marked(back, other), "confidence": worth}
        if other.contradicted_by is None:
            weaken(other, back, author, now)
    if back.contradicts not in {other.id for other in asked}:
        return {}
    attributes = marked(back, next(iter(against), None))
    return {} if attributes == back.attributes else {"attributes": attributes}


def weaken(older: Memory, newer: Memory, author: Author, now: datetime) -> None:
    """The older one is kept with little confidence, and names the newer one, which says otherwise."""
    attributes = marked(older, newer)
    worth = min(older.confidence, CONTRADICTED_CONFIDENCE)
    change(older, operation="contradict", author=author, now=now, confidence=worth, attributes=attributes)


def oppose(new: Memory, other: Memory, author: Author, now: datetime) -> None:
    """Holds a memory that is about to be stored against another one: the older of the two counts for little."""
    if other.told < new.told:
        new.attributes = marked(new, other)
        weaken(other, new, author, now)
        return
    new.outdone_by = other  # whoever stores it weakens it then, so that a version has what it was worth
    if other.conflicts_with in (None, new.supersedes):
        change(other, operation="contradict", author=author, now=now, attributes=marked(other, new))


def stand_alone(
    memory: Memory, other: Memory, author: Author, now: datetime, operation: str = "confirm", **fields: Any
) -> Memory:
    """The memory without the mark that the other one is against it, and with these fields. What it contradicts besides,
    it is marked with instead."""
    attributes = memory.attributes
    if memory.conflicts_with == other.id:
        besides = _in_doubt(memory)
        attributes = marked(memory, besides[0] if besides else None)
    return change(memory, operation=operation, author=author, now=now, attributes=attributes, **fields)


def stand_again(
    memory: Memory, other: Memory, beyond: UUID | None, author: Author, now: datetime, operation: str = "confirm"
) -> Memory | None:
    """The memory as it stands without the other one against it: an older one is worth again what it was. Unless what
    contradicted the other one in its turn, `beyond`, contradicts it too: then that is asked about, and answered."""
    if memory.contradicted_by != other.id:
        stand_alone(memory, other, author, now, operation=operation)
        return None
    newer = locked(memory.space_id, beyond) if beyond else None
    if newer and newer.id != memory.id and stands(newer) and stands(memory) and differ(newer, memory):
        weaken(memory, newer, author, now)
        put_up(memory, newer, now)
        return newer
    stand_alone(memory, other, author, now, operation=operation, confidence=confidence_before(memory))
    return None


def stands(memory: Memory) -> bool:
    """Whether it holds: neither replaced nor forgotten."""
    return memory.status == Status.ACTIVE and memory.deleted_at is None


def confidence_before(older: Memory) -> float:
    """What it was worth until it was contradicted: by its last version in which nothing newer was against it."""
    versions = Version.objects.filter(space_id=older.space_id, memory_id=older.id).order_by("-number")
    for state in versions.values_list("state", flat=True).iterator():
        if newer_by(state["attributes"], older.id) is None:
            return max(older.confidence, float(state["confidence"]))
    return older.confidence


def marked_with(memory: Memory) -> MemoryQuerySet:
    """The memories of its owner that name it as the one against them, or that they are against."""
    named = {f"attributes__{CONFLICTS_WITH}": str(memory.id)}
    return Memory.objects.filter(space_id=memory.space_id, person_id=memory.person_id, **named)


def _in_doubt(newer: Memory, *, forgotten: bool = False) -> list[Memory]:
    """What it contradicts, the newest first. A memory without a mark contradicts nothing."""
    if newer.conflicts_with is None:
        return []
    older = [one.id for one in marked_with(newer) if one.contradicted_by == newer.id]
    return _standing(newer, older, {Status.ACTIVE, Status.DELETED} if forgotten else {Status.ACTIVE})


def _asked_about(newer: Memory) -> list[Memory]:
    """What it contradicted, as its mark says and the questions that wait."""
    waiting = Proposal.objects.filter(space_id=newer.space_id, person_id=newer.person_id, folds=newer.id)
    asked = waiting.filter(relation=Relation.CONFLICT, status=ProposalStatus.PENDING).values_list(
        "target_id", flat=True
    )
    return _standing(newer, {newer.contradicts, *asked})


def _standing(newer: Memory, ids: Iterable[UUID | None], statuses: Collection[str] = (Status.ACTIVE,)) -> list[Memory]:
    """Those of the same person that hold, locked."""
    found = [locked(newer.space_id, one) for one in sorted(filter(None, ids), reverse=True)]
    held = [one for one in found if one and one.person_id == newer.person_id and one.status in statuses]
    return sorted(held, key=lambda one: one.told, reverse=True)
