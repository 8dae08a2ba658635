"""Revert: make a memory again what an earlier version of it was, as a new version."""

from datetime import datetime
from typing import Any

from memory_app.embedding.encoder import Encoder
from memory_app.engine.author import Author
from memory_app.engine.change import change, key_is_taken
from memory_app.engine.edit import At, kept
from memory_app.engine.keeping.compose import reindexed
from memory_app.engine.keeping.conflicts import open_conflicts
from memory_app.engine.keeping.mention import mention_again
from memory_app.errors import NotFound
from memory_app.language.sensitive import sensitive_kinds
from memory_app.models import VERSIONED, Memory, Status, Version
from memory_app.models.memory import in_context
from memory_app.models.scope import within
from memory_app.rules.speaker import speaker_in

STAYS = frozenset({"visibility", "status", "sensitive", "valid_to", "deleted_at", "delete_reason"})
"""Where it lives, and whether it holds, are not of its text: other acts, which can be undone, decide them."""


def revert(
    *, at: At, version: int, author: Author, now: datetime, encoder: Encoder, expected: int | None = None
) -> Memory:
    """The memory with the words, kind and times of that version; vector, keywords and names follow. One that is as it
    was stays. A key that another memory holds by now is left to that one; the text is compared with what is stored.

    expected: the version the caller last saw; Stale when it is no longer that one. Raises NotFound.
    """
    past = _state(at, version)
    vector = encoder.documents([in_context(past["content"], past.get("context", ""))])[0]
    with within([at.space]):
        memory = kept(at, expected)
        fields = {name: value for name, value in past.items() if value != getattr(memory, name)}
        if memory.status == Status.ACTIVE and key_is_taken(memory, fields.get("key", "")):
            del fields["key"]
        if "content" not in fields:  # so it was told when it was told
            fields.pop("valid_from", None)
        if not fields:
            return memory
        told_otherwise = bool({"content", "context"} & set(fields))
        if told_otherwise:
            sensitive = bool(sensitive_kinds(in_context(past["content"], past.get("context", ""))))
            fields |= {"sensitive": sensitive, "embedding": vector, "embedding_model": encoder.name}
            if memory.source_speaker == speaker_in(memory.content):
                fields["source_speaker"] = speaker_in(past["content"])
        fields |= reindexed(memory, fields)
        told = f"to version {version}"
        reverted = change(memory, operation="revert", author=author, now=now, reason=told, **fields)
        if told_otherwise:
            mention_again(reverted)
            open_conflicts(reverted, now, encoder.name)
        return reverted


def _state(at: At, version: int) -> dict[str, Any]:
    """What a version had; of the version that is now, what the memory has."""
    with within([at.space]):
        memory = kept(at)
        if memory.version == version:
            return {name: getattr(memory, name) for name in VERSIONED if name not in STAYS}
        past = Version.objects.filter(space_id=at.space, memory_id=at.id, number=version).first()
    if past is None:
        raise NotFound(f"This memory has no version {version}.")
    return {name: value for name, value in past.fields.items() if name not in STAYS}
