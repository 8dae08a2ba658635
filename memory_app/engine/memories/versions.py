"""The versions of a memory: list them, go back to one, and undo the last change."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.entities.relink_mentions import relink_mentions
from memory_app.engine.memories.edit import MemoryRef, lock_existing, open_conflicts
from memory_app.engine.memories.find import WITH_NAMES
from memory_app.engine.memories.memory_input import new_search_fields
from memory_app.engine.memories.write_version import change_memory, key_is_taken, lock_memory_and_owner, versioned_state
from memory_app.errors import NotFound
from memory_app.models import VERSIONED, Memory, Status, Version
from memory_app.models.memory import with_context
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.privacy.sensitive import sensitive_kinds
from memory_app.nlp.text import speaker_in

LEFT_SPACE = "left"
"""In the state of a version that ended with a move: the space that the memory left."""


NOT_REVERTED = frozenset({"visibility", "status", "sensitive", "valid_to", "deleted_at", "delete_reason"})
"""Fields that reverting leaves as they are: other acts, which can be undone, set its level and its status."""


@dataclass(frozen=True, slots=True)
class VersionState:
    """One version of a memory: its state, who made it and when."""

    number: int
    state: dict[str, Any]
    changed_by: str
    changed_at: datetime
    current: bool = False


def list_versions(memory: Memory, *, everything: bool = True) -> list[VersionState]:
    """The versions of a memory, oldest first; the last is how it is now.

    everything: False for someone else than its owner, who may not see what it was before it came to its level.
    """
    with allowed_spaces([memory.space_id]):
        rows = Version.objects.filter(space_id=memory.space_id, memory_id=memory.id).order_by("number")
        past = [VersionState(row.number, row.state, row.changed_by, row.changed_at) for row in rows]
    now = VersionState(memory.version, versioned_state(memory), memory.changed_by, memory.updated_at, current=True)
    return [*(past if everything else _since_current_level(past, memory)), now]


def _since_current_level(past: list[VersionState], memory: Memory) -> list[VersionState]:
    moved = [
        at for at, one in enumerate(past, 1) if LEFT_SPACE in one.state or one.state["visibility"] != memory.visibility
    ]
    return past[max(moved, default=0) :]


def replacement_chain(memory: Memory) -> list[Memory]:
    """The memories that this one replaced, itself, and those that replaced it: oldest first."""
    with allowed_spaces([memory.space_id]):
        before = _follow_link(memory, "supersedes")
        after = _follow_link(memory, "superseded_by")
    return [*reversed(before), memory, *after]


def _follow_link(memory: Memory, link: str) -> list[Memory]:
    """The memories that `link` leads to, nearest first. A loop, which should not exist, ends the chain."""
    found: list[Memory] = []
    seen = {memory.id}
    following: UUID | None = getattr(memory, link)
    while following and following not in seen:
        # Only memories of the same level, for a link from an import could name anything.
        rows = Memory.objects.same_level(memory).undeleted().select_related(*WITH_NAMES)
        step = rows.filter(id=following).first()
        if step is None:
            break
        seen.add(step.id)
        found.append(step)
        following = getattr(step, link)
    return found


def revert(
    *, at: MemoryRef, version: int, author: Author, now: datetime, encoder: Encoder, expected: int | None = None
) -> Memory:
    """Sets a memory to the text, type and times of a version; vector, search fields and entities follow. Its key is not
    set if another memory has it by now. The text is compared with what is stored.

    expected: the version that the caller last saw. Raises NotFound, ChangedMeanwhile where that is not the present one.
    """
    past = _version_fields(at, version)
    vector = encoder.documents([with_context(past["content"], past.get("context", ""))])[0]
    with allowed_spaces([at.space]):
        memory = lock_existing(at, expected)
        fields = {name: value for name, value in past.items() if value != getattr(memory, name)}
        if memory.status == Status.ACTIVE and key_is_taken(memory, fields.get("key", "")):
            del fields["key"]
        if "content" not in fields:  # the same text was said at the same time
            fields.pop("valid_from", None)
        if not fields:
            return memory
        words_changed = bool({"content", "context"} & set(fields))
        if words_changed:
            sensitive = bool(sensitive_kinds(with_context(past["content"], past.get("context", ""))))
            fields |= {"sensitive": sensitive, "embedding": vector, "embedding_model": encoder.name}
            if memory.source_speaker == speaker_in(memory.content):
                fields["source_speaker"] = speaker_in(past["content"])
        fields |= new_search_fields(memory, fields)
        reason_text = f"to version {version}"
        reverted = change_memory(memory, operation="revert", author=author, now=now, reason=reason_text, **fields)
        if words_changed:
            relink_mentions(reverted)
            open_conflicts(reverted, now, encoder.name)
        return reverted


def _version_fields(at: MemoryRef, version: int) -> dict[str, Any]:
    """The fields of a version; for the present version those of the memory."""
    with allowed_spaces([at.space]):
        memory = lock_existing(at)
        if memory.version == version:
            return {name: getattr(memory, name) for name in VERSIONED if name not in NOT_REVERTED}
        past = Version.objects.filter(space_id=at.space, memory_id=at.id, number=version).first()
    if past is None:
        raise NotFound(f"This memory has no version {version}.")
    return {name: value for name, value in past.fields.items() if name not in NOT_REVERTED}


NOT_UNDONE = {"visibility", "sensitive"}
"""Fields that undoing leaves as they are: its level; and whether it is sensitive, which follows from its text."""


def undo_last_change(*, space: UUID, memory: UUID, author: Author, now: datetime) -> Memory | None:
    """The memory as its last version was; None if it does not exist or has no version. If its text changed, the next
    backfill makes its vector."""
    with allowed_spaces([space]):
        found = lock_memory_and_owner(space, memory)
        past = Version.objects.filter(space_id=space, memory_id=memory).order_by("-number").first()
        if found is None or past is None:
            return None
        fields = fields_of_version(found, past)
        text_changed = _content_and_context(fields, found) != (found.content, found.context)
        undone = change_memory(found, operation="undo", author=author, now=now, **fields)
        if text_changed:
            relink_mentions(undone)
        return undone


def fields_of_version(memory: Memory, past: Version) -> dict[str, Any]:
    """A version of a memory as fields to set."""
    fields = {name: value for name, value in past.fields.items() if name not in NOT_UNDONE}
    if fields.get("valid_from") == memory.order[0]:
        del fields["valid_from"]
    if fields["status"] == "active":
        fields["superseded_by"] = None
        if key_is_taken(memory, fields["key"]):  # another memory has the key by now
            fields["key"] = ""
    if _content_and_context(fields, memory) != (memory.content, memory.context):
        fields |= {**new_search_fields(memory, fields), "embedding": None, "embedding_model": None}
        fields["sensitive"] = bool(sensitive_kinds(with_context(*_content_and_context(fields, memory))))
    return fields


def _content_and_context(fields: dict[str, Any], memory: Memory) -> tuple[str, str]:
    """Content and context with these fields set; versions of old databases have no context."""
    return fields["content"], fields.get("context", memory.context)
