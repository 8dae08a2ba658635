"""Taken apart: a memory into which an erased one was merged says again what it said before, for the text of both held
the words of the erased one. What it was changed to since was made from that text, and goes too."""

from collections.abc import Sequence
from datetime import datetime

from memory_app.engine.author import Author
from memory_app.engine.change import change, locked
from memory_app.engine.erasing.tally import Tally
from memory_app.engine.forgetting.put_back import restored_fields
from memory_app.engine.keeping.mention import mention_again
from memory_app.models import Conflict, ConflictAnswer, Memory, Version

WORDING = ("content", "context", "summary", "keywords", "tsv", "digest", "embedding", "embedding_model", "sensitive")
"""What of an earlier version holds again; whether it was forgotten since, for one, is left alone."""


def take_apart(memory: Memory, going: Sequence[Memory], tally: Tally, author: Author, now: datetime) -> list[str]:
    """Puts what it was merged into back; returns the texts that went by that. Expects `every_space()`."""
    if memory.version == 1:  # what is merged into another is replaced by it, which makes a version
        return []
    merged = Conflict.objects.filter(space_id=memory.space_id, older_id=memory.id, answer=ConflictAnswer.MERGED)
    others = merged.exclude(newer_id__in=[one.id for one in going])
    return [text for conflict in others.order_by("-answered_at") for text in _put_back(conflict, tally, author, now)]


def _put_back(conflict: Conflict, tally: Tally, author: Author, now: datetime) -> list[str]:
    if conflict.answered_at is None:
        return []
    target = locked(conflict.space_id, conflict.newer_id)
    versions = Version.objects.filter(space_id=conflict.space_id, memory_id=conflict.newer_id)
    before = versions.filter(replaced_at=conflict.answered_at).first()
    if target is None or before is None:
        return []
    later = versions.filter(number__gt=before.number)
    states = [{"content": target.content, "summary": target.summary}, *later.values_list("state", flat=True)]
    fields = restored_fields(target, before)
    change(
        target, operation="undo", author=author, now=now, **{name: fields[name] for name in WORDING if name in fields}
    )
    mention_again(target)
    tally.note("memory", 1, blanks=True)
    tally.note("memory_version", later.delete()[0])
    return [text for state in states for text in (state["content"], state["summary"]) if text]
