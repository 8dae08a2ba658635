"""Listen: store what was said, verbatim, at once; no model is asked. What is worth keeping is noticed later."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, partial
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from memory_app.engine.enter import Entered
from memory_app.engine.logbook.spoken_of import note
from memory_app.engine.write_access import check_write
from memory_app.errors import NotFound, NotGranted
from memory_app.models import Conversation, Membership, Mode, Role, Trigger, Turn, TurnOutcome
from memory_app.models.insert import insert
from memory_app.models.scope import every_space, narrow, within
from memory_app.models.searchable import words_vector
from memory_app.models.wire import send
from memory_app.models.written import Written
from memory_app.rules.grant import EVERYTHING, Grant, Write
from memory_app.rules.visibility import VenueClass, Visibility

USER_TURNS = 10
"""User turns after which a conversation is read while it goes on (seed: the message threshold)."""

HISTORY = 20
"""Messages an assistant keeps at hand; the older ones are read before it trims them (seed: the history limit)."""


COUNTED = """
    UPDATE conversation SET turn_count = $1, user_turns_unread = $2, last_turn_at = $3 WHERE space_id = $4 AND id = $5
"""
"""Sent with every turn: the ORM takes longer to write it than the database to do it."""

NAMES = ("person", "space", "channel")


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
    """The conversation of that id, where the grant reaches it and may write. Raises NotFound, NotGranted."""
    rows = Conversation.objects.select_related(*NAMES, "person__space").filter(id=conversation)
    with every_space():
        found = _reached(rows.first, grant)
    check_write(grant, found)
    return found


def listen(*, conversation: UUID, said: Sequence[Said], now: datetime, grant: Grant = EVERYTHING) -> Heard:
    """Stores turns in order: one statement for all of them, in one transaction with the conversation's counts.

    Raises NotFound where there is no such conversation that the grant reaches, NotGranted where its person belongs to
    the space no more.
    """
    with every_space(savepoint=False):
        found = _reached(partial(_listening().first, id=conversation), grant)
        _check_speaks(found, grant)
        if not found.person.is_remembered:
            return Heard(found, [None] * len(said), paused=True)
        narrow([found.space_id])
        going = _going(found, now)
        turns = [_turn(going, item, now) if item.mode != Mode.AMBIENT else None for item in said]
        due = _store(going, [turn for turn in turns if turn], now)
    return Heard(going, turns, due, first_to_embed=any(turns) and not found.waits)  # type: ignore[attr-defined]


@cache
def _listening() -> Written[Conversation]:
    """A conversation with whose it is and where, locked; and whether any turn of its space waits for a vector."""
    stand_in = UUID(int=0)
    waiting = Exists(Turn.objects.filter(space_id=OuterRef("space_id"), embedding=None))
    memberships = Membership.objects.filter(space_id=OuterRef("space_id"), person_id=OuterRef("person_id"))
    joined, left = (Exists(memberships.filter(left_at__isnull=here)) for here in (True, False))
    rows = Conversation.objects.filter(id=stand_in).annotate(waits=waiting, joined=joined, left=left)
    also = ["waits", "joined", "left"]
    return Written(rows, {"id": stand_in}, beside=NAMES, also=also, ending=" FOR UPDATE OF conversation")


def _check_speaks(found: Any, grant: Grant) -> None:
    """Turns are written where the conversation is held: by whom its person may be spoken for there, while they belong.

    found: a conversation with whether its person `joined` its space, or has `left` it.
    """
    name = found.space.name or None
    write = Write(found.person.name, Visibility(found.visibility), name, member=found.joined)
    if found.left or not grant.may_write(write):
        raise NotGranted(f"{found.person.name!r} does not belong to the space {name!r}.")


def _reached(read: Callable[[], Conversation | None], grant: Grant) -> Conversation:
    """The id alone does not tell the space, so this looks in all of them, then asks whether the grant reaches it."""
    # A merge that the first look waited for has moved the row: only a second one sees it where it is now.
    found = read() or read()
    if found is None or not grant.allows(found.person.name, found.space.name or None):
        raise NotFound
    note(found.person_id, found.person.space_id)
    return found


def _identity(entered: Entered, external_id: str) -> dict[str, object]:
    space = entered.venue.lives_in(entered.venue.level)
    return {
        "space_id": space,
        "person": entered.person,
        "visibility": entered.venue.level.value,
        "channel_name": entered.place.channel or "",
        "external_id": external_id,
    }


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
        channel_name=entered.place.channel or "",
        external_id=external_id,
        started_at=now,
        last_turn_at=now,
    )
    if entered.venue.kind is VenueClass.CHANNEL and entered.channel:
        opened.channel = entered.channel
    opened.save(force_insert=True)
    return opened


def _going(conversation: Conversation, now: datetime) -> Conversation:
    """A locked conversation; one that has ended goes on in a follow-up."""
    here = Conversation.objects.select_for_update(of=("self",)).select_related(*NAMES)
    while conversation.ended_at is not None:
        following = here.filter(space_id=conversation.space_id, follows=conversation.id).first()
        conversation = following or _follow_up(conversation, now)
    return conversation


def _follow_up(ended: Conversation, now: datetime) -> Conversation:
    following = Conversation(
        space=ended.space,
        person=ended.person,
        visibility=ended.visibility,
        channel_id=ended.channel_id,
        channel_name=ended.channel_name,
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
        tsv=words_vector(found_by(said.speaker, said.content, said.spoken_at or now), conversation.person.language),
    )


def found_by(speaker: str, content: str, spoken_at: datetime) -> str:
    """The words a turn is found by: when it was said and by whom are among them."""
    return f"[{spoken_at.day} {spoken_at:%B %Y}] {speaker}: {content}"


def _store(conversation: Conversation, turns: Sequence[Turn], now: datetime) -> Trigger | None:
    """Stores and counts turns, and says whether it is time to read the conversation."""
    for position, turn in enumerate(turns, conversation.turn_count):
        turn.position = position
    from_user = sum(turn.role == Role.USER for turn in turns)
    conversation.turn_count += len(turns)
    conversation.user_turns_unread += from_user
    conversation.last_turn_at = now
    counts = [conversation.turn_count, conversation.user_turns_unread, now, *conversation.pk]
    if turns:
        insert(turns, after=(COUNTED, counts))
    else:
        send(COUNTED, counts)
    if _passes(conversation.user_turns_unread, from_user, USER_TURNS):
        return Trigger.COUNT
    unread = conversation.turn_count - conversation.extracted_to
    return Trigger.HISTORY if _passes(unread, len(turns), HISTORY) else None


def _passes(total: int, added: int, step: int) -> bool:
    """Whether a multiple of the step was reached: each turn after it asks no more, until the next one."""
    return total // step > (total - added) // step
