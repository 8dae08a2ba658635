"""Finish a conversation: what is said in it from now on goes into a follow-up."""

from datetime import datetime

from ..models import Conversation
from ..models.scope import within


def finish(*, conversation: Conversation, now: datetime) -> Conversation:
    """Marks a conversation, or the follow-up it goes on in, as ended. Ending twice changes nothing."""
    with within([conversation.space_id]):
        rows = Conversation.objects.select_for_update(of=("self",)).select_related("person__space", "space", "channel")
        here = rows.filter(space_id=conversation.space_id)
        last = here.get(id=conversation.id)
        while following := here.filter(follows=last.id).first():
            last = following
        if last.ended_at is None:
            last.ended_at = now
            last.save(update_fields=["ended_at"])
        return last
