"""Forget: move a memory to tier 2, from which it can be restored."""

from collections.abc import Iterable
from datetime import datetime

from memory_app.engine.author import Author
from memory_app.engine.change import change
from memory_app.engine.edit import At, kept
from memory_app.errors import NotFound
from memory_app.models import Memory, Status
from memory_app.models.scope import within

ASKED, UNDONE = "asked", "undone"
"""Reasons: that somebody wanted it so, or that what kept it was undone."""


def forget(*, at: At, author: Author, now: datetime, reason: str = ASKED) -> Memory:
    """Hides a memory everywhere but from super users and, for a while, its owner. Raises NotFound."""
    with within([at.space]):
        memory = kept(at)
        return change(
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


def forget_all(*, memories: Iterable[Memory], author: Author, now: datetime) -> list[Memory]:
    """As many as are still kept. Person by person, always in the same order, so that nobody waits for one who waits
    for them."""
    forgotten = []
    for memory in sorted(memories, key=lambda one: (one.person_id, one.id)):
        try:
            forgotten.append(forget(at=At(memory.space_id, memory.id), author=author, now=now))
        except NotFound:
            continue
    return forgotten
