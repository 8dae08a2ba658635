"""Page through memories by number, with a count of all: for clients that ask so. The API's own lists go by cursor."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from uuid import UUID

from memory_app.engine.memories.find import WITH_NAMES
from memory_app.engine.venue_context import VenueContext
from memory_app.models import Entity, Memory, Status
from memory_app.models.memory import MemoryQuerySet
from memory_app.models.row_security import allowed_spaces
from memory_app.rules.filters import NO_FILTERS, Filters


@dataclass(frozen=True, slots=True)
class MemoryView:
    """What of one person's own memories is asked for, as they see them from a venue."""

    venue_context: VenueContext
    filters: Filters = NO_FILTERS


def memories_of_views(views: Sequence[MemoryView], now: datetime, *, expired: bool = False) -> MemoryQuerySet:
    """The memories of all views that hold now, to be evaluated within the spaces of all of them. expired: those too
    that are of no use any more."""
    known = [view for view in views if not view.venue_context.is_unknown]
    if not known:
        return Memory.objects.none()
    return reduce(or_, [_rows_of(view, now, expired) for view in known])


def page_of_memories(
    views: Sequence[MemoryView], *, offset: int, limit: int, now: datetime, expired: bool = False
) -> tuple[Sequence[Memory], int]:
    """A page of what several people have, the newest first, and how many there are in all."""
    with allowed_spaces({space for view in views for space in view.venue_context.venue.spaces}):
        rows = memories_of_views(views, now, expired=expired)
        total = rows.count()
        ordered = rows.select_related(*WITH_NAMES).order_by("-created_at", "-id")
        return list(ordered[offset : offset + limit]), total


def _rows_of(view: MemoryView, now: datetime, expired: bool) -> MemoryQuerySet:
    venue = view.venue_context.venue
    rows = Memory.objects.visible_from(venue).filter(person=view.venue_context.person)
    rows = rows.undeleted().filter(status=Status.ACTIVE) if expired else rows.current(now)
    return rows.matching_filters(view.filters.values, Entity.objects.visible_from(venue))


def ids_of_view(view: MemoryView, now: datetime) -> list[UUID]:
    """Of all that it asks for, expired or not."""
    with allowed_spaces(view.venue_context.venue.spaces):
        return list(memories_of_views([view], now, expired=True).values_list("id", flat=True))
