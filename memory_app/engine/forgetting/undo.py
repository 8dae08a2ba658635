"""Undo: take back all that one request, or one run of a job, did to memories."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from memory_app.engine.author import Author
from memory_app.engine.change import held
from memory_app.engine.edit import At
from memory_app.engine.forgetting.forget import UNDONE, forget
from memory_app.engine.forgetting.put_back import put_back
from memory_app.engine.forgetting.restore import restore
from memory_app.engine.locate import WITH_NAMES
from memory_app.engine.passing.move import move_back
from memory_app.engine.write_access import may_write
from memory_app.errors import NotFound
from memory_app.models import Memory, Operation
from memory_app.models.scope import within
from memory_app.rules.grant import EVERYTHING, Grant

OFFERED_FOR = timedelta(hours=24)

MADE = frozenset({"add", "supersede", "outdated", "correct"})
"""Decisions by which something new is kept; a duplicate is only counted, and stays so."""

SECOND = 2
"""The version that the first change of a memory makes."""

MOVED = "move"
TAKEN_AWAY = frozenset({"forget", "fade"})
CHANGED = frozenset({"edit", "revert", "supersede", "correct"})
UNDOABLE = TAKEN_AWAY | CHANGED | {MOVED}
"""What took something away or changed it, by the names of operations; clearing is many of these."""


@dataclass(slots=True)
class Undone:
    """What was brought back, what was forgotten, and what is as before."""

    restored: list[Memory] = field(default_factory=list)
    forgotten: list[Memory] = field(default_factory=list)
    put_back: list[Memory] = field(default_factory=list)
    as_made: set[tuple[UUID, int]] = field(default_factory=set)
    """Versions in which a memory is again what it was when it was made."""

    @property
    def number(self) -> int:
        return len(self.restored) + len(self.forgotten) + len(self.put_back)


def undo(*, operations: Iterable[Operation], grant: Grant = EVERYTHING, author: Author, now: datetime) -> Undone:
    """Undoes these operations, the last first; of what went at once, the newest memory first, so that one that another
    had replaced finds that one there. What came back, changed again or was erased meanwhile is left alone, and so is
    what is not the caller's to write; undone twice, nothing more happens."""
    undone = Undone()
    for operation in sorted(operations, key=_order, reverse=True):
        if operation.memory_id is None:
            continue
        at = At(operation.space_id, operation.memory_id)
        if not _is_writable(at, grant):
            continue
        try:
            if operation.name in TAKEN_AWAY:
                undone.restored.append(restore(at=at, author=author, now=now))
            elif operation.name == "remember" and operation.detail.get("decision") in MADE:
                undone.forgotten += _unmake(at, author, now, undone.as_made)
            elif operation.name == MOVED:
                undone.put_back += move_back(at=at, detail=operation.detail, author=author, now=now)
            elif operation.name in CHANGED:
                version = operation.detail.get("version", 0)
                back = _put_back(at, version, author, now)
                undone.put_back += back
                undone.as_made |= {(one.id, one.version) for one in back if version == SECOND}
        except NotFound:
            continue
    return undone


def _is_writable(at: At, grant: Grant) -> bool:
    if grant.unlimited:
        return True
    with within([at.space]):
        found = Memory.objects.select_related(*WITH_NAMES).filter(space_id=at.space, id=at.id).first()
    return found is not None and may_write(grant, found)


def _order(operation: Operation) -> tuple[datetime, UUID]:
    went = operation.name in TAKEN_AWAY and operation.memory_id
    return operation.at, went or operation.id


def can_be_undone(operation: Operation, memory: Memory) -> bool:
    """Whether the memory that an operation of UNDOABLE was done to is still as that left it."""
    if operation.name in TAKEN_AWAY:
        return memory.deleted_at is not None
    return memory.deleted_at is None and memory.version == operation.detail.get("version")


def _unmake(at: At, author: Author, now: datetime, as_made: Collection[tuple[UUID, int]]) -> list[Memory]:
    """What was made is forgotten, if it is as it was made."""
    with within([at.space]):
        memory = held(at.space, at.id)
        if (
            memory is None
            or memory.deleted_at is not None
            or not (memory.version < SECOND or (memory.id, memory.version) in as_made)
        ):
            return []
        return [forget(at=at, author=author, now=now, reason=UNDONE)]


def _put_back(at: At, version: int, author: Author, now: datetime) -> list[Memory]:
    """What was changed is as before, if nothing changed it since."""
    with within([at.space]):
        memory = held(at.space, at.id)
        if memory is None or memory.deleted_at is not None or memory.version != version:
            return []
        back = put_back(space=at.space, memory=at.id, author=author, now=now)
        return [back] if back else []
