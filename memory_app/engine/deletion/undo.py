"""Undo: take back all that one request, or one run of a job, did to memories."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from memory_app.engine.audit.log import Author
from memory_app.engine.memories.delete_and_restore import REASON_UNDONE, delete_memory, restore
from memory_app.engine.memories.edit import MemoryRef
from memory_app.engine.memories.find import WITH_NAMES
from memory_app.engine.memories.versions import undo_last_change
from memory_app.engine.memories.write_version import lock_memory_and_owner
from memory_app.engine.people.move_memory import undo_move
from memory_app.engine.write_access import may_write
from memory_app.errors import NotFound
from memory_app.models import Memory, Operation
from memory_app.models.row_security import allowed_spaces
from memory_app.rules.grant import EVERYTHING, Grant

OFFER_PERIOD = timedelta(hours=24)

CREATING_DECISIONS = frozenset({"add", "supersede", "outdated", "correct"})
"""Decisions by which something new is kept; a duplicate is only counted, and stays so."""

SECOND_VERSION = 2
"""The version that the first change of a memory makes."""

MOVE = "move"
REMOVING_OPERATIONS = frozenset({"forget", "fade"})
CHANGING_OPERATIONS = frozenset({"edit", "revert", "supersede", "correct"})
UNDOABLE_OPERATIONS = REMOVING_OPERATIONS | CHANGING_OPERATIONS | {MOVE}
"""What took something away or changed it, by the names of operations; clearing is many of these."""


@dataclass(slots=True)
class UndoResult:
    """What was brought back, what was forgotten, and what is as before."""

    restored: list[Memory] = field(default_factory=list)
    deleted: list[Memory] = field(default_factory=list)
    reverted: list[Memory] = field(default_factory=list)
    unchanged_versions: set[tuple[UUID, int]] = field(default_factory=set)
    """Versions in which a memory is again what it was when it was made."""

    @property
    def number(self) -> int:
        return len(self.restored) + len(self.deleted) + len(self.reverted)


def undo_operations(
    *, operations: Iterable[Operation], grant: Grant = EVERYTHING, author: Author, now: datetime
) -> UndoResult:
    """Undoes these operations, the last first; of what went at once, the newest memory first, so that one that another
    had replaced finds that one there. What came back, changed again or was erased meanwhile is left alone, and so is
    what is not the caller's to write; undone twice, nothing more happens."""
    undone = UndoResult()
    for operation in sorted(operations, key=_undo_order, reverse=True):
        if operation.memory_id is None or operation.name not in UNDO_BY_OPERATION:
            continue
        at = MemoryRef(operation.space_id, operation.memory_id)
        if not _is_writable(at, grant):
            continue
        try:
            UNDO_BY_OPERATION[operation.name](undone, at, operation, author, now)
        except NotFound:
            continue
    return undone


def _undo_removal(undone: UndoResult, at: MemoryRef, operation: Operation, author: Author, now: datetime) -> None:
    undone.restored.append(restore(at=at, author=author, now=now))


def _undo_creation(undone: UndoResult, at: MemoryRef, operation: Operation, author: Author, now: datetime) -> None:
    if operation.detail.get("decision") in CREATING_DECISIONS:
        undone.deleted += _delete_if_unchanged(at, author, now, undone.unchanged_versions)


def _undo_change(undone: UndoResult, at: MemoryRef, operation: Operation, author: Author, now: datetime) -> None:
    version = operation.detail.get("version", 0)
    reverted = _undo_if_unchanged(at, version, author, now)
    undone.reverted += reverted
    undone.unchanged_versions |= {(memory.id, memory.version) for memory in reverted if version == SECOND_VERSION}


def _undo_move(undone: UndoResult, at: MemoryRef, operation: Operation, author: Author, now: datetime) -> None:
    undone.reverted += undo_move(at=at, detail=operation.detail, author=author, now=now)


UNDO_BY_OPERATION = {
    "remember": _undo_creation,
    MOVE: _undo_move,
    **dict.fromkeys(REMOVING_OPERATIONS, _undo_removal),
    **dict.fromkeys(CHANGING_OPERATIONS, _undo_change),
}
"""What undoes each operation of the log; others cannot be undone."""


def _is_writable(at: MemoryRef, grant: Grant) -> bool:
    if grant.unlimited:
        return True
    with allowed_spaces([at.space]):
        found = Memory.objects.select_related(*WITH_NAMES).filter(space_id=at.space, id=at.id).first()
    return found is not None and may_write(grant, found)


def _undo_order(operation: Operation) -> tuple[datetime, UUID]:
    went = operation.name in REMOVING_OPERATIONS and operation.memory_id
    return operation.at, went or operation.id


def can_be_undone(operation: Operation, memory: Memory) -> bool:
    """Whether the memory that an operation of UNDOABLE was done to is still as that left it."""
    if operation.name in REMOVING_OPERATIONS:
        return memory.deleted_at is not None
    return memory.deleted_at is None and memory.version == operation.detail.get("version")


def _delete_if_unchanged(
    at: MemoryRef, author: Author, now: datetime, unchanged_versions: Collection[tuple[UUID, int]]
) -> list[Memory]:
    """What was made is forgotten, if it is as it was made."""
    with allowed_spaces([at.space]):
        memory = lock_memory_and_owner(at.space, at.id)
        if (
            memory is None
            or memory.deleted_at is not None
            or not (memory.version < SECOND_VERSION or (memory.id, memory.version) in unchanged_versions)
        ):
            return []
        return [delete_memory(at=at, author=author, now=now, reason=REASON_UNDONE)]


def _undo_if_unchanged(at: MemoryRef, version: int, author: Author, now: datetime) -> list[Memory]:
    """What was changed is as before, if nothing changed it since."""
    with allowed_spaces([at.space]):
        memory = lock_memory_and_owner(at.space, at.id)
        if memory is None or memory.deleted_at is not None or memory.version != version:
            return []
        back = undo_last_change(space=at.space, memory=at.id, author=author, now=now)
        return [back] if back else []
