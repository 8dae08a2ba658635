"""What was said in a conversation, read again in order; and the last turn taken back."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from memory_app.engine.audit.log import Author, log_event
from memory_app.engine.audit.request_log import note_person
from memory_app.engine.conversations.add_turns import conversation_parts, find_conversation
from memory_app.engine.segments import take_out
from memory_app.errors import NotFound
from memory_app.models import Conversation, Role, Turn
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.rules.grant import Grant

REMOVE_OPERATION = "remove_turn"
"""What the log calls it."""

NO_TURN = "Nothing was said in this conversation, or all of it was taken back or cleared."


@dataclass(frozen=True, slots=True)
class TurnPlace:
    """Where a turn stands: the part of the conversation, which ids put in order, and its position there."""

    conversation: UUID
    position: int


def read_conversation(*, conversation: UUID, grant: Grant) -> Conversation:
    """The conversation of that id, where the grant reaches it. Raises NotFound."""
    with every_space():
        found = Conversation.objects.select_related("person__space", "space", "channel").filter(id=conversation).first()
    if found is None or not grant.allows(found.person.name, found.space.name or None):
        raise NotFound
    note_person(found.person_id, found.person.space_id)
    return found


def turns_of(
    conversation: Conversation, *, newest_first: bool, limit: int, after: TurnPlace | None = None
) -> Sequence[Turn]:
    """Its turns, and those of what it went on in after it had ended; without what was cleared since. after: the place
    of the last turn seen."""
    signs = ("-conversation_id", "-position") if newest_first else ("conversation_id", "position")
    with allowed_spaces([conversation.space_id]):
        parts = conversation_parts(conversation)
        rows = Turn.objects.filter(_not_cleared(parts), space_id=conversation.space_id)
        if after is not None:
            rows = rows.filter(_following(after, "lt" if newest_first else "gt"))
        return list(rows.defer("embedding", "tsv").order_by(*signs)[:limit])


def remove_last_turn(*, conversation: UUID, grant: Grant, author: Author, now: datetime) -> Turn:
    """Takes the last turn back, and returns it. What was remembered or proposed because of it stays, to be deleted or
    rejected as such. Raises NotFound where there is none, NotAllowed."""
    found = find_conversation(conversation=conversation, grant=grant)
    with allowed_spaces([found.space_id]):
        parts = conversation_parts(found)
        rows = Turn.objects.filter(_not_cleared(parts), space_id=found.space_id)
        # Locked first: whoever adds a turn holds the same lock.
        held = list(
            Conversation.objects.select_for_update().filter(space_id=found.space_id, id__in=[p.id for p in parts])
        )
        last = rows.defer("embedding", "tsv").order_by("-conversation_id", "-position").first()
        if last is None:
            raise NotFound(NO_TURN)
        part = next(one for one in held if one.id == last.conversation_id)
        _uncount(part, last)
        take_out(last.space_id, [last.id])
        Turn.objects.filter(space_id=last.space_id, id=last.id).delete()
        log_event(
            REMOVE_OPERATION,
            {"conversation": str(part.id), "turn": str(last.id)},
            author=author,
            now=now,
            space=found.space_id,
            person=found.person_id,
        )
    return last


def _uncount(part: Conversation, removed: Turn) -> None:
    unread = removed.role == Role.USER and removed.position >= part.extracted_to
    part.turn_count = removed.position
    part.extracted_to = min(part.extracted_to, part.turn_count)
    part.user_turns_unread = max(part.user_turns_unread - unread, 0)
    part.save(update_fields=["turn_count", "extracted_to", "user_turns_unread"])


def _not_cleared(parts: Sequence[Conversation]) -> Q:
    visible = Q()
    for part in parts:
        visible |= Q(conversation_id=part.id, position__gte=part.cleared_to)
    return visible


def _following(after: TurnPlace, step: str) -> Q:
    later_parts = Q(**{f"conversation_id__{step}": after.conversation})
    return later_parts | Q(conversation_id=after.conversation, **{f"position__{step}": after.position})
