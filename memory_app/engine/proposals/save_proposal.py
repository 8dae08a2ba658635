"""Keep what was proposed, as it was noticed or as the person edited it: told when it was said, not when accepted."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, cast
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.memories.edit import rederive_fields
from memory_app.engine.memories.memory_input import DERIVED_FIELDS, MemoryInput, MemorySource, build_memory
from memory_app.engine.memories.save import TIME_STEP, ConflictPolicy, ModelRelations, SaveResult, save_memories
from memory_app.engine.memories.write_version import replace_memory
from memory_app.engine.venue_context import VenueContext
from memory_app.models import Memory, Proposal, Turn
from memory_app.rules.decide import Judgement

ConflictChoice = Literal["newest", "both"]
"""Of a proposal and the memory that it conflicts with: whether the proposal replaces it, or both hold."""

CONFLICT_POLICIES: Mapping[ConflictChoice | None, ConflictPolicy] = {"both": "both", "newest": "ignore", None: "ask"}

PROPOSED_FIELDS = ("content", "context", "summary", "type", "category", "key", "keywords")


def save_proposal(
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
    spoken = {turn.id: turn.time_spoken for turn in Turn.objects.filter(space_id__in=spaces, id__in=ids)}
    return {
        one.id: max((spoken[turn] for turn in quoted[one.id] if turn in spoken), default=one.created_at)
        for one in proposals
    }
