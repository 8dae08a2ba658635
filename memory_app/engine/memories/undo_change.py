"""Undo the last change of a memory: set it to what it was one version ago, as a new version."""

from datetime import datetime
from typing import Any
from uuid import UUID

from memory_app.engine.audit.log import Author
from memory_app.engine.entities.link_mentions import relink_mentions
from memory_app.engine.memories.change import change_memory, key_is_taken, lock_memory_and_owner
from memory_app.engine.memories.memory_input import new_search_fields
from memory_app.models import Memory, Version
from memory_app.models.memory import with_context
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.privacy.sensitive import sensitive_kinds

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
