"""Undo of merging and parting names: each taken back by the other, as long as nothing else was done to them since."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from memory_app.engine.author import Author
from memory_app.engine.naming.entities import Seen
from memory_app.engine.naming.entity_merge import merge, put_together, take_out
from memory_app.errors import Invalid, NotFound
from memory_app.models import Entity, EntityLink, Operation

MERGED, PARTED = "merge entities", "part entities"
NAMING = frozenset({MERGED, PARTED})
"""What the log calls them."""

Way = Literal["take out", "merge", "put together"]


def way_back(seen: Seen, operation: Operation) -> Way | None:
    """What would undo one of NAMING; None where the names changed since, or are gone. Expects the scope of `seen`."""
    entity, other = _ids(operation.detail)
    row = _row(seen, operation, entity)
    if operation.name == MERGED:
        return "take out" if row is not None and row.merged_into == other else None
    if "from" in operation.detail:
        before = _row(seen, operation, other)
        return "merge" if row is not None and before is not None and row.merged_into is None else None
    moved = EntityLink.objects.filter(space_id=operation.space_id, entity_id=other, moved_from=entity)
    return "put together" if _row(seen, operation, other) is not None and moved.exists() else None


def undo_naming(*, seen: Seen, person: UUID, operation: Operation, author: Author, now: datetime) -> bool:
    """Takes it back where that can be; whether it was. person: whose names they are."""
    entity, other = _ids(operation.detail)
    try:
        match way_back(seen, operation):
            case "take out":
                take_out(seen=seen, person=person, entity=entity, author=author, now=now)
            case "merge":
                merge(seen=seen, person=person, entity=entity, into=other, author=author, now=now)
            case "put together":
                put_together(seen=seen, person=person, entity=other, author=author, now=now)
            case None:
                return False
    except (Invalid, NotFound):
        return False
    return True


def _ids(detail: Mapping[str, Any]) -> tuple[UUID, UUID]:
    """The two names. One that was taken out of another tells which that was."""
    return UUID(detail["entity"]), UUID(detail.get("from", detail["other"]))


def _row(seen: Seen, operation: Operation, entity: UUID) -> Entity | None:
    here = seen.entities.filter(space_id=operation.space_id, id=entity)
    return here.filter(person_id=operation.person_id).first() if operation.person_id else None
