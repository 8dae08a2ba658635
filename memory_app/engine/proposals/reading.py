"""What became of a conversation that someone asked to have read: what was kept of it, and whether its person is still
to decide. Derived from what is stored, so that it needs no record of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q

from memory_app.engine.memories.find import WITH_NAMES
from memory_app.engine.venue_context import VenueContext, conversation_venue
from memory_app.models import Conversation, ExtractionRun, Memory, Proposal, ProposalStatus
from memory_app.models.row_security import allowed_spaces
from memory_app.rules.grant import Grant


@dataclass(frozen=True, slots=True)
class Reading:
    """memories: kept of it and still there. waiting: proposals that the person is to decide on; decided: those that
    wait no longer. read: whether anything of it was read for what is worth keeping. noted: put into notes of a day."""

    memories: Sequence[Memory]
    waiting: int
    decided: int
    read: bool
    noted: int


def reading_of(conversation: Conversation, grant: Grant) -> Reading:
    """Expects person, their space, space and channel loaded."""
    venue_context = conversation_venue(conversation, grant)
    with allowed_spaces(venue_context.venue.spaces):
        of_it = {"space_id": conversation.space_id, "conversation_id": conversation.id}
        proposals, waits = Proposal.objects.filter(**of_it), Q(status=ProposalStatus.PENDING)
        counts = proposals.aggregate(waiting=Count("id", filter=waits), decided=Count("id", filter=~waits))
        noted = list(ExtractionRun.objects.filter(**of_it).values_list("noted", flat=True))
        memories = list(_kept_of(venue_context, conversation.id))
        return Reading(memories, **counts, read=bool(noted), noted=sum(noted))


def saved_with(memory: Memory) -> Sequence[Memory]:
    """What was saved in one act with a memory, itself among them, in the order of the act. Expects its names loaded."""
    with allowed_spaces([memory.space_id]):
        rows = Memory.objects.undeleted().same_level(memory).filter(created_at=memory.created_at)
        return list(rows.select_related(*WITH_NAMES).order_by("position", "id"))


def _kept_of(venue_context: VenueContext, conversation: UUID) -> Sequence[Memory]:
    rows = Memory.objects.undeleted().visible_from(venue_context.venue).filter(person=venue_context.person)
    rows = rows.filter(source_conversation=conversation).select_related(*WITH_NAMES)
    return list(rows.order_by("created_at", "position", "id"))
