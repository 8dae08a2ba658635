"""Accept a proposal: keep what was proposed, as it was noticed or as the person edited it.

The memory dates from when it was said, not from when it was accepted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author, log_event
from memory_app.engine.memories.edit import MemoryRef, edit, rederive_fields
from memory_app.engine.memories.memory_input import DERIVED_FIELDS, MemoryInput, MemorySource, build_memory
from memory_app.engine.memories.save import TIME_STEP, ConflictPolicy, ModelRelations, SaveResult, save_memories
from memory_app.engine.memories.write_version import replace_memory
from memory_app.engine.venue_context import VenueContext, conversation_venue
from memory_app.engine.write_access import check_write
from memory_app.errors import ConflictError, Invalid, NotFound
from memory_app.models import Channel, Conversation, Memory, Proposal, ProposalStatus, Relation, Turn
from memory_app.models.person import lock_writers
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.rules.decide import Judgement
from memory_app.rules.grant import EVERYTHING, Grant
from memory_app.rules.visibility import Visibility

ConflictChoice = Literal["newest", "both"]
"""Of a proposal and the memory that it conflicts with: whether the proposal replaces it, or both hold."""

CONFLICT_POLICIES: Mapping[ConflictChoice | None, ConflictPolicy] = {"both": "both", "newest": "ignore", None: "ask"}

PROPOSED_FIELDS = ("content", "context", "summary", "type", "category", "key", "keywords")
EDITABLE_FIELDS = frozenset({*PROPOSED_FIELDS, "visibility"})

OPERATION_NAMES = {
    ProposalStatus.ACCEPTED: "accept",
    ProposalStatus.MERGED: "merge",
    ProposalStatus.REJECTED: "reject",
}
"""What the log calls a decision."""


@dataclass(frozen=True, slots=True)
class AcceptResult:
    """What a proposal became."""

    proposal: Proposal
    memory: Memory
    outcome: str


def find_proposal(*, proposal: UUID, grant: Grant) -> Proposal:
    """The proposal of that id, where the grant reaches it: it may be refused or put off then. Raises NotFound."""
    with every_space():
        rows = Proposal.objects.select_related("person__space", "space", "conversation")
        found = rows.filter(id=proposal).first()
    if found is None or not grant.allows(found.person.name, found.space.name or None):
        raise NotFound
    return found


def accept(
    *,
    proposal: Proposal,
    edits: dict[str, Any] | None = None,
    merged: str | None = None,
    holds: ConflictChoice | None = None,
    grant: Grant = EVERYTHING,
    author: Author,
    now: datetime,
    encoder: Encoder,
) -> AcceptResult:
    """Keeps what was proposed, as it is or edited, at a level that the grant may write. merged: the text its target
    becomes instead. holds: of what conflicts with a memory, whether the newest holds or both do; if nothing is said,
    the person is asked later.

    Raises ConflictError for one that was decided already, Invalid for a choice where nothing is in conflict, NotAllowed
    for a level that is not the caller's to write.
    """
    unknown = set(edits or {}) - EDITABLE_FIELDS
    if unknown:
        raise Invalid(sorted(unknown)[0], f"Only these can be edited: {', '.join(sorted(EDITABLE_FIELDS))}.")
    level = (edits or {}).get("visibility") if merged is None else None
    check_write(grant, proposal, to=Visibility(level) if level else None)
    venue_context = proposal_venue(proposal, grant)
    with allowed_spaces(venue_context.venue.spaces | {proposal.space_id}):
        lock_writers(proposal.person_id)
        row = lock_pending(proposal)
        if holds and row.relation != Relation.CONFLICT:
            raise Invalid("keep", "There is nothing to choose from: this conflicts with no memory.")
        if merged is not None:
            memory, outcome = (
                _merge_into_target(row, merged, (edits or {}).get("summary"), author, now, encoder),
                "merged",
            )
        else:
            saved = _save_proposal(venue_context, row, edits or {}, holds, author, now, encoder)
            memory, outcome = saved.memory, saved.outcome
        status = ProposalStatus.MERGED if merged is not None else ProposalStatus.ACCEPTED
        store_decision(row, status, author, now, memory_id=memory.id)
    return AcceptResult(row, memory, outcome)


def _merge_into_target(
    proposal: Proposal, text: str, summary: str | None, author: Author, now: datetime, encoder: Encoder
) -> Memory:
    """The target says both."""
    if proposal.target_id is None:
        raise ConflictError("There is nothing to merge this with.")
    at = MemoryRef(proposal.space_id, proposal.target_id)
    changes = {"content": text, "summary": summary} if summary else {"content": text}
    memory = edit(at=at, changes=changes, author=author, now=now, encoder=encoder)
    memory.source_count += 1
    memory.source_turns = [*memory.source_turns, *(UUID(quote["turn"]) for quote in proposal.quotes)]
    memory.save(update_fields=["source_count", "source_turns"])
    return memory


def _save_proposal(
    venue_context: VenueContext,
    proposal: Proposal,
    edits: dict[str, Any],
    holds: ConflictChoice | None,
    author: Author,
    now: datetime,
    encoder: Encoder,
) -> SaveResult:
    """What became of it. Whatever was told since it was said stays the newer; a text that the person edited they tell
    now, and one that they chose over another is newer than that."""
    fields = {name: getattr(proposal, name) for name in (*PROPOSED_FIELDS, "event_time", "event_end")}
    text = edits.get("content", proposal.content).strip()
    turns = tuple(UUID(quote["turn"]) for quote in proposal.quotes)
    said_at = now
    if text != proposal.content:
        fields |= _fields_of_edit(venue_context, proposal, text, now)
    else:
        said_at = _time_said(proposal, holds)
    fields |= edits
    spoken = proposal.is_quotation or text != proposal.content
    speaker = (proposal.speaker or venue_context.person.name) if spoken else proposal.speaker
    source = MemorySource("extracted", proposal.conversation_id, speaker, turns)
    memory_input = MemoryInput(**fields, source=source, confidence=1.0, stated=set(edits), said_at=said_at)
    draft = build_memory(venue_context, memory_input, now)
    if text != proposal.content and fields["event_time"] is None:
        draft.memory.event_time = draft.memory.event_end = None
    saved = save_memories(
        venue_context=venue_context,
        drafts=[draft],
        author=author,
        now=now,
        encoder=encoder,
        on_conflict=CONFLICT_POLICIES[holds],
        relations=[_model_relations(proposal)] if holds is None else (),
    )[0]
    if holds == "newest" and saved.outcome == "added" and proposal.target_id:
        replace_memory(proposal.target_id, saved.memory, author, now)
    return saved


def _model_relations(proposal: Proposal) -> ModelRelations:
    """What a language model said of it and a memory, which the person was shown with it."""
    if not proposal.judgement or proposal.target_id is None:
        return {}
    return {proposal.target_id: cast(Judgement, proposal.judgement)}


def _time_said(proposal: Proposal, holds: ConflictChoice | None) -> datetime:
    """When it was said, or just after what it was chosen over."""
    said_at_turns = last_spoken_times([proposal])[proposal.id]
    replaced = None
    if holds == "newest" and proposal.target_id:
        replaced = Memory.objects.filter(space_id=proposal.space_id, id=proposal.target_id).first()
    return max(said_at_turns, replaced.valid_from + TIME_STEP) if replaced else said_at_turns


def _fields_of_edit(venue_context: VenueContext, proposal: Proposal, text: str, now: datetime) -> dict[str, Any]:
    """What follows from the text that the person made of it, and reads otherwise than what was proposed."""
    known = {name: getattr(proposal, name) for name in (*DERIVED_FIELDS, "content")}
    noticed = Memory(person=venue_context.person, **known, stated=[], created_at=proposal.created_at)
    read = rederive_fields(noticed, text, now=now)
    read.pop("source_speaker", None)
    return {"summary": None, **read}


def last_spoken_times(proposals: Sequence[Proposal]) -> dict[UUID, datetime]:
    """When each proposal was said: at its last turn, or, if none of its turns is left, when it was proposed. Expects
    their space allowed."""
    quoted = {one.id: [UUID(quote["turn"]) for quote in one.quotes] for one in proposals}
    ids = [turn for turns in quoted.values() for turn in turns]
    spaces = {one.space_id for one in proposals}
    spoken_at = {turn.id: turn.time_spoken for turn in Turn.objects.filter(space_id__in=spaces, id__in=ids)}
    return {
        one.id: max((spoken_at[turn] for turn in quoted[one.id] if turn in spoken_at), default=one.created_at)
        for one in proposals
    }


def proposal_venue(proposal: Proposal, grant: Grant) -> VenueContext:
    """Where the proposal was noticed. One with no conversation is about memories of its own space."""
    stand_in = Conversation(
        space=proposal.space, person=proposal.person, visibility=proposal.visibility, channel_id=proposal.channel_id
    )
    if proposal.channel_id:
        with allowed_spaces([proposal.space_id]):
            stand_in.channel = Channel.objects.get(space_id=proposal.space_id, id=proposal.channel_id)
    return conversation_venue(stand_in, grant)


def lock_proposal(proposal: Proposal) -> Proposal:
    rows = Proposal.objects.select_for_update(of=("self",)).select_related("person__space", "space", "conversation")
    found = rows.filter(space_id=proposal.space_id, id=proposal.id).first()
    if found is None:
        raise NotFound
    return found


def lock_pending(proposal: Proposal) -> Proposal:
    row = lock_proposal(proposal)
    if row.status != ProposalStatus.PENDING:
        raise ConflictError(f"This was {row.status} already; undo that first.")
    return row


def store_decision(
    proposal: Proposal, status: ProposalStatus, author: Author, now: datetime, **fields: Any
) -> Proposal:
    proposal.status, proposal.decided_at, proposal.decided_by = status, now, author.label
    for name, value in fields.items():
        setattr(proposal, name, value)
    proposal.save(update_fields=["status", "decided_at", "decided_by", *fields])
    log_proposal(OPERATION_NAMES[status], proposal, author, now)
    return proposal


def log_proposal(act: str, proposal: Proposal, author: Author, now: datetime, **more: str) -> None:
    """Which proposal, of what relation and how sure; what it says is in it."""
    detail = {
        "proposal": str(proposal.id),
        "relation": proposal.relation,
        "confidence": proposal.confidence,
        "extractor": proposal.extractor,
        **more,
    }
    space, person_id = proposal.space_id, proposal.person_id
    log_event(act, detail, author=author, now=now, space=space, person=person_id, memory=proposal.memory_id)
