"""History: every version of a memory, and the chain of memories that replaced one another."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from ..models import Memory, Version
from ..models.scope import within
from .change import state_of
from .locate import WITH_NAMES


@dataclass(frozen=True, slots=True)
class Past:
    """One version: its state, who made it and when."""

    number: int
    state: dict[str, Any]
    changed_by: str
    changed_at: datetime
    current: bool = False


def history(memory: Memory) -> list[Past]:
    """All versions of a memory, oldest first; the last is how it is now."""
    with within([memory.space_id]):
        rows = Version.objects.filter(space_id=memory.space_id, memory_id=memory.id).order_by("number")
        past = [Past(row.number, row.state, row.changed_by, row.changed_at) for row in rows]
    now = Past(memory.version, state_of(memory), memory.changed_by, memory.updated_at, current=True)
    return [*past, now]


def chain(memory: Memory) -> list[Memory]:
    """The memories that this one replaced, itself, and those that replaced it: oldest first."""
    with within([memory.space_id]):
        before = _follow(memory, "supersedes")
        after = _follow(memory, "superseded_by")
    return [*reversed(before), memory, *after]


def _follow(memory: Memory, link: str) -> list[Memory]:
    """The kept memories that `link` leads to, nearest first; a loop, which nothing should make, ends it."""
    found: list[Memory] = []
    seen = {memory.id}
    following: UUID | None = getattr(memory, link)
    while following and following not in seen:
        # Whoever sees one of them sees all: a link that an import brought could name anything.
        rows = Memory.objects.beside(memory).kept().select_related(*WITH_NAMES)
        step = rows.filter(id=following).first()
        if step is None:
            break
        seen.add(step.id)
        found.append(step)
        following = getattr(step, link)
    return found
