"""The venue of a conversation, as its person speaks in it: for what happens when no request names it."""

from uuid import UUID

from memory_app.engine.enter import Entered, Place
from memory_app.models import COMMONS, Conversation, Membership
from memory_app.rules.grant import EVERYTHING, Grant
from memory_app.rules.visibility import Venue, Visibility


def speaking(conversation: Conversation, grant: Grant = EVERYTHING) -> Entered:
    """The person in the venue where the conversation is held. Expects person, their space, space and channel loaded.

    grant: of whoever asks for what happens; the worker's own is not limited.
    """
    person = conversation.person
    if conversation.visibility == Visibility.PRIVATE:
        own, member = _spaces_of(conversation)
        venue = Venue(person=person.id, home=person.space_id, commons=COMMONS, own=own, member=member)
        return Entered(person, venue, Place(), grant)
    channel = conversation.channel
    own, member = _spaces_of(conversation) if grant.only_where_members else (frozenset(), frozenset())
    venue = Venue(
        person=person.id,
        home=person.space_id,
        commons=COMMONS,
        space=conversation.space_id,
        channel=conversation.channel_id,
        restricted=channel is not None,
        own=own,
        member=member,
    )
    place = Place(conversation.space.name, channel.name if channel else None, channel is not None)
    return Entered(person, venue, place, grant, space=conversation.space, channel=channel)


def _spaces_of(conversation: Conversation) -> tuple[frozenset[UUID], frozenset[UUID]]:
    """The shared spaces in which the person may have memories, and those they belong to now."""
    rows = list(Membership.objects.filter(person=conversation.person).values_list("space_id", "left_at"))
    return frozenset(space for space, _ in rows), frozenset(space for space, left in rows if left is None)
