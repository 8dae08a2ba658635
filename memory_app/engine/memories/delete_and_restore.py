"""Delete memories, which moves them to tier 2, and restore them from there."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from memory_app.engine.audit.log import Author
from memory_app.engine.memories.edit import MemoryRef, lock_existing
from memory_app.engine.memories.write_version import change_memory, key_is_taken, lock_memory_and_owner
from memory_app.errors import NotFound
from memory_app.models import Memory, Status
from memory_app.models.row_security import allowed_spaces

REASON_ASKED, REASON_UNDONE = "asked", "undone"
"""Reasons of a deletion: somebody asked for it, or the act that saved the memory was undone."""


def delete_memory(*, at: MemoryRef, author: Author, now: datetime, reason: str = REASON_ASKED) -> Memory:
    """Hides a memory from all but super users and, for 30 days, its owner. Raises NotFound."""
    with allowed_spaces([at.space]):
        memory = lock_existing(at)
        return change_memory(
            memory,
            operation="forget",
            author=author,
            now=now,
            reason=reason,
            status=Status.DELETED,
            deleted_at=now,
            deleted_by=author.label,
            delete_reason=reason,
        )


def delete_memories(*, memories: Iterable[Memory], author: Author, now: datetime) -> list[Memory]:
    """Deletes those that are not deleted yet. Always in the same order of persons, so that no deadlock is possible."""
    deleted = []
    for memory in sorted(memories, key=lambda one: (one.person_id, one.id)):
        try:
            deleted.append(delete_memory(at=MemoryRef(memory.space_id, memory.id), author=author, now=now))
        except NotFound:
            continue
    return deleted


def restore(*, at: MemoryRef, author: Author, now: datetime) -> Memory:
    """Moves a memory back to tier 1, reinforced so that it does not fade the same night. Raises NotFound unless it is
    in tier 2.

    A superseded memory comes back as superseded, or as active if the one that superseded it is deleted by now. If
    another memory has its key by now, it comes back without the key.
    """
    with allowed_spaces([at.space]):
        memory = lock_memory_and_owner(at.space, at.id)
        if memory is None or memory.deleted_at is None:
            raise NotFound
        status = Status.SUPERSEDED if _is_still_replaced(memory) else Status.ACTIVE
        fields: dict[str, Any] = {
            "status": status,
            "deleted_at": None,
            "deleted_by": "",
            "delete_reason": "",
            "reinforced_at": now,
        }
        if status == Status.ACTIVE and memory.superseded_by:
            fields |= {"superseded_by": None, "valid_to": None}
        if status == Status.ACTIVE and key_is_taken(memory, memory.key):
            fields["key"] = ""
        return change_memory(memory, operation="restore", author=author, now=now, **fields)


def restore_all(*, memories: Iterable[Memory], author: Author, now: datetime) -> list[Memory]:
    """Restores those that are still in tier 2; what was restored or erased meanwhile is skipped.

    Always in the same order of persons, so that no deadlock is possible; and the newest first, so that a superseded
    memory finds the one that superseded it.
    """
    restored = []
    for memory in sorted(memories, key=lambda one: (one.person_id, -one.id.int)):
        try:
            restored.append(restore(at=MemoryRef(memory.space_id, memory.id), author=author, now=now))
        except NotFound:
            continue
    return restored


def _is_still_replaced(memory: Memory) -> bool:
    """Whether the memory that superseded it is not deleted."""
    if memory.superseded_by is None:
        return False
    return Memory.objects.undeleted().filter(space_id=memory.space_id, id=memory.superseded_by).exists()
