"""A proposal as it is shown, and what became of it."""

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import Field

from memory_app.models import Proposal
from memory_app.nlp.understand import is_global_safe
from memory_app.serializers import OutputModel
from memory_app.serializers.memory import MemoryOut

EMPTY_PROPOSAL_TEXTS: dict[str, Any] = {
    "summary": "",
    "content": "",
    "key": None,
    "keywords": [],
    "quotes": [],
    "reason": "",
}
"""Of a proposal, the fields that hold words, as they are where none are told."""


class QuoteOut(OutputModel):
    turn: UUID
    position: int
    text: str


class ProposalOut(OutputModel):
    """What waits for a decision. target: the memory that `relation` is about."""

    id: UUID
    person: str
    number: int
    status: str
    type: str
    category: str
    key: str | None
    summary: str
    content: str
    context: str | None
    speaker: str
    said_at: datetime | None
    keywords: list[str]
    visibility: str
    global_safe: bool = Field(description="explicit and harmless: the person may be offered `global` for it")
    space: str | None
    conversation: UUID | None
    quotes: list[QuoteOut]
    reason: str
    confidence: float
    relation: str
    target: UUID | None
    reworded: bool = Field(description="worded by a language model after it was shown")
    event_time: datetime | None
    event_end: datetime | None
    created_at: datetime
    expires_at: datetime
    decided_at: datetime | None
    snoozed_until: datetime | None
    memory: UUID | None


class AcceptedOut(OutputModel):
    proposal: UUID
    memory: MemoryOut
    outcome: str


def proposal_out(proposal: Proposal) -> ProposalOut:
    return ProposalOut(
        id=proposal.id,
        person=proposal.person.name,
        number=proposal.number,
        status=proposal.status,
        type=proposal.type,
        category=proposal.category,
        key=proposal.key or None,
        context=proposal.context or None,
        speaker=proposal.speaker or proposal.person.name,
        said_at=proposal.said_at,
        summary=proposal.summary,
        content=proposal.content,
        keywords=proposal.keywords,
        visibility=proposal.visibility,
        global_safe=is_global_safe(proposal.content, proposal.key),
        space=proposal.space.name or None,
        conversation=proposal.conversation_id,
        quotes=[QuoteOut(**quote) for quote in proposal.quotes],
        reason=proposal.reason,
        confidence=proposal.confidence,
        relation=proposal.relation,
        target=proposal.target_id,
        reworded=proposal.reworded,
        event_time=proposal.event_time,
        event_end=proposal.event_end,
        created_at=proposal.created_at,
        expires_at=proposal.expires_at,
        decided_at=proposal.decided_at,
        snoozed_until=proposal.snoozed_until,
        memory=proposal.memory_id,
    )
