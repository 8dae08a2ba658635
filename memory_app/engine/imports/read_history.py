"""Read imported conversations at a person's pace: the latest first, and no more while enough proposals wait.

Whoever brings ten years of talk along is asked about a few things at a time; the rest waits, and is counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings

from memory_app.models import Conversation, ExtractionPolicy, Person, Proposal
from memory_app.models.conversation import MIN_TURNS, ConversationQuerySet
from memory_app.models.row_security import allowed_spaces, every_space

MOST_WAITING = 20
"""Proposals of imports that wait for a person at once: as many as are decided on in a few minutes. A conversation is
read whole, so a few more may."""


@dataclass(frozen=True, slots=True)
class UnreadHistory:
    """conversations: imported ones that are not read yet. waiting: proposals of imports that wait for the person."""

    conversations: int
    waiting: int


def unread_history(person: Person, now: datetime) -> UnreadHistory:
    """How much of what a person brought along is still to be read. Expects their scope."""
    return UnreadHistory(_unread(person).count(), _waiting(person, now))


def people_with_unread_history() -> Sequence[Person]:
    """Those whose memory is on and of whom anything that was imported is to be read."""
    if not settings.KEEPSAKE_MEMORY:
        return []
    with every_space():
        unread = Conversation.objects.imported_unread().filter(turn_count__gte=MIN_TURNS)
        people = list(unread.values_list("person_id", flat=True).distinct())
    rows = Person.objects.filter(id__in=people, memory_enabled=True)
    return list(rows.exclude(extraction_policy=ExtractionPolicy.OFF).order_by("id"))


def next_conversation(person: Person, now: datetime, aside: set[UUID]) -> Conversation | None:
    """The imported conversation to be read next; None while enough waits for the person, or none is left.

    aside: conversations that are not to be read. Asked again after each, for what it put up counts. Under the policy
    `auto` nobody is asked, so nothing waits.
    """
    with allowed_spaces([person.space_id]):
        fresh = Person.objects.get(id=person.id)
        if not fresh.is_memory_on or fresh.extraction_policy == ExtractionPolicy.OFF:
            return None
        if fresh.extraction_policy == ExtractionPolicy.ASK and _waiting(person, now) >= MOST_WAITING:
            return None
        return _unread(person).exclude(id__in=aside).order_by("-last_turn_at").only("space_id", "id").first()


def _unread(person: Person) -> ConversationQuerySet:
    rows = Conversation.objects.imported_unread().filter(space_id=person.space_id, person_id=person.id)
    return rows.filter(turn_count__gte=MIN_TURNS)


def _waiting(person: Person, now: datetime) -> int:
    rows = Proposal.objects.waiting(now).filter(space_id=person.space_id, person_id=person.id)
    return rows.filter(conversation__import_id__isnull=False).count()
