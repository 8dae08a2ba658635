"""`/recent/`: what was forgotten, changed or erased in the last day, grouped by request, and undoing it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Count, Max, QuerySet, TextField
from django.db.models.functions import Cast
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view, post_view
from dashboard.decisions import Decision, decision_json, decisions_since
from dashboard.entities import (
    EntityAction,
    entities_seen_by,
    entity_action_json,
    operations_of_entity_action,
    recent_entity_actions,
)
from dashboard.lists import Pagination, pagination_fields
from dashboard.merges import MergeRow, merge_json, undoable_merges
from dashboard.responses import fields_json, page_or_json, redirect_back, show_message, show_warning
from dashboard.undo import describe_action, show_undone
from dashboard.viewer import Viewer, get_row
from memory_app.engine.deletion.undo import (
    MOVE,
    OFFER_PERIOD,
    REMOVING_OPERATIONS,
    UNDOABLE_OPERATIONS,
    can_be_undone,
    undo_operations,
)
from memory_app.engine.entities.merge_and_split import undo_merge_or_split
from memory_app.models import Memory, Operation

PAGE_SIZE = 25
MAX_AT_ONCE = 500
"""Operations that one press of a button undoes: each takes some milliseconds, and a person waits."""

REPLACING = frozenset({"supersede", "correct"})
GROUP_FIELDS = ("name", "author", "request_id", "at")
State = Literal["undoable", "undone", "changed", "gone"]

ERASURES = frozenset({"erase", "erase_person"})
LISTED_OPERATIONS = UNDOABLE_OPERATIONS | ERASURES


@dataclass(frozen=True, slots=True)
class RecentAction:
    """What one request did. operation: its latest. memory: the one it was done to, if it was one. remaining: how many
    operations can still be undone. undone: whether all were."""

    operation: Operation
    words: str
    number: int
    remaining: int
    memory: Memory | None
    undone: bool

    @property
    def state(self) -> State:
        """Whether it can be undone; if not, whether it was, the memory changed since, or it is gone for good."""
        if self.remaining:
            return "undoable"
        if self.operation.name in ERASURES or (self.number == 1 and self.memory is None):
            return "gone"
        return "undone" if self.undone else "changed"


@dataclass(frozen=True, slots=True)
class RecentPage(Pagination):
    """Actions; the decisions of the day, the entities merged and split in it, and merges of people that can still be
    undone."""

    actions: Sequence[RecentAction]
    decisions: Sequence[Decision]
    names: Sequence[EntityAction]
    people: Sequence[MergeRow]


def list_recent(viewer: Viewer, page: str | None, now: datetime) -> RecentPage:
    """The latest first."""
    rows = viewer.operations().filter(name__in=LISTED_OPERATIONS, at__gt=now - OFFER_PERIOD)
    grouped = rows.order_by().values(*GROUP_FIELDS).annotate(number=Count("id"), latest=Max(Cast("id", TextField())))
    found = Paginator(grouped.order_by("-at", "-latest"), PAGE_SIZE).get_page(page)
    latest = {row.id: row for row in rows.filter(id__in=[UUID(group["latest"]) for group in found.object_list])}
    return RecentPage(
        actions=[_action(viewer, latest[UUID(group["latest"])], group) for group in found.object_list],
        decisions=decisions_since(viewer, now - OFFER_PERIOD),
        names=recent_entity_actions(viewer, now),
        people=undoable_merges(viewer, now),
        **pagination_fields(found),
    )


def operations_of_action(viewer: Viewer, operation: UUID, now: datetime) -> QuerySet[Operation]:
    """All operations of the same action. Raises NotFound where the viewer may not undo it, or it is too old."""
    rows = viewer.operations().filter(name__in=UNDOABLE_OPERATIONS, at__gt=now - OFFER_PERIOD)
    found = get_row(rows, operation)
    return rows.filter(**fields_json(found, *GROUP_FIELDS))


def undoable_operations(viewer: Viewer, operations: QuerySet[Operation]) -> list[Operation]:
    """Those that can still be undone, at most MAX_AT_ONCE."""
    remaining: list[Operation] = []
    for operation, memory in _with_memories(viewer, operations):
        if memory is not None and can_be_undone(operation, memory):
            remaining.append(operation)
        if len(remaining) == MAX_AT_ONCE:
            break
    return remaining


def replacing_operations(viewer: Viewer, operations: Sequence[Operation]) -> list[Operation]:
    """The operations that saved what replaced these memories: the replacements go before the memories come back."""
    ids = {str(operation.memory_id) for operation in operations if operation.name in REPLACING}
    if not ids:
        return []
    first = operations[0]
    replacements = viewer.operations().filter(
        name="remember", author=first.author, request_id=first.request_id, at=first.at
    )
    return list(replacements.filter(detail__other__in=ids))


def as_json(listing: RecentPage) -> dict[str, Any]:
    return {
        "items": [action_json(action) for action in listing.actions],
        "decisions": [decision_json(decision) for decision in listing.decisions],
        "names": [entity_action_json(action) for action in listing.names],
        "people": [merge_json(row) for row in listing.people],
        **listing.pagination_json(),
    }


def action_json(action: RecentAction) -> dict[str, Any]:
    return {
        "id": str(action.operation.id),
        "operation": action.operation.name,
        "author": action.operation.author,
        "at": action.operation.at.isoformat(),
        "memories": action.number,
        "memory": str(action.memory.id) if action.memory else None,
        "can_be_undone": action.remaining,
        "state": action.state,
    }


def _action(viewer: Viewer, latest: Operation, group: dict[str, Any]) -> RecentAction:
    number = group["number"]
    same = viewer.operations().filter(**{name: group[name] for name in GROUP_FIELDS})
    pairs = _with_memories(viewer, same)
    remaining = sum(memory is not None and can_be_undone(operation, memory) for operation, memory in pairs)
    memory = pairs[0][1] if number == 1 and pairs else None
    words = describe_action(viewer, latest, number)
    return RecentAction(
        operation=latest,
        words=f"{words} a memory" if number == 1 and memory is None and latest.memory_id else words,
        number=number,
        remaining=remaining,
        memory=memory,
        undone=not remaining and _is_undone(viewer, pairs),
    )


def _is_undone(viewer: Viewer, pairs: Sequence[tuple[Operation, Memory | None]]) -> bool:
    """Whether what was removed is back, and the next operation on what was changed undid that change."""
    changed = [operation for operation, _ in pairs if operation.name not in REMOVING_OPERATIONS]
    next_ones = viewer.operations().filter(
        memory_id__in={operation.memory_id for operation in changed}, name__in=("undo", MOVE)
    )
    next_operations = {(row.memory_id, row.detail.get("version")): row for row in next_ones}
    back = all(
        memory is not None and memory.deleted_at is None for operation, memory in pairs if operation not in changed
    )
    return bool(pairs) and back and all(_is_reverted(operation, next_operations) for operation in changed)


def _is_reverted(operation: Operation, next_operations: Mapping[tuple[UUID | None, Any], Operation]) -> bool:
    next_operation = next_operations.get((operation.memory_id, operation.detail.get("version", 0) + 1))
    if next_operation is None or operation.name != MOVE:
        return next_operation is not None and next_operation.name == "undo"
    return next_operation.name == MOVE and next_operation.detail.get("to") == operation.detail.get("from", [])[:2]


def _with_memories(viewer: Viewer, operations: QuerySet[Operation]) -> list[tuple[Operation, Memory | None]]:
    """Of several memories, only the columns are read that show whether they changed since."""
    rows = list(operations.exclude(memory_id=None).order_by("-id"))
    found = viewer.own_memories().filter(id__in={row.memory_id for row in rows if row.memory_id})
    if len(rows) > 1:
        found = found.select_related(None).only("space_id", "id", "version", "deleted_at")
    memories = {memory.id: memory for memory in found}
    return [(row, memories.get(row.memory_id)) for row in rows if row.memory_id]


NAMES_CHANGED_SINCE = "There was nothing left to undo: the names were changed since."


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    listing = list_recent(viewer, request.GET.get("page"), timezone.now())
    return page_or_json(request, "recent.html", {"viewer": viewer, "listing": listing}, lambda: as_json(listing))


@post_view
def undo_action(request: SignedInRequest, viewer: Viewer, operation_id: UUID) -> HttpResponse:
    """Undoes all operations of one action; what changed since stays as it is."""
    now = timezone.now()
    operations = undoable_operations(viewer, operations_of_action(viewer, operation_id, now))
    all_operations = [*operations, *replacing_operations(viewer, operations)]
    undone = undo_operations(operations=all_operations, grant=viewer.grant, author=viewer.author(), now=now)
    show_undone(request, undone)
    if len(operations) == MAX_AT_ONCE:
        show_warning(request, f"At most {MAX_AT_ONCE} go at once: press again for the rest.")
    return redirect_back(request, reverse("recent"))


@post_view
def undo_names(request: SignedInRequest, viewer: Viewer, operation_id: UUID) -> HttpResponse:
    """Undoes a merge or split of entities, in every space where it was made."""
    now, seen, author = timezone.now(), entities_seen_by(viewer), viewer.author()
    undone = [
        undo_merge_or_split(seen=seen, person=operation.person_id, operation=operation, author=author, now=now)
        for operation in operations_of_entity_action(viewer, operation_id, now)
        if operation.person_id
    ]
    if any(undone):
        show_message(request, "Undone: the names are as they were.")
    else:
        show_warning(request, NAMES_CHANGED_SINCE)
    return redirect_back(request, reverse("recent"))
