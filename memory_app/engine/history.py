"""History: every version of a memory, and the chain of memories that replaced one another."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_app.engine.change import state_of
from memory_app.engine.locate import WITH_NAMES
from memory_app.models import Memory, Version
from memory_app.models.scope import within

LEFT = "left"
"""In the state of a version that ended with a move: the space that the memory left then."""


@dataclass(frozen=True, slots=True)
class Past:
    """One version: its state, who made it and when."""

    number: int
    state: dict[str, Any]
    changed_by: str
    changed_at: datetime
    current: bool = False


def history(memory: Memory, *, all_of_it: bool = True) -> list[Past]:
    """The versions of a memory, oldest first; the last is how it is now.

    all_of_it: False for someone else than its owner, who is not told what it was before it came to its present level.
    """
    with within([memory.space_id]):
        rows = Version.objects.filter(space_id=memory.space_id, memory_id=memory.id).order_by("number")
        past = [Past(row.number, row.state, row.changed_by, row.changed_at) for row in rows]
    now = Past(memory.version, state_of(memory), memory.changed_by, memory.updated_at, current=True)
    return [*(past if all_of_it else _since_it_is_here(past, memory)), now]


def _since_it_is_here(past: list[Past], memory: Memory) -> list[Past]:
    moved = [at for at, one in enumerate(past, 1) if LEFT in one.state or one.state["visibility"] != memory.visibility]
    return past[max(moved, default=0) :]


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
