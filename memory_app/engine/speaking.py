"""The venue of a conversation, as its person speaks in it: for what happens when no request names it."""

from ..models import COMMONS, Conversation, Membership
from ..rules.visibility import Venue, Visibility
from .enter import Entered, Place


def speaking(conversation: Conversation) -> Entered:
    """The person in the venue where the conversation is held. Expects person, their space, space and channel loaded."""
    person = conversation.person
    if conversation.visibility == Visibility.PRIVATE:
        own = frozenset(Membership.objects.filter(person=person).values_list("space_id", flat=True))
        venue = Venue(person=person.id, home=person.space_id, commons=COMMONS, own=own, member=own)
        return Entered(person, venue, Place())
    channel = conversation.channel
    venue = Venue(
        person=person.id,
        home=person.space_id,
        commons=COMMONS,
        space=conversation.space_id,
        channel=conversation.channel_id,
        restricted=channel is not None,
    )
    place = Place(conversation.space.name, channel.name if channel else None, channel is not None)
    return Entered(person, venue, place, space=conversation.space, channel=channel)
