"""What everyone says in the spaces one belongs to, as the rule of visibility has it for who names such a space."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from operator import or_
from uuid import UUID

from django.core.paginator import Paginator
from django.http import QueryDict

from dashboard.reach import Reach
from dashboard.turning import turning
from memory_app.models import Memory
from memory_app.models.memory import MemoryQuerySet
from memory_app.rules.visibility import Venue, Visibility

PAGE = 25


@dataclass(frozen=True, slots=True)
class Said:
    """One memory of a space. mine: whether it may be opened, and changed, by who reads."""

    memory: Memory
    mine: bool


@dataclass(frozen=True, slots=True)
class Shared:
    """A page of them, which counts from 1. spaces: names to choose from; space: the one chosen, else empty."""

    rows: Sequence[Said]
    total: int
    number: int
    pages: int
    spaces: Sequence[str]
    space: str
    newer: str
    older: str


def shared(reach: Reach, url: QueryDict, now: datetime) -> Shared:
    """What holds now, the latest first; a space that is not one's own shows as one that is not there."""
    rows = _rows(reach).filter(visibility=Visibility.SPACE).current(now)
    spaces = list(rows.order_by("space__name").values_list("space__name", flat=True).distinct())
    space = url.get("space", "").replace("\x00", "")[:200]
    if space:
        rows = rows.filter(space__name=space)
    pages = Paginator(rows.order_by("-created_at", "-id"), PAGE)
    page = pages.get_page(url.get("page"))
    told = [Said(memory, reach.is_own(memory)) for memory in page.object_list]
    chosen = space if space in spaces else ""
    return Shared(told, spaces=spaces, space=chosen, **turning(page, space=chosen))


def _rows(reach: Reach) -> MemoryQuerySet:
    """Everything for a super user; else what a request from each of the reader's spaces may see of that space."""
    rows = Memory.objects.select_related("person", "space", "channel")
    if reach.everyone:
        return rows
    venue = reach.entered.venue if reach.entered else None
    seen = [_named(rows, venue, space) for space in sorted(venue.member)] if venue else []
    return reduce(or_, seen, rows.none())


def _named(rows: MemoryQuerySet, venue: Venue, space: UUID) -> MemoryQuerySet:
    return rows.visible_from(replace(venue, named=space)).filter(space_id=space)
