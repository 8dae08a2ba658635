"""One reading of a conversation as its page shows it: what it put up and kept, each with the turns it is from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dashboard.compare import Piece, word_diff
from dashboard.inbox.facets import conversation_name
from dashboard.reach import Reach
from dashboard.talk import TRIGGERS, Run, amiss
from memory_app.engine.listening.undo_run import done_by
from memory_app.errors import NotFound
from memory_app.models import Conversation, ExtractionRun, Memory, Operation, Proposal, Turn

READS = {"attend": ("idle",), "propose": ("nightly",), "daily": ("nightly",), "consolidate": ("nightly",)}
"""Jobs that read conversations, and for which reasons."""

LISTED = 10
"""Readings on the page of a job."""

MADE = frozenset({"add", "supersede", "conflict", "merge"})


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing a run did. places: the positions of the turns it rests on. memory, proposal: where to read on."""

    kind: str
    pieces: Sequence[Piece]
    places: Sequence[int]
    proposal: Proposal | None = None
    memory: Memory | None = None


@dataclass(frozen=True, slots=True)
class RunShown:
    """A run and what it did; undoable: whether anything of it still stands that nobody decided on."""

    run: ExtractionRun
    conversation: Conversation
    name: str
    trigger: str
    amiss: str
    deeds: Sequence[Deed]
    undoable: bool


def readings_of(job: str) -> list[Run]:
    """The latest readings of conversations for the reason that a job reads them, newest first; to be evaluated where
    all spaces are open."""
    rows = ExtractionRun.objects.filter(trigger__in=READS.get(job, ())).order_by("-started_at", "-id")
    return [Run(run, TRIGGERS[run.trigger]) for run in rows[:LISTED]] if job in READS else []


def find_run(reach: Reach, identifier: UUID) -> ExtractionRun:
    """A run over a conversation that the reader may see. Raises NotFound."""
    run = ExtractionRun.objects.filter(id=identifier).first()
    if run is None:
        raise NotFound
    reach.find_conversation(run.conversation_id)
    return run


def shown_run(reach: Reach, run: ExtractionRun) -> RunShown:
    conversation = reach.find_conversation(run.conversation_id)
    operations = done_by(run)
    put_up = list(reach.proposals().filter(run_id=run.id).defer("embedding").order_by("created_at", "number", "id"))
    kept = _kept(reach, operations)
    return RunShown(
        run=run,
        conversation=conversation,
        name=conversation_name(conversation),
        trigger=TRIGGERS.get(run.trigger, run.trigger),
        amiss=amiss(run),
        deeds=[*kept, *(_put_up(proposal) for proposal in put_up)],
        undoable=any(deed.memory and deed.memory.deleted_at is None and deed.kind == "kept" for deed in kept)
        or any(proposal.status == "pending" for proposal in put_up),
    )


def run_json(shown: RunShown) -> dict[str, Any]:
    run = shown.run
    names = ("id", "trigger", "started_at", "from_position", "to_position", "read", "proposed", "duplicates", "kept",
             "noted", "tokens", "milliseconds", "extractor", "error")  # fmt: skip
    deeds = [
        {
            "kind": deed.kind,
            "memory": deed.memory.id if deed.memory else None,
            "proposal": deed.proposal.id if deed.proposal else None,
            "turns": list(deed.places),
        }
        for deed in shown.deeds
    ]
    return {**{name: getattr(run, name) for name in names}, "conversation": run.conversation_id,
            "did": deeds, "undoable": shown.undoable}  # fmt: skip


def _put_up(proposal: Proposal) -> Deed:
    places = sorted({quote["position"] for quote in proposal.quotes})
    return Deed("proposed", [Piece("added", proposal.content)], places, proposal=proposal)


def _kept(reach: Reach, operations: Sequence[Operation]) -> list[Deed]:
    ids = {one.memory_id for one in operations if one.memory_id}
    memories = {memory.id: memory for memory in reach.own().filter(id__in=ids)}
    turns = _positions(memories.values())
    deeds = []
    for operation in operations:
        memory = memories.get(operation.memory_id) if operation.memory_id else None
        if memory is not None and operation.name == "remember" and operation.detail.get("decision") in MADE:
            deeds.append(Deed("kept", _pieces(memory, memories), turns.get(memory.id, []), memory=memory))
    return deeds


def _pieces(memory: Memory, memories: dict[UUID, Memory]) -> list[Piece]:
    """What is new, against what it takes the place of."""
    older = memories.get(memory.supersedes) if memory.supersedes else None
    if memory.sensitive or (older and older.sensitive):
        return [Piece("added", "••••••")]
    return word_diff(older.content, memory.content) if older else [Piece("added", memory.content)]


def _positions(memories: Iterable[Memory]) -> dict[UUID, list[int]]:
    by_memory = {memory.id: memory.source_turns for memory in memories}
    named = [turn for turns in by_memory.values() for turn in turns]
    at = dict(Turn.objects.filter(id__in=named).values_list("id", "position"))
    return {memory: sorted(at[turn] for turn in turns if turn in at) for memory, turns in by_memory.items()}
