"""Finish a conversation: what is said in it from now on goes into a follow-up."""

from datetime import datetime

from memory_app.models import Conversation
from memory_app.models.scope import within


def finish(*, conversation: Conversation, now: datetime) -> Conversation:
    """Marks a conversation, or the follow-up it goes on in, as ended. Ending twice changes nothing."""
    with within([conversation.space_id]):
        rows = Conversation.objects.select_for_update(of=("self",)).select_related("person__space", "space", "channel")
        last = rows.get(space_id=conversation.space_id, id=parts(conversation)[-1].id)
        if last.ended_at is None:
            last.ended_at = now
            last.save(update_fields=["ended_at"])
        return last


def parts(conversation: Conversation) -> list[Conversation]:
    """The conversation and the follow-ups it went on in, in order. Expects its space's scope."""
    found = [conversation]
    here = Conversation.objects.filter(space_id=conversation.space_id)
    while following := here.filter(follows=found[-1].id).first():
        found.append(following)
    return found
