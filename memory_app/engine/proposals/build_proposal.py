"""Build a proposal from what was noticed in a conversation, and the finding that a proposal was built from."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.models import Conversation, Proposal, Turn
from memory_app.nlp.extract import Finding, Quote

FINDING_FIELDS = (
    *("summary", "content", "context", "type", "category", "key", "keywords"),
    *("confidence", "reason", "event_time", "event_end"),
)
"""What a proposal takes from a finding."""

LONGEST_REASON, LONGEST_SPEAKER = 300, 200

Evidence = Sequence[tuple[Turn, str]]
"""Turns, each with its words that are quoted."""


def build_proposal(
    conversation: Conversation,
    evidence: Evidence,
    *,
    extractor: str,
    vector: Vectors,
    encoder: Encoder,
    now: datetime,
    run: UUID | None = None,
    **fields: Any,
) -> Proposal:
    """An unsaved proposal of a conversation's person, at its level. A conversation that is not stored is not named."""
    return Proposal(
        space=conversation.space,
        person=conversation.person,
        visibility=conversation.visibility,
        channel_id=conversation.channel_id,
        conversation_id=None if conversation._state.adding else conversation.id,
        run_id=run,
        said_at=max((turn.time_spoken for turn, _ in evidence), default=None),
        quotes=[{"turn": str(turn.id), "position": turn.position, "text": text} for turn, text in evidence],
        extractor=extractor,
        created_at=now,
        embedding=vector,
        embedding_model=encoder.name,
        **fields,
    )


def evidence_of(found: Finding, turns: Mapping[int, Turn]) -> Evidence:
    """The turns that a finding quotes. `turns` by position holds them."""
    return [(turns[quote.index], quote.text) for quote in found.quotes]


def quoted_words(found: Finding, turns: Mapping[int, Turn]) -> list[tuple[str, str]]:
    """The same by the ids of the turns, as a history compares them."""
    return [(str(turn.id), text) for turn, text in evidence_of(found, turns)]


def finding_fields(found: Finding) -> dict[str, Any]:
    """A finding as fields of a proposal."""
    fields = {name: getattr(found, name) for name in FINDING_FIELDS}
    return fields | {"keywords": list(found.keywords), "reason": found.reason[:LONGEST_REASON]}


def proposal_from_finding(
    found: Finding, conversation: Conversation, turns: Mapping[int, Turn], **fields: Any
) -> Proposal:
    """An unsaved proposal of a finding; fields: the rest of `build_proposal`."""
    speaker = found.speaker[:LONGEST_SPEAKER]
    return build_proposal(conversation, evidence_of(found, turns), speaker=speaker, **finding_fields(found), **fields)


def finding_of(proposal: Proposal) -> Finding:
    """A finding as it was before it became a proposal."""
    fields = {name: getattr(proposal, name) for name in FINDING_FIELDS}
    quotes = tuple(Quote(quote["position"], quote["text"]) for quote in proposal.quotes)
    return Finding(**fields | {"keywords": tuple(proposal.keywords)}, speaker=proposal.speaker, quotes=quotes)


def last_stored_at(found: Finding, turns: Mapping[int, Turn]) -> datetime:
    """When the last of the quoted turns was stored. `turns` by position holds those that are quoted."""
    return max(turns[position].created_at for position in found.turns)
