"""What was taken away or changed in the last day, what one request did taken as one, and what of it can be undone; and
what was erased, which cannot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Count, Max, QuerySet, TextField
from django.db.models.functions import Cast

from dashboard.inbox.decisions import Decision, decided_since, decision_json
from dashboard.merges import Merged, merge_json, merges_to_take_back
from dashboard.reach import Reach
from dashboard.recent_names import NameAct, name_act_json, name_acts
from dashboard.turning import turning
from dashboard.words import count, done
from memory_app.engine.forgetting.undo import MOVED, OFFERED_FOR, TAKEN_AWAY, UNDOABLE, can_be_undone
from memory_app.errors import NotFound
from memory_app.models import Memory, Operation

PAGE = 25
MOST_AT_ONCE = 500
"""Operations that one press of a button takes back: each takes some milliseconds, and a person waits."""

REPLACING = frozenset({"supersede", "correct"})
TOGETHER = ("name", "author", "request_id", "at")
State = Literal["undoable", "undone", "changed", "gone"]

ERASED = frozenset({"erase", "erase_person"})
SHOWN = UNDOABLE | ERASED


@dataclass(frozen=True, slots=True)
class Act:
    """One act. `operation`: the latest of its operations, which stands for all. `memory`: the one it was done to, where
    it was one. `left`: how many can still be undone. `undone`: whether all of it was."""

    operation: Operation
    words: str
    number: int
    left: int
    memory: Memory | None
    undone: bool

    @property
    def state(self) -> State:
        """Whether it can be undone; if not, whether it was, the memory changed since, or it is gone for good."""
        if self.left:
            return "undoable"
        if self.operation.name in ERASED or (self.number == 1 and self.memory is None):
            return "gone"
        return "undone" if self.undone else "changed"


@dataclass(frozen=True, slots=True)
class Recent:
    """A page of acts; the decisions of the day, the names merged and parted in it, and merges of people that can still
    be taken back. `number` and `pages` count from 1."""

    acts: Sequence[Act]
    decisions: Sequence[Decision]
    names: Sequence[NameAct]
    people: Sequence[Merged]
    total: int
    number: int
    pages: int
    newer: str
    older: str


def recent(reach: Reach, page: str | None, now: datetime) -> Recent:
    """The page asked for, the latest first; to be evaluated within the reach."""
    rows = reach.operations().filter(name__in=SHOWN, at__gt=now - OFFERED_FOR)
    grouped = rows.order_by().values(*TOGETHER).annotate(number=Count("id"), latest=Max(Cast("id", TextField())))
    pages = Paginator(grouped.order_by("-at", "-latest"), PAGE)
    here = pages.get_page(page)
    latest = {row.id: row for row in rows.filter(id__in=[UUID(group["latest"]) for group in here.object_list])}
    return Recent(
        acts=[_act(reach, latest[UUID(group["latest"])], group) for group in here.object_list],
        decisions=decided_since(reach, now - OFFERED_FOR),
        names=name_acts(reach, now),
        people=merges_to_take_back(reach, now),
        **turning(here),
    )


def act_of(reach: Reach, operation: UUID, now: datetime) -> QuerySet[Operation]:
    """All that was done together with one operation. Raises NotFound for what is not theirs, or too long ago."""
    rows = reach.operations().filter(name__in=UNDOABLE, at__gt=now - OFFERED_FOR)
    found = rows.filter(id=operation).first()
    if found is None:
        raise NotFound
    return rows.filter(**{name: getattr(found, name) for name in TOGETHER})


def undoable(reach: Reach, operations: QuerySet[Operation]) -> list[Operation]:
    """Those that can still be undone, as many as go at once."""
    left: list[Operation] = []
    for operation, memory in _with_memories(reach, operations):
        if memory is not None and can_be_undone(operation, memory):
            left.append(operation)
        if len(left) == MOST_AT_ONCE:
            break
    return left


def made_by(reach: Reach, operations: Sequence[Operation]) -> list[Operation]:
    """By which what took the place of these memories was kept: what is to go before they come back."""
    ids = {str(operation.memory_id) for operation in operations if operation.name in REPLACING}
    if not ids:
        return []
    first = operations[0]
    made = reach.operations().filter(name="remember", author=first.author, request_id=first.request_id, at=first.at)
    return list(made.filter(detail__other__in=ids))


def as_json(listing: Recent) -> dict[str, Any]:
    return {
        "items": [act_json(act) for act in listing.acts],
        "decisions": [decision_json(decision) for decision in listing.decisions],
        "names": [name_act_json(act) for act in listing.names],
        "people": [merge_json(row) for row in listing.people],
        "total": listing.total,
        "page": listing.number,
        "pages": listing.pages,
        "next": listing.older or None,
    }


def act_json(act: Act) -> dict[str, Any]:
    return {
        "id": str(act.operation.id),
        "operation": act.operation.name,
        "author": act.operation.author,
        "at": act.operation.at.isoformat(),
        "memories": act.number,
        "memory": str(act.memory.id) if act.memory else None,
        "can_be_undone": act.left,
        "state": act.state,
    }


def _act(reach: Reach, latest: Operation, group: dict[str, Any]) -> Act:
    number = group["number"]
    same = reach.operations().filter(**{name: group[name] for name in TOGETHER})
    pairs = _with_memories(reach, same)
    left = sum(memory is not None and can_be_undone(operation, memory) for operation, memory in pairs)
    words = done(latest, reader=reach.author().label)
    memory = pairs[0][1] if number == 1 and pairs else None
    if number > 1 or (memory is None and latest.memory_id):
        words = f"{words} {count(number, 'memory', 'memories') if number > 1 else 'a memory'}"
    return Act(
        operation=latest,
        words=words,
        number=number,
        left=left,
        memory=memory,
        undone=not left and _is_undone(reach, pairs),
    )


def _is_undone(reach: Reach, pairs: Sequence[tuple[Operation, Memory | None]]) -> bool:
    """Whether what was taken away is back, and the very next thing that was done to what was changed took it back."""
    changed = [operation for operation, _ in pairs if operation.name not in TAKEN_AWAY]
    next_ones = reach.operations().filter(
        memory_id__in={operation.memory_id for operation in changed}, name__in=("undo", MOVED)
    )
    following = {(row.memory_id, row.detail.get("version")): row for row in next_ones}
    back = all(
        memory is not None and memory.deleted_at is None for operation, memory in pairs if operation not in changed
    )
    return bool(pairs) and back and all(_takes_back(operation, following) for operation in changed)


def _takes_back(operation: Operation, following: Mapping[tuple[UUID | None, Any], Operation]) -> bool:
    following_one = following.get((operation.memory_id, operation.detail.get("version", 0) + 1))
    if following_one is None or operation.name != MOVED:
        return following_one is not None and following_one.name == "undo"
    return following_one.name == MOVED and following_one.detail.get("to") == operation.detail.get("from", [])[:2]


def _with_memories(reach: Reach, operations: QuerySet[Operation]) -> list[tuple[Operation, Memory | None]]:
    """Of many memories only what tells whether they changed since is read."""
    rows = list(operations.exclude(memory_id=None).order_by("-id"))
    found = reach.own().filter(id__in={row.memory_id for row in rows if row.memory_id})
    if len(rows) > 1:
        found = found.select_related(None).only("space_id", "id", "version", "deleted_at")
    memories = {memory.id: memory for memory in found}
    return [(row, memories.get(row.memory_id)) for row in rows if row.memory_id]
