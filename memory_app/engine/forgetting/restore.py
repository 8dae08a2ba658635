"""Restore: bring a forgotten memory back as it was."""

from datetime import datetime
from typing import Any

from ...errors import NotFound
from ...models import Memory, Status
from ...models.scope import within
from ..author import Author
from ..change import change, held, key_is_taken
from ..edit import At


def restore(*, at: At, author: Author, now: datetime) -> Memory:
    """Back to tier 1, reinforced so that it does not fade the same night. Raises NotFound unless it is in tier 2.

    One that another had replaced comes back as replaced. Where its key holds another value by now, it comes back
    without the key: the newer value stands.
    """
    with within([at.space]):
        memory = held(at.space, at.id)
        if memory is None or memory.deleted_at is None:
            raise NotFound
        status = Status.SUPERSEDED if memory.superseded_by else Status.ACTIVE
        fields: dict[str, Any] = {
            "status": status,
            "deleted_at": None,
            "deleted_by": "",
            "delete_reason": "",
            "reinforced_at": now,
        }
        if status == Status.ACTIVE and key_is_taken(memory, memory.key):
            fields["key"] = ""
        return change(memory, operation="restore", author=author, now=now, **fields)
