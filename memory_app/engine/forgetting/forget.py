"""Forget: move a memory to tier 2, from which it can be restored."""

from datetime import datetime

from ...models import Memory, Status
from ...models.scope import within
from ..author import Author
from ..change import change
from ..edit import At, kept

ASKED = "asked"


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
