"""Entities that were merged or split in the last day, grouped by request, and how to undo that."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from dashboard.entities.entity_list import entities_seen_by
from dashboard.viewer import Viewer, get_row
from dashboard.wording import describe_operation
from memory_app.engine.deletion.undo import OFFER_PERIOD
from memory_app.engine.entities.merge_and_split import MERGE_OR_SPLIT, undo_step
from memory_app.models import Operation

MAX_OPERATIONS = 200
"""Operations of a day that are read: merging by hand is rare, and one request makes many of them."""


@dataclass(frozen=True, slots=True)
class EntityAction:
    """What one request did. operation: its latest. names: of the entities that still exist. undone: whether all of
    it was undone. is_undo: whether it undid an action before it."""

    operation: Operation
    words: str
    names: Sequence[tuple[UUID, str]]
    undoable: bool
    undone: bool
    is_undo: bool

    @property
    def title(self) -> str:
        return " ".join(name for _, name in self.names)


def recent_entity_actions(viewer: Viewer, now: datetime) -> list[EntityAction]:
    """The latest first."""
    rows = list(_rows(viewer, now).order_by("-at", "-id")[:MAX_OPERATIONS])
    return [_action(viewer, list(group), rows) for _, group in groupby(rows, key=_group_key)]


def operations_of_entity_action(viewer: Viewer, operation: UUID, now: datetime) -> list[Operation]:
    """All operations of the same action, the latest first. Raises NotFound where the viewer may not undo it, or it is
    too old."""
    rows = _rows(viewer, now)
    found = get_row(rows, operation)
    return list(rows.filter(name=found.name, author=found.author, request_id=found.request_id, at=found.at))


def entity_action_json(action: EntityAction) -> dict[str, Any]:
    return {
        "id": str(action.operation.id),
        "operation": action.operation.name,
        "author": action.operation.author,
        "at": action.operation.at.isoformat(),
        "entities": [str(identifier) for identifier, _ in action.names],
        "can_be_undone": action.undoable,
        "undone": action.undone,
    }


def _rows(viewer: Viewer, now: datetime) -> Any:
    return viewer.operations().filter(name__in=MERGE_OR_SPLIT, at__gt=now - OFFER_PERIOD)


def _group_key(operation: Operation) -> tuple[str, str, str, datetime]:
    return (operation.name, operation.author, operation.request_id, operation.at)


def _entity_pair(operation: Operation) -> frozenset[str]:
    """The two entities: a split says in `from` which the other was."""
    return frozenset((operation.detail["entity"], operation.detail.get("from", operation.detail["other"])))


def _has_opposite(operation: Operation, others: Sequence[Operation]) -> bool:
    """Whether any of these merged what it split, or split what it merged."""
    return any(other.name != operation.name and _entity_pair(other) == _entity_pair(operation) for other in others)


def _action(viewer: Viewer, group: list[Operation], rows: Sequence[Operation]) -> EntityAction:
    """rows: all of the day, the latest first."""
    seen, ids = entities_seen_by(viewer), list[str]()
    for operation in group:
        ids += [operation.detail["entity"], operation.detail.get("from", operation.detail["other"])]
    found = dict(seen.entities.filter(id__in=set(ids)).values_list("id", "name"))
    named = dict.fromkeys(UUID(identifier) for identifier in ids)
    undoable = any(undo_step(seen, operation) for operation in group)
    later, before = rows[: rows.index(group[0])], rows[rows.index(group[-1]) + 1 :]
    return EntityAction(
        operation=group[0],
        words=describe_operation(group[0], reader=viewer.author().label),
        names=[(identifier, found[identifier]) for identifier in named if identifier in found],
        undoable=undoable,
        undone=not undoable and all(_has_opposite(operation, later) for operation in group),
        is_undo=any(_has_opposite(operation, before) for operation in group),
    )
