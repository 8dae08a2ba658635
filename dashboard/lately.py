"""What was done lately: operations of one request taken together, and whether it can be undone."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID

from dashboard.reach import Reach
from dashboard.words import count, done
from memory_app.models import Memory, Operation

READ, SHOWN = 60, 8
BESIDE = ("request", "accept", "merge", "forget_request", "forget_answer")
"""What is logged beside the deed itself."""


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing someone did. `memory`: the one it was done to, where it was one. `undo`: the request to undo."""

    words: str
    at: datetime
    number: int
    memory: Memory | None
    undo: str


def lately(reach: Reach, *, only: str = "") -> list[Deed]:
    """The latest deeds, newest first; `only` those of one verb."""
    operations = reach.operations().exclude(memory_id=None).exclude(name__in=BESIDE)
    if only:
        operations = operations.filter(name=only)
    rows = list(operations.order_by("-id")[:READ])
    memories = _memories(reach, [row.memory_id for row in rows if row.memory_id])
    groups = [list(group) for _, group in groupby(rows, key=_together)]
    return [_deed(reach, group, memories) for group in groups[:SHOWN]]


def _together(operation: Operation) -> tuple[str, str]:
    return (operation.name, operation.request_id or str(operation.id))


def _memories(reach: Reach, ids: Iterable[UUID]) -> dict[UUID, Memory]:
    return {memory.id: memory for memory in reach.own().filter(id__in=list(ids))}


def _deed(reach: Reach, group: list[Operation], memories: dict[UUID, Memory]) -> Deed:
    first = group[0]
    known = [memories[row.memory_id] for row in group if row.memory_id in memories]
    undoable = first.name == "forget" and any(memory.deleted_at for memory in known)
    words = done(first, reader=reach.author().label)
    return Deed(
        words=words if len(group) == 1 else f"{words} {count(len(group), 'memory', 'memories')}",
        at=first.at,
        number=len(group),
        memory=known[0] if known and len(group) == 1 else None,
        undo=first.request_id if undoable else "",
    )
