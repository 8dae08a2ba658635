"""Forget: move a memory to tier 2, from which it can be restored.

Restore: bring what was forgotten back as it was.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from memory_app.engine.audit.author import Author
from memory_app.engine.memories.change import change_memory, key_is_taken, lock_memory_and_owner
from memory_app.engine.memories.edit import MemoryRef, lock_existing
from memory_app.errors import NotFound
from memory_app.models import Memory, Status
from memory_app.models.row_security import allowed_spaces

REASON_ASKED, REASON_UNDONE = "asked", "undone"
"""Reasons: that somebody wanted it so, or that what kept it was undone."""


def delete_memory(*, at: MemoryRef, author: Author, now: datetime, reason: str = REASON_ASKED) -> Memory:
    """Hides a memory everywhere but from super users and, for a while, its owner. Raises NotFound."""
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
    """As many as are still kept. Person by person, always in the same order, so that nobody waits for one who waits
    for them."""
    deleted = []
    for memory in sorted(memories, key=lambda one: (one.person_id, one.id)):
        try:
            deleted.append(delete_memory(at=MemoryRef(memory.space_id, memory.id), author=author, now=now))
        except NotFound:
            continue
    return deleted


def restore(*, at: MemoryRef, author: Author, now: datetime) -> Memory:
    """Back to tier 1, reinforced so that it does not fade the same night. Raises NotFound unless it is in tier 2.

    One that another had replaced comes back as replaced; if that other one is forgotten or gone by now, it holds again.
    Where its key holds another value by now, it comes back without the key: the newer value stands.
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
    """As many as are still in tier 2; what was brought back or erased meanwhile is passed over.

    Person by person, always in the same order, so that nobody waits for one who waits for them; and the newest first:
    what another had replaced finds that one there.
    """
    restored = []
    for memory in sorted(memories, key=lambda one: (one.person_id, -one.id.int)):
        try:
            restored.append(restore(at=MemoryRef(memory.space_id, memory.id), author=author, now=now))
        except NotFound:
            continue
    return restored


def _is_still_replaced(memory: Memory) -> bool:
    """Whether what replaced it is still kept."""
    if memory.superseded_by is None:
        return False
    return Memory.objects.undeleted().filter(space_id=memory.space_id, id=memory.superseded_by).exists()
