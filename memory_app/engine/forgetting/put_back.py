"""Put a memory back: make it again what it was one version ago, as a new version."""

from datetime import datetime
from typing import Any
from uuid import UUID

from memory_app.engine.author import Author
from memory_app.engine.change import change, held, key_is_taken
from memory_app.engine.keeping.compose import reindexed
from memory_app.engine.keeping.mention import mention_again
from memory_app.language.sensitive import sensitive_kinds
from memory_app.models import Memory, Version
from memory_app.models.memory import in_context
from memory_app.models.scope import within

UNTOLD = {"visibility", "sensitive"}
"""What undoing a change leaves alone: where it lives; and whether it is sensitive follows from its text."""


def put_back(*, space: UUID, memory: UUID, author: Author, now: datetime) -> Memory | None:
    """The memory as its last version had it; None when it is gone or has no version. Its vector is made anew by the
    next backfill where its text changed."""
    with within([space]):
        found = held(space, memory)
        past = Version.objects.filter(space_id=space, memory_id=memory).order_by("-number").first()
        if found is None or past is None:
            return None
        fields = restored_fields(found, past)
        told_otherwise = _words(fields, found) != (found.content, found.context)
        undone = change(found, operation="undo", author=author, now=now, **fields)
        if told_otherwise:
            mention_again(undone)
        return undone


def restored_fields(memory: Memory, past: Version) -> dict[str, Any]:
    """What its last version, or an earlier one, says of a memory, as fields to set."""
    fields = {name: value for name, value in past.fields.items() if name not in UNTOLD}
    if fields.get("valid_from") == memory.order[0]:
        del fields["valid_from"]
    if fields["status"] == "active":
        fields["superseded_by"] = None
        if key_is_taken(memory, fields["key"]):  # the newer value stands
            fields["key"] = ""
    if _words(fields, memory) != (memory.content, memory.context):
        fields |= {**reindexed(memory, fields), "embedding": None, "embedding_model": None}
        fields["sensitive"] = bool(sensitive_kinds(in_context(*_words(fields, memory))))
    return fields


def _words(fields: dict[str, Any], memory: Memory) -> tuple[str, str]:
    """Content and context with these fields; a version from before there was a context says nothing of it."""
    return fields["content"], fields.get("context", memory.context)
