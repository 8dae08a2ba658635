"""/conversations: store what is said, turn by turn, read it, and ask the person what to keep."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from django_q.tasks import async_task
from ninja import Query, Router, Status
from pydantic import Field, model_validator

from memory_app.api import fields
from memory_app.api.auth import author_of, grant_of, read_key, write_key
from memory_app.api.fields import InputModel, PageQuery
from memory_app.api.idempotency import idempotent
from memory_app.api.pagination import decode_cursor, encode_cursor
from memory_app.api.redaction import accepted_out, redacted, redacted_proposal, saved_out
from memory_app.api.schemas import SavedOut
from memory_app.api.venue import PersonInVenue, writing_venue
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.conversations.add_turns import (
    AddTurnsResult,
    TurnInput,
    find_conversation,
    find_or_open_conversation,
)
from memory_app.engine.conversations.remember_in_turns import RememberedTurn, add_turns_and_remember
from memory_app.engine.conversations.turns import TurnPlace, read_conversation, remove_last_turn, turns_of
from memory_app.engine.memories.remember import answer_sentence
from memory_app.engine.memories.save import SaveResult
from memory_app.engine.proposals.end_and_reply import end_and_ask, reply
from memory_app.models import Conversation, Trigger
from memory_app.models.person import with_pause_notice
from memory_app.serializers import OutputModel, Page
from memory_app.serializers.proposal import AcceptedOut, ProposalOut
from memory_app.serializers.turn import TurnOut, turn_out, unstored_turn_out

router = Router(tags=["conversations and proposals"])


class TurnIn(InputModel):
    role: Literal["user", "assistant", "system"]
    content: fields.Content
    speaker: fields.Name | None = None
    spoken_at: fields.Moment | None = None
    mode: Literal["conversation", "command", "ambient"] = "conversation"
    intent: fields.Name | None = None
    outcome: Literal["ok", "failed", "cancelled"] = "ok"

    @property
    def turn_input(self) -> TurnInput:
        return TurnInput(
            self.role, self.content, self.speaker or "", self.spoken_at, self.mode, self.intent or "", self.outcome
        )


class TurnsIn(InputModel):
    """One turn, or `turns` with up to 500 of them."""

    turns: list[TurnIn] | None = Field(None, min_length=1, max_length=500)
    role: Literal["user", "assistant", "system"] | None = None
    content: fields.Content | None = None
    speaker: fields.Name | None = None
    spoken_at: fields.Moment | None = None
    mode: Literal["conversation", "command", "ambient"] = "conversation"
    intent: fields.Name | None = None
    outcome: Literal["ok", "failed", "cancelled"] = "ok"

    @model_validator(mode="after")
    def _one_or_many(self) -> "TurnsIn":
        if (self.turns is None) == (self.role is None or self.content is None):
            raise ValueError("send either one turn (role and content) or turns: [...]")
        return self

    @property
    def turn_inputs(self) -> list[TurnInput]:
        if self.turns is not None:
            return [turn.turn_input for turn in self.turns]
        single = self.model_dump(exclude={"turns"})
        return [TurnIn(**single).turn_input]


class ConversationIn(PersonInVenue):
    external_id: fields.Name | None = None


class ConversationOut(OutputModel):
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


class RememberedOut(SavedOut):
    """What a turn asked to be remembered, as POST /remember answers it. turn: which one."""

    turn: UUID


class TurnsAddedOut(OutputModel):
    conversation: UUID
    items: list[TurnOut]
    remembered: list[RememberedOut] = []
    proposals: list[ProposalOut] | None = None
    message: fields.Message | None = None


class EndOut(OutputModel):
    proposals: list[ProposalOut]
    message: fields.Message


class ReplyIn(InputModel):
    text: fields.Query


class ReplyOut(OutputModel):
    accepted: list[AcceptedOut]
    rejected: list[ProposalOut]
    message: fields.Message


class TurnsQuery(PageQuery):
    """order: which turn comes first."""

    order: Literal["oldest", "newest"] = "oldest"


TurnPage = Page[TurnOut]


@router.post("/conversations", response={201: ConversationOut}, auth=write_key)
@idempotent
def open_conversation(request: HttpRequest, payload: ConversationIn) -> Status[ConversationOut]:
    """Opens a conversation; the same external_id gives the same one. A new one has what they left unread noticed."""
    now = timezone.now()
    venue_context = writing_venue(request, payload)
    conversation, new = find_or_open_conversation(
        venue_context=venue_context, external_id=payload.external_id or "", now=now
    )
    if new:
        async_task("memory_app.jobs.switch", str(venue_context.person.id), str(conversation.id))
    return Status(201, _conversation_out(conversation))


@router.post("/conversations/{uuid:conversation_id}/turns", response={201: TurnsAddedOut}, auth=write_key)
@idempotent
def add_turns(request: HttpRequest, conversation_id: UUID, payload: TurnsIn) -> Status[TurnsAddedOut]:
    """Stores what was said, in order, and keeps at once what the person asks to remember (`remembered`). No model is
    asked; what else is worth keeping is noticed in the background."""
    now = timezone.now()
    inputs = payload.turn_inputs
    stored, remembered = add_turns_and_remember(
        conversation=conversation_id,
        turns=inputs,
        now=now,
        grant=grant_of(request),
        author=author_of(request),
        encoder=current_encoder(),
    )
    if stored.due:
        _propose_later(stored.conversation, stored.due)
    if stored.first_to_embed:
        async_task("memory_app.jobs.embed_new")
    remembered_out = [_remembered_out(request, stored, one, saved, now) for one in remembered for saved in one.saved]
    return Status(201, _turns_added_out(stored, inputs, now).model_copy(update={"remembered": remembered_out}))


@router.post("/conversations/{uuid:conversation_id}/end", response=EndOut, auth=write_key)
def end_conversation(request: HttpRequest, conversation_id: UUID) -> EndOut:
    """Ends a conversation, and asks the person what of it to keep: `message` is the question. A language model that is
    set words it, if it answers within KEEPSAKE_LLM_SECONDS."""
    ended = end_and_ask(
        conversation=conversation_id,
        grant=grant_of(request),
        author=author_of(request),
        now=timezone.now(),
        encoder=current_encoder(),
    )
    proposals = [redacted_proposal(request, proposal) for proposal in ended.proposals]
    return redacted(request, EndOut(proposals=proposals, message=ended.message), {"message": ""})


@router.post("/conversations/{uuid:conversation_id}/reply", response=ReplyOut, auth=write_key)
def reply_to_question(request: HttpRequest, conversation_id: UUID, payload: ReplyIn) -> ReplyOut:
    """Carries out the person's answer: "yes", "no", "1 and 3", "all but 2"."""
    now = timezone.now()
    grant = grant_of(request)
    result = reply(
        conversation=find_conversation(conversation=conversation_id, grant=grant),
        text=payload.text,
        grant=grant,
        author=author_of(request),
        now=now,
        encoder=current_encoder(),
    )
    return ReplyOut(
        accepted=[accepted_out(request, item, now) for item in result.accepted],
        rejected=[redacted_proposal(request, proposal) for proposal in result.rejected],
        message=result.message,
    )


@router.get("/conversations/{uuid:conversation_id}", response=ConversationOut, auth=read_key)
def show_conversation(request: HttpRequest, conversation_id: UUID) -> ConversationOut:
    """One conversation."""
    return _conversation_out(read_conversation(conversation=conversation_id, grant=grant_of(request)))


@router.get("/conversations/{uuid:conversation_id}/turns", response=TurnPage, auth=read_key)
def list_turns(request: HttpRequest, conversation_id: UUID, query: Query[TurnsQuery]) -> TurnPage:
    """What was said, in order, or the latest first; also after the conversation had ended. What was cleared is left
    out."""
    conversation = read_conversation(conversation=conversation_id, grant=grant_of(request))
    after = decode_cursor(query.cursor, _place) if query.cursor else None
    found = turns_of(conversation, newest_first=query.order == "newest", limit=query.limit + 1, after=after)
    shown = found[: query.limit]
    more = len(found) > len(shown)
    following = encode_cursor(str(shown[-1].conversation_id), shown[-1].position) if more else None
    return TurnPage(items=[turn_out(turn) for turn in shown], next_cursor=following)


@router.delete("/conversations/{uuid:conversation_id}/turns/last", response=TurnOut, auth=write_key)
def take_back_last_turn(request: HttpRequest, conversation_id: UUID) -> TurnOut:
    """Removes the last turn and answers it. What was remembered or proposed because of it stays."""
    turn = remove_last_turn(
        conversation=conversation_id, grant=grant_of(request), author=author_of(request), now=timezone.now()
    )
    return redacted(request, turn_out(turn), {"content": ""})


def _place(conversation: str, position: int) -> TurnPlace:
    if not isinstance(position, int) or not 0 <= position < 2**31:
        raise ValueError(position)
    return TurnPlace(UUID(conversation), position)


def _remembered_out(
    request: HttpRequest, stored: AddTurnsResult, remembered: RememberedTurn, saved: SaveResult, now: datetime
) -> RememberedOut:
    message = with_pause_notice(stored.conversation.person, answer_sentence([saved], in_words=grant_of(request).reads))
    out = saved_out(request, [saved], now, request_text=remembered.turn.content, message=message)
    return RememberedOut(**dict(out), turn=remembered.turn.id)


def _propose_later(conversation: Conversation, trigger: Trigger) -> None:
    """Enqueued in the request's transaction: it runs if, and only if, the turns were stored."""
    async_task("memory_app.jobs.propose_from", str(conversation.space_id), str(conversation.id), trigger.value)


def _conversation_out(conversation: Conversation) -> ConversationOut:
    return ConversationOut.of(
        conversation,
        person=conversation.person.name,
        external_id=conversation.external_id or None,
        space=conversation.space.name or None,
        channel=conversation.channel.name if conversation.channel else None,
        turns=conversation.turn_count,
    )


def _turns_added_out(stored: AddTurnsResult, inputs: list[TurnInput], now: datetime) -> TurnsAddedOut:
    items = [
        turn_out(turn) if turn else unstored_turn_out(stored.conversation, item, now)
        for turn, item in zip(stored.turns, inputs, strict=True)
    ]
    message = "Memory is paused: nothing of this was stored." if stored.paused else None
    return TurnsAddedOut(conversation=stored.conversation.id, items=items, message=message)
