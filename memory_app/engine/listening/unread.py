"""Which conversations hold turns that nothing was noticed in yet, and why it is time to read them."""

from datetime import datetime
from uuid import UUID

from django.conf import settings

from memory_app.models import Conversation
from memory_app.models.conversation import ConversationQuerySet
from memory_app.models.scope import every_space

AT_A_TIME = 500
"""Conversations to one run of a job; the next run takes the next ones."""


def left_by_switching(*, person: UUID, opened: UUID) -> list[Conversation]:
    """A person's other conversations, once they opened a new one."""
    return _listed(Conversation.objects.unread().filter(person_id=person).exclude(id=opened))


def long_idle(now: datetime) -> list[Conversation]:
    """Conversations in which nobody has spoken for half an hour."""
    return _listed(Conversation.objects.idle(now))


def still_unread() -> list[Conversation]:
    """All that is left for the night."""
    return _listed(Conversation.objects.unread())


def _listed(rows: ConversationQuerySet) -> list[Conversation]:
    """Those long enough to hold something, the longest waiting first."""
    if not settings.KEEPSAKE_MEMORY:
        return []
    with every_space():
        long_enough = rows.filter(turn_count__gte=4, person__memory_enabled=True).exclude(
            person__extraction_policy="off"
        )
        return list(long_enough.order_by("last_turn_at").only("space_id", "id")[:AT_A_TIME])
