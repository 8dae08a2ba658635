"""Names that were merged or parted in the last day, what one request did taken as one; and the way back."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from dashboard.entities_listed import seen_by
from dashboard.reach import Reach
from dashboard.words import done
from memory_app.engine.forgetting.undo import OFFERED_FOR
from memory_app.engine.naming.undo_naming import NAMING, way_back
from memory_app.errors import NotFound
from memory_app.models import Operation

MOST = 200
"""Operations of a day that are looked through: merging by hand is rare, and many are of one act."""


@dataclass(frozen=True, slots=True)
class NameAct:
    """One act: its latest operation, the names it was about as far as they are there, and whether it can be undone.
    `undone`: whether all of it was. `undoes`: whether it is itself what took an act before it back."""

    operation: Operation
    words: str
    names: Sequence[tuple[UUID, str]]
    undoable: bool
    undone: bool
    undoes: bool

    @property
    def called(self) -> str:
        return " ".join(name for _, name in self.names)


def name_acts(reach: Reach, now: datetime) -> list[NameAct]:
    """The latest first; to be evaluated within the reach."""
    rows = list(_rows(reach, now).order_by("-at", "-id")[:MOST])
    return [_act(reach, list(group), rows) for _, group in groupby(rows, key=_together)]


def name_act(reach: Reach, operation: UUID, now: datetime) -> list[Operation]:
    """All that was done together with one operation, the latest first. Raises NotFound for what is not theirs, or too
    long ago."""
    rows = _rows(reach, now)
    found = rows.filter(id=operation).first()
    if found is None:
        raise NotFound
    return list(rows.filter(name=found.name, author=found.author, request_id=found.request_id, at=found.at))


def name_act_json(act: NameAct) -> dict[str, Any]:
    return {
        "id": str(act.operation.id),
        "operation": act.operation.name,
        "author": act.operation.author,
        "at": act.operation.at.isoformat(),
        "entities": [str(identifier) for identifier, _ in act.names],
        "can_be_undone": act.undoable,
        "undone": act.undone,
    }


def _rows(reach: Reach, now: datetime) -> Any:
    return reach.operations().filter(name__in=NAMING, at__gt=now - OFFERED_FOR)


def _together(operation: Operation) -> tuple[str, str, str, datetime]:
    return (operation.name, operation.author, operation.request_id, operation.at)


def _two(operation: Operation) -> frozenset[str]:
    """The two names: one that was taken out of another tells which that was."""
    return frozenset((operation.detail["entity"], operation.detail.get("from", operation.detail["other"])))


def _take_back(operation: Operation, others: Sequence[Operation]) -> bool:
    """Whether any of these is the other way round: merged what it parted, or parted what it merged."""
    return any(other.name != operation.name and _two(other) == _two(operation) for other in others)


def _act(reach: Reach, group: list[Operation], rows: Sequence[Operation]) -> NameAct:
    """rows: all of the day, the latest first."""
    seen, ids = seen_by(reach), list[str]()
    for operation in group:
        ids += [operation.detail["entity"], operation.detail.get("from", operation.detail["other"])]
    found = dict(seen.entities.filter(id__in=set(ids)).values_list("id", "name"))
    named = dict.fromkeys(UUID(identifier) for identifier in ids)
    undoable = any(way_back(seen, operation) for operation in group)
    later, before = rows[: rows.index(group[0])], rows[rows.index(group[-1]) + 1 :]
    return NameAct(
        operation=group[0],
        words=done(group[0], reader=reach.author().label),
        names=[(identifier, found[identifier]) for identifier in named if identifier in found],
        undoable=undoable,
        undone=not undoable and all(_take_back(operation, later) for operation in group),
        undoes=any(_take_back(operation, before) for operation in group),
    )
