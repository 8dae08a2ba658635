"""Undo: bring back all that one request forgot."""

from collections.abc import Iterable
from datetime import datetime

from ..errors import NotFound
from ..models import Memory, Operation
from .author import Author
from .edit import At
from .restore import restore


def undo(*, operations: Iterable[Operation], author: Author, now: datetime) -> list[Memory]:
    """Restores the memories that these operations forgot, those left out that came back, or were erased, meanwhile."""
    forgotten = {
        (operation.space_id, operation.memory_id): At(operation.space_id, operation.memory_id)
        for operation in operations
        if operation.name == "forget" and operation.memory_id
    }
    restored = []
    for at in forgotten.values():
        try:
            restored.append(restore(at=at, author=author, now=now))
        except NotFound:
            continue
    return restored
