"""Listen: store what was said, verbatim, at once; no model is asked. What is worth keeping is noticed later."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction

from ..errors import NotFound
from ..models import Conversation, Mode, Role, Trigger, Turn, TurnOutcome
from ..models.scope import every_space, within
from ..models.searchable import words_vector
from ..rules.grant import Grant
from ..rules.visibility import VenueClass, Visibility
from .enter import Entered
from .spoken_of import note

USER_TURNS = 10
"""User turns after which a conversation is read while it goes on (seed: the message threshold)."""

HISTORY = 20
"""Messages an assistant keeps at hand; the older ones are read before it trims them (seed: the history limit)."""


@dataclass(frozen=True, slots=True)
class Said:
    """One turn as it is sent. spoken_at None: now."""

    role: str
    content: str
    speaker: str = ""
    spoken_at: datetime | None = None
    mode: str = Mode.CONVERSATION.value
    intent: str = ""
    outcome: str = TurnOutcome.OK.value


@dataclass(frozen=True, slots=True)
class Heard:
    """What was stored, one entry for each turn sent: None for what was not (ambient words, or memory is paused).

    conversation: where it went, which is a follow-up when the one it was sent to had ended.
    due: why it is time to read the conversation, if it is. first_to_embed: no turn waited for a vector before.
    """

    conversation: Conversation
    turns: Sequence[Turn | None]
    due: Trigger | None = None
    first_to_embed: bool = False
    paused: bool = field(default=False)


def converse(*, entered: Entered, external_id: str, now: datetime) -> tuple[Conversation, bool]:
    """The conversation of that external id in this venue, and whether it is new. No external id: always a new one."""
    with within(entered.venue.spaces):
        found = _known(entered, external_id)
        if found:
            return found, False
        try:
            with transaction.atomic():
                return _opened(entered, external_id, now), True
        except IntegrityError:  # another request was first
            return Conversation.objects.get(**_identity(entered, external_id)), False


def conversation_at(*, conversation: UUID, grant: Grant) -> Conversation:
    """The conversation of that id, where the grant reaches it. Raises NotFound."""
    with every_space():
        rows = Conversation.objects.select_related("person", "person__space", "space", "channel")
        found = rows.filter(id=conversation).first()
    if found is None or not grant.allows(found.person.name, found.space.name or None):
        raise NotFound
    note(found.person_id, found.person.space_id)
    return found


def listen(*, conversation: Conversation, said: Sequence[Said], now: datetime) -> Heard:
    """Stores turns in order: one statement for all of them, in one transaction with the conversation's counts."""
    if not conversation.person.memory_enabled:
        return Heard(conversation, [None] * len(said), paused=True)
    with within([conversation.space_id]):
        going = _going(conversation, now)
        turns = [_turn(going, item, now) if item.mode != Mode.AMBIENT else None for item in said]
        stored = [turn for turn in turns if turn]
        for position, turn in enumerate(stored, going.turn_count):
            turn.position = position
        waited = Turn.objects.filter(space_id=going.space_id, embedding=None).exists()
        Turn.objects.bulk_create(stored)
        _counted(going, stored, now)
    return Heard(going, turns, _due(going), first_to_embed=bool(stored) and not waited)


def _identity(entered: Entered, external_id: str) -> dict[str, object]:
    space = entered.venue.lives_in(entered.venue.level)
    return {"space_id": space, "person": entered.person, "external_id": external_id}


def _known(entered: Entered, external_id: str) -> Conversation | None:
    if not external_id:
        return None
    rows = Conversation.objects.select_related("person", "space", "channel")
    return rows.filter(**_identity(entered, external_id)).first()


def _opened(entered: Entered, external_id: str, now: datetime) -> Conversation:
    level = entered.venue.level
    opened = Conversation(
        space=entered.room(entered.venue.lives_in(level) or entered.venue.home),
        person=entered.person,
        visibility=level.value,
        external_id=external_id,
        started_at=now,
        last_turn_at=now,
    )
    if entered.venue.kind is VenueClass.CHANNEL and entered.channel:
        opened.channel = entered.channel
    opened.save(force_insert=True)
    return opened


def _going(conversation: Conversation, now: datetime) -> Conversation:
    """The conversation, locked; one that has ended goes on in a follow-up."""
    rows = Conversation.objects.select_for_update(of=("self",)).select_related("person", "space", "channel")
    here = rows.filter(space_id=conversation.space_id)
    going = here.get(id=conversation.id)
    while going.ended_at is not None:
        following = here.filter(follows=going.id).first()
        going = following or _follow_up(going, now)
    return going


def _follow_up(ended: Conversation, now: datetime) -> Conversation:
    following = Conversation(
        space=ended.space,
        person=ended.person,
        visibility=ended.visibility,
        channel_id=ended.channel_id,
        follows=ended.id,
        started_at=now,
        last_turn_at=now,
    )
    following.save(force_insert=True)
    return following


def _turn(conversation: Conversation, said: Said, now: datetime) -> Turn:
    return Turn(
        space_id=conversation.space_id,
        conversation_id=conversation.id,
        person_id=conversation.person_id,
        visibility=Visibility(conversation.visibility).value,
        channel_id=conversation.channel_id,
        role=said.role,
        speaker=said.speaker,
        content=said.content,
        spoken_at=said.spoken_at or now,
        mode=said.mode,
        intent=said.intent,
        outcome=said.outcome,
        created_at=now,
        tsv=words_vector(_found_by(said, said.spoken_at or now), conversation.person.language),
    )


def _found_by(said: Said, spoken_at: datetime) -> str:
    """The words a turn is found by: when it was said and by whom are among them."""
    return f"[{spoken_at.day} {spoken_at:%B %Y}] {said.speaker}: {said.content}"


def _counted(conversation: Conversation, stored: Sequence[Turn], now: datetime) -> None:
    conversation.turn_count += len(stored)
    conversation.user_turns_unread += sum(turn.role == Role.USER for turn in stored)
    conversation.last_turn_at = now
    conversation.save(update_fields=["turn_count", "user_turns_unread", "last_turn_at"])


def _due(conversation: Conversation) -> Trigger | None:
    if conversation.user_turns_unread >= USER_TURNS:
        return Trigger.COUNT
    if conversation.turn_count - conversation.extracted_to >= HISTORY:
        return Trigger.HISTORY
    return None
