"""`/runs/{id}/`: what one run over a conversation proposed and saved, and undoing all of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view, post_view
from dashboard.dialogue import conversation_name
from dashboard.diff import DiffPiece, diff_words
from dashboard.responses import fields_json, page_or_json, show_message, show_warning
from dashboard.undo import describe_undone
from dashboard.viewer import Viewer, get_row
from dashboard.wording import pluralize
from memory_app.engine.proposals.propose import operations_of_run, undo_run
from memory_app.models import Conversation, ExtractionRun, Memory, Operation, Proposal, Turn

TRIGGER_LABELS = {
    "count": "much was said",
    "history": "its beginning was about to be trimmed",
    "idle": "nobody spoke any more",
    "switch": "another conversation was opened",
    "import": "it came with an import",
    "end": "it ended",
    "nightly": "the day was over",
}


TRIGGERS_OF_JOB = {"attend": ("idle",), "propose": ("nightly",), "daily": ("nightly",), "consolidate": ("nightly",)}
"""Jobs that read conversations, and for which of these reasons."""

MAX_LISTED = 10
"""Runs on the page of a job."""

CREATING_DECISIONS = frozenset({"add", "supersede", "conflict", "merge"})
RUN_FIELDS = ("id", "trigger", "started_at", "from_position", "to_position", "read", "proposed", "duplicates", "kept",
              "noted", "tokens", "milliseconds", "extractor", "error")  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunRow:
    run: ExtractionRun

    @property
    def trigger(self) -> str:
        return TRIGGER_LABELS.get(self.run.trigger, self.run.trigger)

    @property
    def turns(self) -> str:
        """The turns it covers, counted from 1."""
        return f"{self.run.from_position + 1}–{self.run.to_position}"

    @property
    def problem(self) -> str:
        """Why nothing came of it, or what a model said that could not be used."""
        dropped = ", ".join(f"{number} × {reason}" for reason, number in sorted(self.run.dropped.items()))
        return " ".join(part for part in (self.run.error, f"Not used: {dropped}." if dropped else "") if part)


@dataclass(frozen=True, slots=True)
class RunAction:
    """One thing a run did. positions: of the turns it quotes. memory, proposal: what came of it."""

    kind: str
    pieces: Sequence[DiffPiece]
    positions: Sequence[int]
    proposal: Proposal | None = None
    memory: Memory | None = None


@dataclass(frozen=True, slots=True)
class RunPage(RunRow):
    """undoable: whether anything of it still stands that nobody decided on."""

    conversation: Conversation
    name: str
    actions: Sequence[RunAction]
    undoable: bool


def runs_of_job(job: str) -> list[RunRow]:
    """The latest runs over conversations for the reasons of a job; to be evaluated where all spaces are open."""
    rows = ExtractionRun.objects.filter(trigger__in=TRIGGERS_OF_JOB.get(job, ())).order_by("-started_at", "-id")
    return [RunRow(run) for run in rows[:MAX_LISTED]] if job in TRIGGERS_OF_JOB else []


def find_run(viewer: Viewer, identifier: UUID) -> ExtractionRun:
    """A run over a conversation that the reader may see. Raises NotFound."""
    run = get_row(ExtractionRun.objects.all(), identifier)
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
        actions=[*saved, *(_proposed_action(proposal) for proposal in proposals)],
        undoable=any(action.memory and action.memory.deleted_at is None and action.kind == "kept" for action in saved)
        or any(proposal.status == "pending" for proposal in proposals),
    )


def run_json(page: RunPage) -> dict[str, Any]:
    actions = [
        {
            "kind": action.kind,
            "memory": action.memory.id if action.memory else None,
            "proposal": action.proposal.id if action.proposal else None,
            "turns": list(action.positions),
        }
        for action in page.actions
    ]
    fields = fields_json(page.run, *RUN_FIELDS)
    return {**fields, "conversation": page.run.conversation_id, "did": actions, "undoable": page.undoable}


def _proposed_action(proposal: Proposal) -> RunAction:
    positions = sorted({quote["position"] for quote in proposal.quotes})
    return RunAction("proposed", [DiffPiece("added", proposal.content)], positions, proposal=proposal)


def _saved_actions(viewer: Viewer, operations: Sequence[Operation]) -> list[RunAction]:
    ids = {one.memory_id for one in operations if one.memory_id}
    memories = {memory.id: memory for memory in viewer.own_memories().filter(id__in=ids)}
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


@get_view
def show(request: SignedInRequest, viewer: Viewer, run_id: UUID) -> HttpResponse:
    page = run_page(viewer, find_run(viewer, run_id))
    return page_or_json(
        request, "run.html", {"viewer": viewer, "now": timezone.now(), "page": page}, lambda: run_json(page)
    )


@post_view
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
