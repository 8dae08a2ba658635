"""Count what is kept of a person: by type and tier, what waits for a vector, the latest."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q

from memory_app.embedding.encoder import current_model_name
from memory_app.engine.proposals.review import proposals_of
from memory_app.engine.venue_context import VenueContext
from memory_app.models import Memory, Turn
from memory_app.models.row_security import allowed_spaces


@dataclass(frozen=True, slots=True)
class MemoryCounts:
    """Numbers of one person's own memories, wherever they live."""

    active: dict[str, int]
    deleted: dict[str, int]
    superseded: int
    turns: int
    proposals_pending: int
    embeddings_pending: int
    latest: datetime | None


def count_memories(venue_context: VenueContext) -> MemoryCounts:
    """Counts a person's own memories in the spaces their private venue reaches."""
    with allowed_spaces(venue_context.venue.spaces):
        own = Memory.objects.filter(space_id__in=venue_context.venue.spaces, person=venue_context.person)
        rows = own.values("type").annotate(
            active=Count("id", filter=Q(deleted_at=None)),
            deleted=Count("id", filter=~Q(deleted_at=None)),
            superseded=Count("id", filter=Q(deleted_at=None, status="superseded")),
            latest=Max("created_at", filter=Q(deleted_at=None)),
        )
        by_type = list(rows)
        turns_of_person = Turn.objects.filter(space_id__in=venue_context.venue.spaces, person=venue_context.person)
        turns = turns_of_person.count()
        pending = (
            own.awaiting_vector(current_model_name()).count()
            + turns_of_person.awaiting_vector(current_model_name()).count()
        )
        proposals_waiting = proposals_of(venue_context).count()
    return MemoryCounts(
        active={row["type"]: row["active"] for row in by_type if row["active"]},
        deleted={row["type"]: row["deleted"] for row in by_type if row["deleted"]},
        superseded=sum(row["superseded"] for row in by_type),
        turns=turns,
        proposals_pending=proposals_waiting,
        embeddings_pending=pending,
        latest=max((row["latest"] for row in by_type if row["latest"]), default=None),
    )
