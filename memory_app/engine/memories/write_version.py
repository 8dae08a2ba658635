"""Change a stored memory: write its old version, its new row and the log entry in one transaction."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder

from memory_app.engine.audit.log import Author, log_operation
from memory_app.engine.memories.reflection_lines import refresh_reflections
from memory_app.models import VERSIONED, Memory, MemoryType, Status, Version
from memory_app.models.person import lock_writers
from memory_app.models.text_search import drop_passages, is_long

PASSAGE_FIELDS = frozenset({"content", "tsv"})
"""Fields that passages are made from."""

REFLECTION_FIELDS = frozenset({"status", "summary", "expires_at", "protected"})
"""Fields that decide whether a reflection may quote a memory, and what it quotes."""


def change_memory(
    memory: Memory, *, operation: str, author: Author, now: datetime, reason: str = "", **fields: Any
) -> Memory:
    """Sets fields of a locked memory, and stores the old state as a version. Expects its space allowed."""
    version_from(memory, now).save(force_insert=True)
    was_long = is_long(memory.content)
    for name, value in fields.items():
        setattr(memory, name, value)
    memory.version += 1
    memory.updated_at = now
    memory.changed_by = author.label
    memory.save(force_update=True, update_fields=[*fields, "version", "updated_at", "changed_by"])
    if was_long and PASSAGE_FIELDS & set(fields):
        drop_passages(memory.space_id, memory.id)
    changed = sorted(set(fields) & set(VERSIONED))
    log_operation(memory, operation, author, now, {"version": memory.version, "changed": changed, "reason": reason})
    if REFLECTION_FIELDS & set(fields) and memory.type != MemoryType.REFLECTION:
        refresh_reflections([memory], now)
    return memory


def supersede(old: Memory, new: Memory, author: Author, now: datetime) -> None:
    """Marks a locked memory as superseded by another one; it was valid until that one was said."""
    valid_to = max(new.valid_from, old.valid_from)
    fields: dict[str, Any] = {"status": Status.SUPERSEDED, "valid_to": valid_to, "superseded_by": new.id}
    change_memory(old, operation="supersede", author=author, now=now, **fields)


def replace_memory(old: UUID, new: Memory, author: Author, now: datetime) -> None:
    """Lets a stored memory supersede another one of its space, if that one is active. Expects the space allowed."""
    found = lock_memory(new.space_id, old)
    if found is None or not found.is_active:
        return
    supersede(found, new, author, now)
    Memory.objects.filter(space_id=new.space_id, id=new.id).update(supersedes=found.id)
    new.supersedes = found.id


def version_from(memory: Memory, now: datetime) -> Version:
    """The present state of a memory as an unsaved version."""
    return Version(
        space_id=memory.space_id,
        memory_id=memory.id,
        number=memory.version,
        changed_by=memory.changed_by,
        changed_at=memory.updated_at,
        replaced_at=now,
        state=versioned_state(memory),
    )


def versioned_state(memory: Memory) -> dict[str, Any]:
    """The versioned fields of a memory as plain JSON values."""
    encoder = DjangoJSONEncoder()
    state = {name: getattr(memory, name) for name in VERSIONED} | {"attributes": memory.visible_attributes}
    return {name: encoder.default(value) if isinstance(value, datetime) else value for name, value in state.items()}


def lock_memory(space: UUID, memory: UUID) -> Memory | None:
    """The memory, locked until the transaction ends."""
    rows = Memory.objects.select_related("person", "space", "channel").select_for_update(of=("self",))
    return rows.filter(space_id=space, id=memory).first()


def lock_memory_and_owner(space: UUID, memory: UUID) -> Memory | None:
    """As `lock_memory`, with other writers of its owner locked out too, for changes that depend on other memories.

    The two locks are taken in this order everywhere, so that no deadlock is possible.
    """
    owner = Memory.objects.filter(space_id=space, id=memory).values_list("person_id", flat=True).first()
    if owner is None:
        return None
    lock_writers(owner)
    return lock_memory(space, memory)


def key_is_taken(memory: Memory, key: str) -> bool:
    """Whether another active memory of the same owner, level and channel has that key."""
    same_level = Memory.objects.same_level(memory).exclude(id=memory.id)
    return same_level.undeleted().filter(status=Status.ACTIVE).with_key(key).exists()
