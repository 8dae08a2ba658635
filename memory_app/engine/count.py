"""Count what is kept of a person: by type and tier, what waits for a vector, the latest."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q

from memory_app.embedding.encoder import expected_name
from memory_app.engine.enter import Entered
from memory_app.engine.listening.inbox import inbox
from memory_app.models import Memory, Turn
from memory_app.models.scope import within


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of one person's own memories, wherever they live."""

    active: dict[str, int]
    deleted: dict[str, int]
    superseded: int
    turns: int
    proposals_pending: int
    embeddings_pending: int
    latest: datetime | None


def count(entered: Entered) -> Counts:
    """Counts a person's own memories in the spaces their private venue reaches."""
    with within(entered.venue.spaces):
        own = Memory.objects.filter(space_id__in=entered.venue.spaces, person=entered.person)
        rows = own.values("type").annotate(
            active=Count("id", filter=Q(deleted_at=None)),
            deleted=Count("id", filter=~Q(deleted_at=None)),
            superseded=Count("id", filter=Q(deleted_at=None, status="superseded")),
            latest=Max("created_at", filter=Q(deleted_at=None)),
        )
        by_type = list(rows)
        said = Turn.objects.filter(space_id__in=entered.venue.spaces, person=entered.person)
        turns = said.count()
        pending = own.awaiting_vector(expected_name()).count() + said.awaiting_vector(expected_name()).count()
        waiting = inbox(entered).count()
    return Counts(
        active={row["type"]: row["active"] for row in by_type if row["active"]},
        deleted={row["type"]: row["deleted"] for row in by_type if row["deleted"]},
        superseded=sum(row["superseded"] for row in by_type),
        turns=turns,
        proposals_pending=waiting,
        embeddings_pending=pending,
        latest=max((row["latest"] for row in by_type if row["latest"]), default=None),
    )
