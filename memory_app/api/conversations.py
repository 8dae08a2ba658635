"""/conversations and /proposals: listen, and let the person decide what is kept."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from django_q.tasks import async_task
from ninja import Query, Router, Status
from pydantic import Field, model_validator

from ..embedding.encoder import current
from ..engine.enter import enter
from ..engine.listening.finish import finish
from ..engine.listening.inbox import inbox
from ..engine.listening.listen import Heard, Said, conversation_at, converse, listen
from ..engine.listening.propose import propose
from ..engine.listening.review import Accepted, accept, proposal_at, put_up, question, reject, reopen, reply, snooze
from ..engine.passing.harmless import is_harmless
from ..engine.paused import tell
from ..engine.running.queue import ask_model_later
from ..errors import Invalid
from ..language.model import configured
from ..models import Conversation, Proposal, Trigger, Turn
from ..models.scope import within
from . import fields
from .auth import author_of, grant_of, reads, writes
from .idempotency import idempotent
from .memories import ORDERS, Asker
from .paging import page
from .schemas import MemoryOut, Shown, Spoken, Strict, shown

router = Router(tags=["conversations and proposals"])


class ConversationIn(Spoken):
    external_id: fields.Name | None = None


class ConversationOut(Shown):
    id: UUID
    person: str
    external_id: str | None
    visibility: str
    space: str | None
    channel: str | None
    follows: UUID | None
    turns: int
    started_at: datetime
    ended_at: datetime | None


class TurnIn(Strict):
    role: Literal["user", "assistant", "system"]
    content: fields.Content
    speaker: fields.Name | None = None
    spoken_at: fields.Moment | None = None
    mode: Literal["conversation", "command", "ambient"] = "conversation"
    intent: fields.Word | None = None
    outcome: Literal["ok", "failed", "cancelled"] = "ok"

    @property
    def said(self) -> Said:
        return Said(
            self.role, self.content, self.speaker or "", self.spoken_at, self.mode, self.intent or "", self.outcome
        )


class TurnsIn(Strict):
    """One turn, or `turns` with up to 500 of them."""

    turns: list[TurnIn] | None = Field(None, min_length=1, max_length=500)
    role: Literal["user", "assistant", "system"] | None = None
    content: fields.Content | None = None
    speaker: fields.Name | None = None
    spoken_at: fields.Moment | None = None
    mode: Literal["conversation", "command", "ambient"] = "conversation"
    intent: fields.Word | None = None
    outcome: Literal["ok", "failed", "cancelled"] = "ok"

    @model_validator(mode="after")
    def _one_or_many(self) -> "TurnsIn":
        if (self.turns is None) == (self.role is None or self.content is None):
            raise ValueError("send either one turn (role and content) or turns: [...]")
        return self

    @property
    def said(self) -> list[Said]:
        if self.turns is not None:
            return [turn.said for turn in self.turns]
        single = self.model_dump(exclude={"turns"})
        return [TurnIn(**single).said]


class TurnOut(Shown):
    """A turn as it is shown. Ambient words are not stored: they have no id."""

    id: UUID | None
    conversation: UUID
    position: int | None
    role: str
    speaker: str
    content: str
    spoken_at: datetime
    mode: str
    outcome: str
    stored: bool


class QuoteOut(Shown):
    turn: UUID
    position: int
    text: str


class ProposalOut(Shown):
    """What waits for a decision. target: the memory that `relation` is about. folds: the other one, where both are kept
    already and the question is what becomes of the two."""

    id: UUID
    person: str
    number: int
    status: str
    type: str
    category: str
    key: str | None
    summary: str
    content: str
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
    folds: UUID | None
    event_time: datetime | None
    event_end: datetime | None
    created_at: datetime
    expires_at: datetime
    decided_at: datetime | None
    snoozed_until: datetime | None
    memory: UUID | None


class HeardOut(Shown):
    conversation: UUID
    items: list[TurnOut]
    proposals: list[ProposalOut] | None = None
    message: str | None = None


class EndOut(Shown):
    proposals: list[ProposalOut]
    message: str


class ReplyIn(Strict):
    text: fields.Query


class AcceptedOut(Shown):
    proposal: UUID
    memory: MemoryOut
    outcome: str


class ReplyOut(Shown):
    accepted: list[AcceptedOut]
    rejected: list[ProposalOut]
    message: str


class AcceptIn(Strict):
    """What to change before it is kept. merged: the text that the memory it is like becomes instead. keep: of what
    contradicts a memory, whether the newest holds or both; to keep the old one, reject it."""

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


class ProposalQuery(Asker):
    status: Literal["pending", "accepted", "merged", "rejected", "expired"] | None = "pending"
    limit: fields.Limit = 20
    cursor: str | None = None


class ProposalPage(Shown):
    items: list[ProposalOut]
    next_cursor: str | None


@router.post("/conversations", response={201: ConversationOut}, auth=writes)
@idempotent
def open_conversation(request: HttpRequest, payload: ConversationIn) -> Status[ConversationOut]:
    """Opens a conversation; the same external_id gives the same one. A new one has what they left unread noticed."""
    now = timezone.now()
    entered = enter(person=payload.person, place=payload.place, grant=grant_of(request))
    conversation, new = converse(entered=entered, external_id=payload.external_id or "", now=now)
    if new:
        async_task("memory_app.jobs.switch", str(entered.person.id), str(conversation.id))
    return Status(201, _conversation(conversation))


@router.post("/conversations/{uuid:conversation_id}/turns", response={201: HeardOut}, auth=writes)
@idempotent
def add_turns(request: HttpRequest, conversation_id: UUID, payload: TurnsIn) -> Status[HeardOut]:
    """Stores what was said, in order. No model is asked; what is worth keeping is noticed in the background."""
    now = timezone.now()
    said = payload.said
    heard = listen(conversation=conversation_id, said=said, now=now, grant=grant_of(request))
    if heard.due:
        _propose_later(heard.conversation, heard.due)
    if heard.first_to_embed:
        async_task("memory_app.jobs.embed_new")
    return Status(201, _heard(heard, said, now))


@router.post("/conversations/{uuid:conversation_id}/end", response=EndOut, auth=writes)
def end_conversation(request: HttpRequest, conversation_id: UUID) -> EndOut:
    """Ends a conversation, and asks the person what of it to keep: `message` is the question."""
    now = timezone.now()
    conversation = conversation_at(conversation=conversation_id, grant=grant_of(request))
    ended = finish(conversation=conversation, now=now)
    proposed = propose(
        space=ended.space_id,
        conversation=ended.id,
        trigger=Trigger.END,
        author=author_of(request),
        now=now,
        encoder=current(),
    )
    if proposed.run and configured():
        ask_model_later("refine_run", str(ended.space_id), str(proposed.run.id))
    waiting = put_up(conversation=ended, now=now)
    message = tell(ended.person, question(waiting))
    return EndOut(proposals=[shown_proposal(proposal) for proposal in waiting], message=message)


@router.post("/conversations/{uuid:conversation_id}/reply", response=ReplyOut, auth=writes)
def reply_to_question(request: HttpRequest, conversation_id: UUID, payload: ReplyIn) -> ReplyOut:
    """Carries out the person's answer: "yes", "no", "1 and 3", "all but 2"."""
    now = timezone.now()
    conversation = conversation_at(conversation=conversation_id, grant=grant_of(request))
    replied = reply(conversation=conversation, text=payload.text, author=author_of(request), now=now, encoder=current())
    return ReplyOut(
        accepted=[_accepted(item, now) for item in replied.accepted],
        rejected=[shown_proposal(proposal) for proposal in replied.rejected],
        message=replied.message,
    )


@router.get("/proposals", response=ProposalPage, auth=reads)
def list_proposals(request: HttpRequest, query: Query[ProposalQuery]) -> ProposalPage:
    """What was noticed about a person: by default what waits for their decision."""
    if not query.person:
        raise Invalid("person", "Name the person whose proposals to list.")
    entered = enter(person=query.person, grant=grant_of(request), create=False)
    with within(entered.venue.spaces):
        rows = inbox(entered, query.status)
        found, following = page(rows, ORDERS["newest"], query.limit, query.cursor)
        return ProposalPage(items=[shown_proposal(proposal) for proposal in found], next_cursor=following)


@router.post("/proposals/{uuid:proposal_id}/accept", response=AcceptedOut, auth=writes)
def accept_proposal(request: HttpRequest, proposal_id: UUID, payload: AcceptIn | None = None) -> AcceptedOut:
    """Keeps what was proposed, as it is or edited; of two memories that contradict each other, the newest or both."""
    now = timezone.now()
    chosen = payload or AcceptIn()
    accepted = accept(
        proposal=proposal_at(proposal=proposal_id, grant=grant_of(request)),
        edits=chosen.edits,
        merged=chosen.merged,
        holds=chosen.keep,
        author=author_of(request),
        now=now,
        encoder=current(),
    )
    return _accepted(accepted, now)


@router.post("/proposals/{uuid:proposal_id}/reject", response=ProposalOut, auth=writes)
def reject_proposal(request: HttpRequest, proposal_id: UUID, payload: RejectIn | None = None) -> ProposalOut:
    """Refuses it; nothing like it is proposed again. Of two memories that contradict each other, keeps the old one."""
    reason = (payload.reason if payload else None) or ""
    proposal = proposal_at(proposal=proposal_id, grant=grant_of(request))
    return shown_proposal(reject(proposal=proposal, reason=reason, author=author_of(request), now=timezone.now()))


@router.post("/proposals/{uuid:proposal_id}/snooze", response=ProposalOut, auth=writes)
def snooze_proposal(request: HttpRequest, proposal_id: UUID, payload: SnoozeIn) -> ProposalOut:
    """Puts it off until a time."""
    proposal = proposal_at(proposal=proposal_id, grant=grant_of(request))
    return shown_proposal(snooze(proposal=proposal, until=payload.until, author=author_of(request), now=timezone.now()))


@router.post("/proposals/{uuid:proposal_id}/reopen", response=ProposalOut, auth=writes)
def reopen_proposal(request: HttpRequest, proposal_id: UUID) -> ProposalOut:
    """Undoes a decision."""
    proposal = proposal_at(proposal=proposal_id, grant=grant_of(request))
    return shown_proposal(reopen(proposal=proposal, author=author_of(request), now=timezone.now()))


def _propose_later(conversation: Conversation, trigger: Trigger) -> None:
    """Enqueued in the request's transaction: it runs if, and only if, the turns were stored."""
    async_task("memory_app.jobs.propose_from", str(conversation.space_id), str(conversation.id), trigger.value)


def _conversation(conversation: Conversation) -> ConversationOut:
    return ConversationOut(
        id=conversation.id,
        person=conversation.person.name,
        external_id=conversation.external_id or None,
        visibility=conversation.visibility,
        space=conversation.space.name or None,
        channel=conversation.channel.name if conversation.channel else None,
        follows=conversation.follows,
        turns=conversation.turn_count,
        started_at=conversation.started_at,
        ended_at=conversation.ended_at,
    )


def _heard(heard: Heard, said: list[Said], now: datetime) -> HeardOut:
    items = [
        shown_turn(turn) if turn else _unstored(heard.conversation, item, now)
        for turn, item in zip(heard.turns, said, strict=True)
    ]
    message = "Memory is paused: nothing of this was stored." if heard.paused else None
    return HeardOut(conversation=heard.conversation.id, items=items, message=message)


def shown_turn(turn: Turn) -> TurnOut:
    return TurnOut(
        id=turn.id,
        conversation=turn.conversation_id,
        position=turn.position,
        role=turn.role,
        speaker=turn.speaker or turn.role,
        content=turn.content,
        spoken_at=turn.spoken_at,
        mode=turn.mode,
        outcome=turn.outcome,
        stored=True,
    )


def _unstored(conversation: Conversation, said: Said, now: datetime) -> TurnOut:
    return TurnOut(
        id=None,
        conversation=conversation.id,
        position=None,
        role=said.role,
        speaker=said.speaker or said.role,
        content=said.content,
        spoken_at=said.spoken_at or now,
        mode=said.mode,
        outcome=said.outcome,
        stored=False,
    )


def shown_proposal(proposal: Proposal) -> ProposalOut:
    return ProposalOut(
        id=proposal.id,
        person=proposal.person.name,
        number=proposal.number,
        status=proposal.status,
        type=proposal.type,
        category=proposal.category,
        key=proposal.key or None,
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
        folds=proposal.folds,
        event_time=proposal.event_time,
        event_end=proposal.event_end,
        created_at=proposal.created_at,
        expires_at=proposal.expires_at,
        decided_at=proposal.decided_at,
        snoozed_until=proposal.snoozed_until,
        memory=proposal.memory_id,
    )


def _accepted(accepted: Accepted, now: datetime) -> AcceptedOut:
    return AcceptedOut(proposal=accepted.proposal.id, memory=shown(accepted.memory, now), outcome=accepted.outcome)
