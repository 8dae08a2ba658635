"""What became of a conversation that someone asked to have read: what was kept of it, and whether its person is still
to decide. Derived from what is stored, so that it needs no record of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memory_app.engine.memories.find import WITH_NAMES
from memory_app.engine.venue_context import VenueContext, conversation_venue
from memory_app.models import Conversation, Memory, Proposal, ProposalStatus
from memory_app.models.row_security import allowed_spaces
from memory_app.rules.grant import Grant


@dataclass(frozen=True, slots=True)
class Reading:
    """memories: kept of it and still there. waiting: proposals that the person is to decide on."""

    memories: Sequence[Memory]
    waiting: int


def reading_of(conversation: Conversation, grant: Grant) -> Reading:
    """Expects person, their space, space and channel loaded."""
    venue_context = conversation_venue(conversation, grant)
    with allowed_spaces(venue_context.venue.spaces):
        waiting = Proposal.objects.filter(
            space_id=conversation.space_id, conversation_id=conversation.id, status=ProposalStatus.PENDING
        )
        memories = list(_kept_of(venue_context, conversation.id))
        return Reading(memories, waiting.count())


def saved_with(memory: Memory) -> Sequence[Memory]:
    """What was saved in one act with a memory, itself among them, in the order of the act. Expects its names loaded."""
    with allowed_spaces([memory.space_id]):
        rows = Memory.objects.undeleted().same_level(memory).filter(created_at=memory.created_at)
        return list(rows.select_related(*WITH_NAMES).order_by("position", "id"))


def _kept_of(venue_context: VenueContext, conversation: UUID) -> Sequence[Memory]:
    rows = Memory.objects.undeleted().visible_from(venue_context.venue).filter(person=venue_context.person)
    rows = rows.filter(source_conversation=conversation).select_related(*WITH_NAMES)
    return list(rows.order_by("created_at", "position", "id"))
