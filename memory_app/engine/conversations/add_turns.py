"""Add turns: store the turns of a conversation as they were said. No model is asked; what to keep is noticed later.

A conversation that was ended goes on in a follow-up.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, partial
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from memory_app.engine.audit.request_log import note_person
from memory_app.engine.venue_context import VenueContext
from memory_app.engine.write_access import check_write
from memory_app.errors import NotAllowed, NotFound
from memory_app.models import Conversation, Membership, Mode, Role, Trigger, Turn, TurnOutcome
from memory_app.models.row_security import allowed_spaces, every_space, narrow_allowed_spaces
from memory_app.models.text_search import text_tsvector
from memory_app.postgres.fast.binary_protocol import execute_binary
from memory_app.postgres.fast.insert_rows import insert_rows
from memory_app.postgres.fast.prepared_query import PreparedQuery
from memory_app.rules.grant import EVERYTHING, Grant, Write
from memory_app.rules.visibility import VenueClass, Visibility

USER_TURNS_DUE = 10
"""User turns after which a conversation is read while it goes on (seed: the message threshold)."""

HISTORY_DUE = 20
"""Messages an assistant keeps at hand; the older ones are read before it trims them (seed: the history limit)."""


COUNT_TURNS_SQL = """
    UPDATE conversation SET turn_count = $1, user_turns_unread = $2, last_turn_at = $3 WHERE space_id = $4 AND id = $5
"""
"""Sent with every turn: the ORM takes longer to write it than the database to do it."""

RELATED_ROWS = ("person", "space", "channel")


@dataclass(frozen=True, slots=True)
class TurnInput:
    """One turn as it is sent. spoken_at None: now."""

    role: str
    content: str
    speaker: str = ""
    spoken_at: datetime | None = None
    mode: str = Mode.CONVERSATION.value
    intent: str = ""
    outcome: str = TurnOutcome.OK.value


@dataclass(frozen=True, slots=True)
class AddTurnsResult:
    """What was stored, one entry for each turn sent: None for what was not (ambient words, or memory is paused).

    conversation: where it went, which is a follow-up when the one it was sent to had ended.
    due: why it is time to read the conversation, if it is. first_to_embed: no turn waited for a vector before.
    """

    conversation: Conversation
    turns: Sequence[Turn | None]
    due: Trigger | None = None
    first_to_embed: bool = False
    paused: bool = field(default=False)


def find_or_open_conversation(
    *, venue_context: VenueContext, external_id: str, now: datetime
) -> tuple[Conversation, bool]:
    """The conversation of that external id in this venue, and whether it is new. No external id: always a new one."""
    with allowed_spaces(venue_context.venue.spaces):
        found = _existing_conversation(venue_context, external_id)
        if found:
            return found, False
        try:
            with transaction.atomic():
                return _create_conversation(venue_context, external_id, now), True
        except IntegrityError:  # another request was first
            return Conversation.objects.get(**_conversation_identity(venue_context, external_id)), False


def find_conversation(*, conversation: UUID, grant: Grant) -> Conversation:
    """The conversation of that id, where the grant reaches it and may write. Raises NotFound, NotAllowed."""
    rows = Conversation.objects.select_related(*RELATED_ROWS, "person__space").filter(id=conversation)
    with every_space():
        found = _within_grant(rows.first, grant)
    check_write(grant, found)
    return found


def add_turns(
    *, conversation: UUID, turns: Sequence[TurnInput], now: datetime, grant: Grant = EVERYTHING
) -> AddTurnsResult:
    """Stores turns in order: one statement for all of them, in one transaction with the conversation's counts.

    Raises NotFound where there is no such conversation that the grant reaches, NotAllowed where its person belongs to
    the space no more.
    """
    with every_space(savepoint=False):
        found = _within_grant(partial(_conversation_to_write().first, id=conversation), grant)
        _check_may_speak(found, grant)
        if not found.person.is_memory_on:
            return AddTurnsResult(found, [None] * len(turns), paused=True)
        narrow_allowed_spaces([found.space_id])
        conversation_now = _ongoing_conversation(found, now)
        stored = [_build_turn(conversation_now, item, now) if item.mode != Mode.AMBIENT else None for item in turns]
        due = _store_turns(conversation_now, [turn for turn in stored if turn], now)
    return AddTurnsResult(conversation_now, stored, due, first_to_embed=any(stored) and not found.waits)  # type: ignore[attr-defined]


@cache
def _conversation_to_write() -> PreparedQuery[Conversation]:
    """A conversation with whose it is and where, locked; and whether any turn of its space waits for a vector."""
    placeholder = UUID(int=0)
    waiting = Exists(Turn.objects.filter(space_id=OuterRef("space_id"), embedding=None))
    memberships = Membership.objects.filter(space_id=OuterRef("space_id"), person_id=OuterRef("person_id"))
    joined, left = (Exists(memberships.filter(left_at__isnull=here)) for here in (True, False))
    rows = Conversation.objects.filter(id=placeholder).annotate(waits=waiting, joined=joined, left=left)
    annotations = ["waits", "joined", "left"]
    return PreparedQuery(
        rows, {"id": placeholder}, related=RELATED_ROWS, annotations=annotations, suffix=" FOR UPDATE OF conversation"
    )


def _check_may_speak(found: Any, grant: Grant) -> None:
    """Turns are written where the conversation is held: by whom its person may be spoken for there, while they belong.

    found: a conversation with whether its person `joined` its space, or has `left` it.
    """
    name = found.space.name or None
    write = Write(found.person.name, Visibility(found.visibility), name, member=found.joined)
    if found.left or not grant.may_write(write):
        raise NotAllowed(f"{found.person.name!r} does not belong to the space {name!r}.")


def _within_grant(read: Callable[[], Conversation | None], grant: Grant) -> Conversation:
    """The id alone does not tell the space, so this looks in all of them, then asks whether the grant reaches it."""
    # A merge that the first look waited for has moved the row: only a second one sees it where it is now.
    found = read() or read()
    if found is None or not grant.allows(found.person.name, found.space.name or None):
        raise NotFound
    note_person(found.person_id, found.person.space_id)
    return found


def _conversation_identity(venue_context: VenueContext, external_id: str) -> dict[str, object]:
    space = venue_context.venue.lives_in(venue_context.venue.level)
    return {
        "space_id": space,
        "person": venue_context.person,
        "visibility": venue_context.venue.level.value,
        "channel_name": venue_context.place.channel or "",
        "external_id": external_id,
    }


def _existing_conversation(venue_context: VenueContext, external_id: str) -> Conversation | None:
    if not external_id:
        return None
    rows = Conversation.objects.select_related("person", "space", "channel")
    return rows.filter(**_conversation_identity(venue_context, external_id)).first()


def _create_conversation(venue_context: VenueContext, external_id: str, now: datetime) -> Conversation:
    level = venue_context.venue.level
    conversation = Conversation(
        space=venue_context.space_row(venue_context.venue.lives_in(level) or venue_context.venue.home),
        person=venue_context.person,
        visibility=level.value,
        channel_name=venue_context.place.channel or "",
        external_id=external_id,
        started_at=now,
        last_turn_at=now,
    )
    if venue_context.venue.kind is VenueClass.CHANNEL and venue_context.channel:
        conversation.channel = venue_context.channel
    conversation.save(force_insert=True)
    return conversation


def _ongoing_conversation(conversation: Conversation, now: datetime) -> Conversation:
    """A locked conversation; one that has ended goes on in a follow-up."""
    here = Conversation.objects.select_for_update(of=("self",)).select_related(*RELATED_ROWS)
    while conversation.ended_at is not None:
        following = here.filter(space_id=conversation.space_id, follows=conversation.id).first()
        conversation = following or _create_follow_up(conversation, now)
    return conversation


def _create_follow_up(ended: Conversation, now: datetime) -> Conversation:
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


def _build_turn(conversation: Conversation, turn: TurnInput, now: datetime) -> Turn:
    return Turn(
        space_id=conversation.space_id,
        conversation_id=conversation.id,
        person_id=conversation.person_id,
        visibility=Visibility(conversation.visibility).value,
        channel_id=conversation.channel_id,
        role=turn.role,
        speaker=turn.speaker,
        content=turn.content,
        spoken_at=turn.spoken_at or now,
        mode=turn.mode,
        intent=turn.intent,
        outcome=turn.outcome,
        created_at=now,
        tsv=text_tsvector(
            turn_search_text(turn.speaker, turn.content, turn.spoken_at or now), conversation.person.language
        ),
    )


def turn_search_text(speaker: str, content: str, spoken_at: datetime) -> str:
    """The words a turn is found by: when it was said and by whom are among them."""
    return f"[{spoken_at.day} {spoken_at:%B %Y}] {speaker}: {content}"


def _store_turns(conversation: Conversation, turns: Sequence[Turn], now: datetime) -> Trigger | None:
    """Stores and counts turns, and says whether it is time to read the conversation."""
    for position, turn in enumerate(turns, conversation.turn_count):
        turn.position = position
    from_user = sum(turn.role == Role.USER for turn in turns)
    conversation.turn_count += len(turns)
    conversation.user_turns_unread += from_user
    conversation.last_turn_at = now
    counts = [conversation.turn_count, conversation.user_turns_unread, now, *conversation.pk]
    if turns:
        insert_rows(turns, after=(COUNT_TURNS_SQL, counts))
    else:
        execute_binary(COUNT_TURNS_SQL, counts)
    if _passes_multiple(conversation.user_turns_unread, from_user, USER_TURNS_DUE):
        return Trigger.COUNT
    unread = conversation.turn_count - conversation.extracted_to
    return Trigger.HISTORY if _passes_multiple(unread, len(turns), HISTORY_DUE) else None


def _passes_multiple(total: int, added: int, step: int) -> bool:
    """Whether a multiple of the step was reached: each turn after it asks no more, until the next one."""
    return total // step > (total - added) // step


def mark_ended(*, conversation: Conversation, now: datetime) -> Conversation:
    """Marks a conversation, or the follow-up it goes on in, as ended. Ending twice changes nothing."""
    with allowed_spaces([conversation.space_id]):
        rows = Conversation.objects.select_for_update(of=("self",)).select_related("person__space", "space", "channel")
        last = rows.get(space_id=conversation.space_id, id=conversation_parts(conversation)[-1].id)
        if last.ended_at is None:
            last.ended_at = now
            last.save(update_fields=["ended_at"])
        return last


def conversation_parts(conversation: Conversation) -> list[Conversation]:
    """The conversation and the follow-ups it went on in, in order. Expects its space's scope."""
    found = [conversation]
    here = Conversation.objects.filter(space_id=conversation.space_id)
    while following := here.filter(follows=found[-1].id).first():
        found.append(following)
    return found
