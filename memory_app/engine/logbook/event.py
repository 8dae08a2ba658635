"""Event: an entry of the log for what was done to no memory: settings, logins, decisions, jobs, starts and stops."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from ...models import COMMONS, Operation
from ...models.scope import within
from ..author import Author


def event(
    operation: str,
    detail: Mapping[str, Any] | None = None,
    *,
    author: Author,
    now: datetime,
    space: UUID = COMMONS,
    person: UUID | None = None,
    memory: UUID | None = None,
) -> None:
    """Writes it in the transaction of what it tells of. detail: ids, counts and names of settings, no one's words."""
    told = entry(operation, detail, author=author, now=now, space=space, person=person, memory=memory)
    with within([space], savepoint=False):
        told.save(force_insert=True)


def entry(
    operation: str,
    detail: Mapping[str, Any] | None = None,
    *,
    author: Author,
    now: datetime,
    space: UUID = COMMONS,
    person: UUID | None = None,
    memory: UUID | None = None,
) -> Operation:
    """The same, unsaved: for whoever stores it together with what it tells of."""
    return Operation(
        space_id=space,
        at=now,
        name=operation,
        author=author.label,
        person_id=person,
        memory_id=memory,
        request_id=author.request,
        detail=dict(detail or {}),
    )
