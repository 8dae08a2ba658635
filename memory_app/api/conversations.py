"""/conversations: listen, and ask the person what to keep."""

from datetime import datetime
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from django_q.tasks import async_task
from ninja import Router, Status

from memory_app.api import fields
from memory_app.api.answers import as_told, shown_kept
from memory_app.api.auth import author_of, grant_of, writes
from memory_app.api.entering import speaker
from memory_app.api.idempotency import idempotent
from memory_app.api.proposals import AcceptedOut, ProposalOut, shown_accepted, told_proposal
from memory_app.api.schemas import KeptOut, Shown, Spoken, Strict
from memory_app.api.turns import TurnOut, TurnsIn, shown_turn, unstored_turn
from memory_app.embedding.encoder import current
from memory_app.engine.keeping.keep import Kept
from memory_app.engine.keeping.remember import answered
from memory_app.engine.listening.ask import put_up, question, reply
from memory_app.engine.listening.finish import finish
from memory_app.engine.listening.listen import Heard, Said, conversation_at, converse
from memory_app.engine.listening.propose import propose
from memory_app.engine.listening.refine import refine_now_or_later
from memory_app.engine.listening.remember_turns import Remembered, listen_and_remember
from memory_app.engine.paused import tell
from memory_app.models import Conversation, Trigger

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


class RememberedOut(KeptOut):
    """What a turn asked to be remembered, as POST /remember answers it. turn: which one."""

    turn: UUID


class HeardOut(Shown):
    conversation: UUID
    items: list[TurnOut]
    remembered: list[RememberedOut] = []
    proposals: list[ProposalOut] | None = None
    message: fields.Message | None = None


class EndOut(Shown):
    proposals: list[ProposalOut]
    message: fields.Message


class ReplyIn(Strict):
    text: fields.Query


class ReplyOut(Shown):
    accepted: list[AcceptedOut]
    rejected: list[ProposalOut]
    message: fields.Message


@router.post("/conversations", response={201: ConversationOut}, auth=writes)
@idempotent
def open_conversation(request: HttpRequest, payload: ConversationIn) -> Status[ConversationOut]:
    """Opens a conversation; the same external_id gives the same one. A new one has what they left unread noticed."""
    now = timezone.now()
    entered = speaker(request, payload)
    conversation, new = converse(entered=entered, external_id=payload.external_id or "", now=now)
    if new:
        async_task("memory_app.jobs.switch", str(entered.person.id), str(conversation.id))
    return Status(201, _conversation(conversation))


@router.post("/conversations/{uuid:conversation_id}/turns", response={201: HeardOut}, auth=writes)
@idempotent
def add_turns(request: HttpRequest, conversation_id: UUID, payload: TurnsIn) -> Status[HeardOut]:
    """Stores what was said, in order, and keeps at once what the person asks to remember (`remembered`). No model is
    asked; what else is worth keeping is noticed in the background."""
    now = timezone.now()
    said = payload.said
    heard, remembered = listen_and_remember(
        conversation=conversation_id,
        said=said,
        now=now,
        grant=grant_of(request),
        author=author_of(request),
        encoder=current(),
    )
    if heard.due:
        _propose_later(heard.conversation, heard.due)
    if heard.first_to_embed:
        async_task("memory_app.jobs.embed_new")
    shown = [_remembered(request, heard, one, kept, now) for one in remembered for kept in one.kept]
    return Status(201, _heard(heard, said, now).model_copy(update={"remembered": shown}))


@router.post("/conversations/{uuid:conversation_id}/end", response=EndOut, auth=writes)
def end_conversation(request: HttpRequest, conversation_id: UUID) -> EndOut:
    """Ends a conversation, and asks the person what of it to keep: `message` is the question. A language model that is
    set words it, if it answers within KEEPSAKE_LLM_SECONDS."""
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
    if proposed.run:
        refine_now_or_later(space=ended.space_id, run=proposed.run.id, now=timezone.now(), encoder=current())
    waiting = put_up(conversation=ended, now=now)
    message = tell(ended.person, question(waiting))
    proposals = [told_proposal(request, proposal) for proposal in waiting]
    return as_told(request, EndOut(proposals=proposals, message=message), {"message": ""})


@router.post("/conversations/{uuid:conversation_id}/reply", response=ReplyOut, auth=writes)
def reply_to_question(request: HttpRequest, conversation_id: UUID, payload: ReplyIn) -> ReplyOut:
    """Carries out the person's answer: "yes", "no", "1 and 3", "all but 2"."""
    now = timezone.now()
    grant = grant_of(request)
    replied = reply(
        conversation=conversation_at(conversation=conversation_id, grant=grant),
        text=payload.text,
        grant=grant,
        author=author_of(request),
        now=now,
        encoder=current(),
    )
    return ReplyOut(
        accepted=[shown_accepted(request, item, now) for item in replied.accepted],
        rejected=[told_proposal(request, proposal) for proposal in replied.rejected],
        message=replied.message,
    )


def _remembered(request: HttpRequest, heard: Heard, remembered: Remembered, kept: Kept, now: datetime) -> RememberedOut:
    message = tell(heard.conversation.person, answered([kept], in_words=grant_of(request).reads))
    out = shown_kept(request, [kept], now, sent=remembered.turn.content, message=message)
    return RememberedOut(**dict(out), turn=remembered.turn.id)


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
        shown_turn(turn) if turn else unstored_turn(heard.conversation, item, now)
        for turn, item in zip(heard.turns, said, strict=True)
    ]
    message = "Memory is paused: nothing of this was stored." if heard.paused else None
    return HeardOut(conversation=heard.conversation.id, items=items, message=message)
