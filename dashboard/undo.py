"""The latest operations, grouped by request, and `/undo/{request}/`, which undoes all that one request did."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from dashboard.access import SignedInRequest, post_view
from dashboard.responses import redirect_back, show_message, show_warning
from dashboard.viewer import Viewer
from dashboard.wording import describe_operation, pluralize
from memory_app.engine.deletion.undo import UndoResult, undo_operations
from memory_app.models import Memory, Operation

MAX_OPERATIONS_READ, MAX_ACTIONS_SHOWN = 60, 8
SIDE_OPERATIONS = ("request", "accept", "merge", "forget_request", "forget_answer")
"""Operations that are logged beside the change itself."""


@dataclass(frozen=True, slots=True)
class LatestAction:
    """What one request did. memory: the one it was done to, if it was one. undo: the request, if it can be undone."""

    words: str
    at: datetime
    number: int
    memory: Memory | None
    undo: str


def latest_actions(viewer: Viewer, *, only: str = "") -> list[LatestAction]:
    """Newest first. only: the name of an operation."""
    operations = viewer.operations().exclude(memory_id=None).exclude(name__in=SIDE_OPERATIONS)
    if only:
        operations = operations.filter(name=only)
    rows = list(operations.order_by("-id")[:MAX_OPERATIONS_READ])
    memories = _memories(viewer, [row.memory_id for row in rows if row.memory_id])
    groups = [list(group) for _, group in groupby(rows, key=_group_key)]
    return [_action(viewer, group, memories) for group in groups[:MAX_ACTIONS_SHOWN]]


def _group_key(operation: Operation) -> tuple[str, str]:
    return (operation.name, operation.request_id or str(operation.id))


def _memories(viewer: Viewer, ids: Iterable[UUID]) -> dict[UUID, Memory]:
    return {memory.id: memory for memory in viewer.own_memories().filter(id__in=list(ids))}


def _action(viewer: Viewer, group: list[Operation], memories: dict[UUID, Memory]) -> LatestAction:
    first = group[0]
    known = [memories[row.memory_id] for row in group if row.memory_id in memories]
    undoable = first.name == "forget" and any(memory.deleted_at for memory in known)
    return LatestAction(
        words=describe_action(viewer, first, len(group)),
        at=first.at,
        number=len(group),
        memory=known[0] if known and len(group) == 1 else None,
        undo=first.request_id if undoable else "",
    )


def describe_action(viewer: Viewer, operation: Operation, number: int) -> str:
    """What a request did, by one of its operations, and to how many memories, where they are several."""
    words = describe_operation(operation, reader=viewer.author().label)
    return words if number == 1 else f"{words} {pluralize(number, 'memory', 'memories')}"


@post_view
def undo_request(request: SignedInRequest, viewer: Viewer, request_id: UUID) -> HttpResponse:
    operations = viewer.operations().filter(request_id=str(request_id))
    undone = undo_operations(operations=operations, grant=viewer.grant, author=viewer.author(), now=timezone.now())
    show_undone(request, undone)
    return redirect_back(request, reverse("memories"))


def show_undone(request: SignedInRequest, undone: UndoResult) -> None:
    """Says on the next page what was undone, or that nothing was."""
    if undone.number:
        show_message(request, describe_undone(undone))
    else:
        show_warning(request, "There was nothing left to undo.")


def describe_undone(undone: UndoResult) -> str:
    """What was undone, in a sentence."""
    changes = (
        ("brought back", undone.restored),
        ("forgot", undone.deleted),
        ("put back as before", undone.reverted),
    )
    sentence = "; ".join(
        f"{verb} {pluralize(len(memories), 'memory', 'memories')}" for verb, memories in changes if memories
    )
    return f"{sentence[:1].upper()}{sentence[1:]}."
