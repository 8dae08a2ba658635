"""Event: an entry of the log for what was done to no memory: settings, logins, decisions, jobs, starts and stops."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NotRequired, TypedDict, Unpack
from uuid import UUID

from memory_app.engine.author import Author
from memory_app.models import COMMONS, Operation
from memory_app.models.scope import within


class Told(TypedDict):
    """Who did it, when, and of whom; in whose space it is told."""

    author: Author
    now: datetime
    space: NotRequired[UUID]
    person: NotRequired[UUID | None]
    memory: NotRequired[UUID | None]


def event(operation: str, detail: Mapping[str, Any] | None = None, **told: Unpack[Told]) -> None:
    """Writes it in the transaction of what it tells of. detail: ids, counts and names of settings, no one's words."""
    row = entry(operation, detail, **told)
    with within([row.space_id], savepoint=False):
        row.save(force_insert=True)


def entry(operation: str, detail: Mapping[str, Any] | None = None, **told: Unpack[Told]) -> Operation:
    """The same, unsaved: for whoever stores it together with what it tells of."""
    author = told["author"]
    return Operation(
        space_id=told.get("space", COMMONS),
        at=told["now"],
        name=operation,
        author=author.label,
        person_id=told.get("person"),
        memory_id=told.get("memory"),
        request_id=author.request,
        detail=dict(detail or {}),
    )
