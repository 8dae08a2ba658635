"""Undo: take back what some operations did to memories, as long as nothing was done to those since."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from uuid import UUID

from ..errors import NotFound
from ..models import Memory, Operation
from ..models.scope import within
from .author import Author
from .edit import At
from .forget import forget
from .put_back import put_back
from .restore import restore

OFFERED_FOR = timedelta(hours=24)

TAKEN_AWAY = frozenset({"forget", "fade"})
CHANGED = frozenset({"edit", "revert", "contradict"})
REPLACED = frozenset({"supersede", "correct"})
UNDOABLE = TAKEN_AWAY | CHANGED | REPLACED
"""What can be taken back, by the names of operations; clearing and acts on several at once are many of these."""

UNDONE = "undone"


def undo(*, operations: Iterable[Operation], author: Author, now: datetime) -> list[Memory]:
    """The memories that are as they were before, the latest operation first. Left out are those that changed since,
    came back or were erased meanwhile. Of what was replaced, that which took its place is forgotten."""
    latest_first = sorted(operations, key=lambda operation: operation.id, reverse=True)
    undone: dict[UUID, Memory] = {}
    for operation in latest_first:
        memory = _undone(operation, author, now)
        if memory is not None:
            undone[memory.id] = memory
    return list(undone.values())


def can_be_undone(operation: Operation, memory: Memory) -> bool:
    """Whether the memory is still as the operation left it."""
    if operation.name in TAKEN_AWAY:
        return memory.deleted_at is not None
    is_as_left = memory.deleted_at is None and memory.version == operation.detail.get("version")
    return operation.name in UNDOABLE and is_as_left


def _undone(operation: Operation, author: Author, now: datetime) -> Memory | None:
    if operation.memory_id is None or operation.name not in UNDOABLE:
        return None
    at = At(operation.space_id, operation.memory_id)
    if operation.name in TAKEN_AWAY:
        return _restored(at, author, now)
    with within([at.space]):
        memory = Memory.objects.filter(space_id=at.space, id=at.id).first()
        if memory is None or not can_be_undone(operation, memory):
            return None
        if operation.name in REPLACED and memory.superseded_by:
            _forget_if_kept(At(at.space, memory.superseded_by), author, now)
        return put_back(space=at.space, memory=at.id, author=author, now=now)


def _restored(at: At, author: Author, now: datetime) -> Memory | None:
    try:
        return restore(at=at, author=author, now=now)
    except NotFound:
        return None


def _forget_if_kept(at: At, author: Author, now: datetime) -> None:
    """Before what it replaced comes back, for a key holds one value at a time."""
    with suppress(NotFound):
        forget(at=at, author=author, now=now, reason=UNDONE)
