"""Keep what was proposed, as it was noticed or as the person edited it: told when it was said, not when accepted."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, cast
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.engine.author import Author
from memory_app.engine.conflicts.answer import replace_memory
from memory_app.engine.edit import At
from memory_app.engine.enter import Entered
from memory_app.engine.keeping.compose import DERIVED, Given, Source, compose
from memory_app.engine.keeping.keep import A_MOMENT, Judged, Kept, OnConflict, keep
from memory_app.engine.keeping.noticed import said_last
from memory_app.engine.keeping.reread import reread
from memory_app.models import Memory, Proposal
from memory_app.rules.decide import Judgement

Holds = Literal["newest", "both"]
"""Of a proposal and the memory that it conflicts with: whether the proposal replaces it, or both hold."""

ON_CONFLICT: Mapping[Holds | None, OnConflict] = {"both": "both", "newest": "ignore", None: "ask"}

PROPOSED = ("content", "context", "summary", "type", "category", "key", "keywords")


def keep_proposed(
    entered: Entered,
    proposal: Proposal,
    edits: dict[str, Any],
    holds: Holds | None,
    author: Author,
    now: datetime,
    encoder: Encoder,
) -> Kept:
    """What became of it. Whatever was told since it was said stays the newer; a text that the person edited they tell
    now, and one that they chose over another is newer than that."""
    proposed = {name: getattr(proposal, name) for name in (*PROPOSED, "event_time", "event_end")}
    text = edits.get("content", proposal.content).strip()
    turns = tuple(UUID(quote["turn"]) for quote in proposal.quotes)
    told = now
    if text != proposal.content:
        proposed |= _read_anew(entered, proposal, text, now)
    else:
        told = _told(proposal, holds)
    proposed |= edits
    spoken = proposal.is_quotation or text != proposal.content
    speaker = (proposal.speaker or entered.person.name) if spoken else proposal.speaker
    source = Source("extracted", proposal.conversation_id, speaker, turns)
    given = Given(**proposed, source=source, confidence=1.0, stated=set(edits), told_at=told)
    memory = compose(entered, given, now)
    if text != proposal.content and proposed["event_time"] is None:
        memory.event_time = memory.event_end = None
    kept = keep(
        entered=entered,
        memories=[memory],
        author=author,
        now=now,
        encoder=encoder,
        on_conflict=ON_CONFLICT[holds],
        judged=[_judged(proposal)] if holds is None else (),
    )[0]
    if holds == "newest" and kept.outcome == "added" and proposal.target_id:
        replace_memory(At(proposal.space_id, proposal.target_id), kept.memory, author, now)
    return kept


def _judged(proposal: Proposal) -> Judged:
    """What a language model said of it and a memory, which the person was shown with it."""
    if not proposal.judgement or proposal.target_id is None:
        return {}
    return {proposal.target_id: cast(Judgement, proposal.judgement)}


def _told(proposal: Proposal, holds: Holds | None) -> datetime:
    """When it was said, or just after what it was chosen over."""
    said = said_last([proposal])[proposal.id]
    over = None
    if holds == "newest" and proposal.target_id:
        over = Memory.objects.filter(space_id=proposal.space_id, id=proposal.target_id).first()
    return max(said, over.valid_from + A_MOMENT) if over else said


def _read_anew(entered: Entered, proposal: Proposal, text: str, now: datetime) -> dict[str, Any]:
    """What follows from the text that the person made of it, and reads otherwise than what was proposed."""
    known = {name: getattr(proposal, name) for name in (*DERIVED, "content")}
    noticed = Memory(person=entered.person, **known, stated=[], created_at=proposal.created_at)
    read = reread(noticed, text, now=now)
    read.pop("source_speaker", None)
    return {"summary": None, **read}
