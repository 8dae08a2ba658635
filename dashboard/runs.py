"""One reading of a conversation as its page shows it: what it put up and kept, each with the turns it is from.

`/runs/{id}/`: what one reading of a conversation put up and kept, and taking all of it back.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from dashboard.access import SignedInRequest, with_viewer
from dashboard.conversation import TRIGGER_LABELS, RunRow, describe_problem
from dashboard.diff import DiffPiece, diff_words
from dashboard.inbox.filters import conversation_name
from dashboard.responses import show_message, show_warning, wants_json
from dashboard.undo import describe_undone
from dashboard.viewer import Viewer
from dashboard.wording import pluralize
from memory_app.engine.proposals.propose import operations_of_run, undo_run
from memory_app.errors import NotFound
from memory_app.models import Conversation, ExtractionRun, Memory, Operation, Proposal, Turn

TRIGGERS_OF_JOB = {"attend": ("idle",), "propose": ("nightly",), "daily": ("nightly",), "consolidate": ("nightly",)}
"""Jobs that read conversations, and for which reasons."""

MAX_LISTED = 10
"""Readings on the page of a job."""

CREATING_DECISIONS = frozenset({"add", "supersede", "conflict", "merge"})


@dataclass(frozen=True, slots=True)
class RunAction:
    """One thing a run did. places: the positions of the turns it rests on. memory, proposal: where to read on."""

    kind: str
    pieces: Sequence[DiffPiece]
    positions: Sequence[int]
    proposal: Proposal | None = None
    memory: Memory | None = None


@dataclass(frozen=True, slots=True)
class RunPage:
    """A run and what it did; undoable: whether anything of it still stands that nobody decided on."""

    run: ExtractionRun
    conversation: Conversation
    name: str
    trigger: str
    problem: str
    actions: Sequence[RunAction]
    undoable: bool


def runs_of_job(job: str) -> list[RunRow]:
    """The latest readings of conversations for the reason that a job reads them, newest first; to be evaluated where
    all spaces are open."""
    rows = ExtractionRun.objects.filter(trigger__in=TRIGGERS_OF_JOB.get(job, ())).order_by("-started_at", "-id")
    return [RunRow(run, TRIGGER_LABELS[run.trigger]) for run in rows[:MAX_LISTED]] if job in TRIGGERS_OF_JOB else []


def find_run(viewer: Viewer, identifier: UUID) -> ExtractionRun:
    """A run over a conversation that the reader may see. Raises NotFound."""
    run = ExtractionRun.objects.filter(id=identifier).first()
    if run is None:
        raise NotFound
    viewer.find_conversation(run.conversation_id)
    return run


def run_page(viewer: Viewer, run: ExtractionRun) -> RunPage:
    conversation = viewer.find_conversation(run.conversation_id)
    operations = operations_of_run(run)
    proposals = list(viewer.proposals().filter(run_id=run.id).defer("embedding").order_by("created_at", "number", "id"))
    saved = _saved_actions(viewer, operations)
    return RunPage(
        run=run,
        conversation=conversation,
        name=conversation_name(conversation),
        trigger=TRIGGER_LABELS.get(run.trigger, run.trigger),
        problem=describe_problem(run),
        actions=[*saved, *(_proposed_action(proposal) for proposal in proposals)],
        undoable=any(action.memory and action.memory.deleted_at is None and action.kind == "kept" for action in saved)
        or any(proposal.status == "pending" for proposal in proposals),
    )


def run_json(shown: RunPage) -> dict[str, Any]:
    run = shown.run
    names = ("id", "trigger", "started_at", "from_position", "to_position", "read", "proposed", "duplicates", "kept",
             "noted", "tokens", "milliseconds", "extractor", "error")  # fmt: skip
    actions = [
        {
            "kind": action.kind,
            "memory": action.memory.id if action.memory else None,
            "proposal": action.proposal.id if action.proposal else None,
            "turns": list(action.positions),
        }
        for action in shown.actions
    ]
    return {**{name: getattr(run, name) for name in names}, "conversation": run.conversation_id,
            "did": actions, "undoable": shown.undoable}  # fmt: skip


def _proposed_action(proposal: Proposal) -> RunAction:
    positions = sorted({quote["position"] for quote in proposal.quotes})
    return RunAction("proposed", [DiffPiece("added", proposal.content)], positions, proposal=proposal)


def _saved_actions(viewer: Viewer, operations: Sequence[Operation]) -> list[RunAction]:
    ids = {one.memory_id for one in operations if one.memory_id}
    memories = {memory.id: memory for memory in viewer.own().filter(id__in=ids)}
    turns = _positions(memories.values())
    actions = []
    for operation in operations:
        memory = memories.get(operation.memory_id) if operation.memory_id else None
        if (
            memory is not None
            and operation.name == "remember"
            and operation.detail.get("decision") in CREATING_DECISIONS
        ):
            actions.append(RunAction("kept", _pieces(memory, memories), turns.get(memory.id, []), memory=memory))
    return actions


def _pieces(memory: Memory, memories: dict[UUID, Memory]) -> list[DiffPiece]:
    """What is new, against what it takes the place of."""
    older = memories.get(memory.supersedes) if memory.supersedes else None
    if memory.sensitive or (older and older.sensitive):
        return [DiffPiece("added", "••••••")]
    return diff_words(older.content, memory.content) if older else [DiffPiece("added", memory.content)]


def _positions(memories: Iterable[Memory]) -> dict[UUID, list[int]]:
    by_memory = {memory.id: memory.source_turns for memory in memories}
    named = [turn for turns in by_memory.values() for turn in turns]
    positions = dict(Turn.objects.filter(id__in=named).values_list("id", "position"))
    return {
        memory: sorted(positions[turn] for turn in turns if turn in positions) for memory, turns in by_memory.items()
    }


@require_safe
@with_viewer
def show(request: SignedInRequest, viewer: Viewer, run_id: UUID) -> HttpResponse:
    shown = run_page(viewer, find_run(viewer, run_id))
    if wants_json(request):
        return JsonResponse(run_json(shown))
    return render(request, "dashboard/run.html", {"viewer": viewer, "now": timezone.now(), "shown": shown})


@require_POST
@with_viewer
def undo_whole_run(request: SignedInRequest, viewer: Viewer, run_id: UUID) -> HttpResponse:
    run = find_run(viewer, run_id)
    undone, refused = undo_run(run=run, grant=viewer.grant, author=viewer.author(), now=timezone.now())
    if refused:
        show_message(request, f"{pluralize(refused, 'proposal')} taken out of the inbox.")
    if undone.number:
        show_message(request, describe_undone(undone))
    if not refused and not undone.number:
        show_warning(request, "There was nothing left to undo.")
    return redirect("run", run_id)
