"""/proposals: let the person decide what is kept."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status
from pydantic import Field

from memory_app.api import fields
from memory_app.api.answers import as_told, shown_to
from memory_app.api.asking import Asker
from memory_app.api.auth import author_of, grant_of, reads, writes
from memory_app.api.entering import speaker
from memory_app.api.idempotency import idempotent
from memory_app.api.memories import ORDERS
from memory_app.api.paging import page
from memory_app.api.proposing import ProposalsIn
from memory_app.api.schemas import MemoryOut, Shown, Strict
from memory_app.embedding.encoder import current
from memory_app.engine.enter import enter
from memory_app.engine.listening.assistant_proposals import Refused, propose_items
from memory_app.engine.listening.inbox import inbox
from memory_app.engine.listening.listen import conversation_at
from memory_app.engine.listening.review import Accepted, accept, proposal_at, reject, reopen, snooze
from memory_app.engine.passing.harmless import is_harmless
from memory_app.errors import Invalid
from memory_app.models import Proposal
from memory_app.models.scope import within

router = Router(tags=["conversations and proposals"])

WORDS: dict[str, Any] = {"summary": "", "content": "", "key": None, "keywords": [], "quotes": [], "reason": ""}
"""Of a proposal, the fields that hold words, as they are where none are told."""


class QuoteOut(Shown):
    turn: UUID
    position: int
    text: str


class ProposalOut(Shown):
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


class AcceptedOut(Shown):
    proposal: UUID
    memory: MemoryOut
    outcome: str


class AcceptIn(Strict):
    """What to change before it is kept. merged: the text that the memory it is like becomes instead. keep: of what
    conflicts with a memory, whether the newest holds or both; to keep the old one, reject it."""

    content: fields.Content | None = None
    summary: fields.Summary | None = None
    type: fields.TypeName | None = None
    category: fields.CategoryName | None = None
    key: fields.Word | None = None
    keywords: fields.Words | None = None
    visibility: fields.VisibilityName | None = None
    merged: fields.Content | None = None
    keep: Literal["newest", "both"] | None = None

    @property
    def edits(self) -> dict[str, Any]:
        return {name: value for name, value in self.model_dump(exclude={"merged", "keep"}).items() if value is not None}


class RejectIn(Strict):
    reason: fields.Word | None = None


class SnoozeIn(Strict):
    until: fields.Moment


class ProposedOut(Shown):
    """One item waits for the person, as this proposal."""

    proposal: ProposalOut


class RefusedOut(Shown):
    """One item is not put to the person, and why."""

    refused: str


class ProposedItemsOut(Shown):
    items: list[ProposedOut | RefusedOut]


class ProposalQuery(Asker):
    status: Literal["pending", "snoozed", "accepted", "merged", "rejected", "expired"] | None = Field(
        "pending",
        description="`snoozed`: of those that are pending, the ones put off until a `snoozed_until` that is to come",
    )
    limit: fields.Limit = 20
    cursor: str | None = None


class ProposalPage(Shown):
    items: list[ProposalOut]
    next_cursor: str | None


@router.get("/proposals", response=ProposalPage, auth=reads)
def list_proposals(request: HttpRequest, query: Query[ProposalQuery]) -> ProposalPage:
    """What was noticed about a person: by default what waits for their decision."""
    if not query.person:
        raise Invalid("person", "Name the person whose proposals to list.")
    entered = enter(person=query.person, grant=grant_of(request), create=False, as_user=True)
    with within(entered.venue.spaces):
        rows = inbox(entered).snoozed(timezone.now()) if query.status == "snoozed" else inbox(entered, query.status)
        found, following = page(rows, ORDERS["newest"], query.limit, query.cursor)
        return ProposalPage(items=[shown_proposal(proposal) for proposal in found], next_cursor=following)


@router.post("/proposals", response={201: ProposedItemsOut}, auth=writes)
@idempotent
def propose_what_was_noticed(request: HttpRequest, payload: ProposalsIn) -> Status[ProposedItemsOut]:
    """What an assistant's own model noticed, up to 50 items, answered in order. Each is checked, weighed against what
    is kept, and waits for the person, who is asked when the conversation ends (again), or finds it in the inbox."""
    entered, grant = speaker(request, payload), grant_of(request)
    named = payload.conversation
    answers = propose_items(
        entered=entered,
        conversation=conversation_at(conversation=named, grant=grant) if named else None,
        items=[item.item for item in payload.items],
        author=author_of(request),
        now=timezone.now(),
        encoder=current(),
    )
    return Status(201, ProposedItemsOut(items=[_proposed(request, answer) for answer in answers]))


@router.post("/proposals/{uuid:proposal_id}/accept", response=AcceptedOut, auth=writes)
def accept_proposal(request: HttpRequest, proposal_id: UUID, payload: AcceptIn | None = None) -> AcceptedOut:
    """Keeps what was proposed, as it is or edited; where it conflicts with a memory, instead of that or beside it."""
    now = timezone.now()
    chosen = payload or AcceptIn()
    accepted = accept(
        proposal=proposal_at(proposal=proposal_id, grant=grant_of(request)),
        edits=chosen.edits,
        merged=chosen.merged,
        holds=chosen.keep,
        grant=grant_of(request),
        author=author_of(request),
        now=now,
        encoder=current(),
    )
    return shown_accepted(request, accepted, now)


@router.post("/proposals/{uuid:proposal_id}/reject", response=ProposalOut, auth=writes)
def reject_proposal(request: HttpRequest, proposal_id: UUID, payload: RejectIn | None = None) -> ProposalOut:
    """Refuses it; nothing like it is proposed again."""
    reason = (payload.reason if payload else None) or ""
    proposal = proposal_at(proposal=proposal_id, grant=grant_of(request))
    return told_proposal(
        request, reject(proposal=proposal, reason=reason, author=author_of(request), now=timezone.now())
    )


@router.post("/proposals/{uuid:proposal_id}/snooze", response=ProposalOut, auth=writes)
def snooze_proposal(request: HttpRequest, proposal_id: UUID, payload: SnoozeIn) -> ProposalOut:
    """Puts it off until a time."""
    proposal = proposal_at(proposal=proposal_id, grant=grant_of(request))
    return told_proposal(
        request, snooze(proposal=proposal, until=payload.until, author=author_of(request), now=timezone.now())
    )


@router.post("/proposals/{uuid:proposal_id}/reopen", response=ProposalOut, auth=writes)
def reopen_proposal(request: HttpRequest, proposal_id: UUID) -> ProposalOut:
    """Undoes a decision."""
    grant = grant_of(request)
    found = proposal_at(proposal=proposal_id, grant=grant)
    reopened = reopen(proposal=found, grant=grant, author=author_of(request), now=timezone.now())
    return told_proposal(request, reopened)


def _proposed(request: HttpRequest, answer: Proposal | Refused) -> ProposedOut | RefusedOut:
    """The words that were sent are no news to whoever sent them; those of the turns may be."""
    if isinstance(answer, Refused):
        return RefusedOut(refused=answer.reason)
    return ProposedOut(proposal=as_told(request, shown_proposal(answer), {"quotes": []}))


def shown_proposal(proposal: Proposal) -> ProposalOut:
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
        global_safe=is_harmless(proposal),
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


def told_proposal(request: HttpRequest, proposal: Proposal) -> ProposalOut:
    """As whoever decided on it may be told it."""
    return as_told(request, shown_proposal(proposal), WORDS)


def shown_accepted(request: HttpRequest, accepted: Accepted, now: datetime) -> AcceptedOut:
    memory = shown_to(request, accepted.memory, now)
    return AcceptedOut(proposal=accepted.proposal.id, memory=memory, outcome=accepted.outcome)
