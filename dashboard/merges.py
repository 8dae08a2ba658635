"""Merges of people: what one would do, in words, and those of the last 30 days as the page lists them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import QuerySet

from dashboard.reach import Reach
from dashboard.turning import turning
from dashboard.words import count
from memory_app.models import Merge, Person
from memory_app.models.merge import UNDONE_WITHIN

PAGE = 50

KINDS = {
    "memories": ("memory", "memories"),
    "conversations": ("conversation", ""),
    "turns": ("turn", ""),
    "proposals": ("proposal", ""),
    "notes": ("daily note", ""),
    "signals": ("signal", ""),
    "receipts": ("receipt", ""),
}
"""What passes, in the words of the page."""


@dataclass(frozen=True, slots=True)
class Merged:
    """One merge. open: whether it can be taken back now; later: whether only after one that came later."""

    merge: Merge
    person: Person
    into: Person
    passed: str
    until: datetime
    open: bool
    later: bool

    @property
    def told(self) -> str:
        return f"{self.person} merged into {self.into}"


@dataclass(frozen=True, slots=True)
class Listing:
    """`total`: how many there are on all pages, which count from 1."""

    rows: Sequence[Merged]
    total: int
    number: int
    pages: int
    newer: str
    older: str


def merges(page: str | None, now: datetime) -> Listing:
    """Those that can be taken back, and those that were, the latest first."""
    found = Merge.objects.filter(at__gte=now - UNDONE_WITHIN).select_related("person", "space__owner")
    pages = Paginator(found.order_by("-at", "-id"), PAGE)
    here = pages.get_page(page)
    return Listing(
        rows=rows_of(list(here.object_list)),
        **turning(here),
    )


def merges_to_take_back(reach: Reach, now: datetime) -> list[Merged]:
    """Those that can be, of everyone's for a super user, else into the user's own person, the latest first. To be
    evaluated within the reach."""
    found = own_merges(reach).filter(undone_at=None, at__gte=now - UNDONE_WITHIN)
    return rows_of(list(found.order_by("-at", "-id")[:PAGE]))


def own_merges(reach: Reach) -> QuerySet[Merge]:
    """Those that the user may take back, for as long as that can be."""
    rows = Merge.objects.select_related("person", "space__owner")
    if reach.everyone:
        return rows
    return rows.filter(space_id=reach.person.space_id) if reach.person else rows.none()


def merge_json(row: Merged) -> dict[str, Any]:
    """As the API tells a merge, and whether it can be taken back now."""
    return {
        "id": row.merge.id,
        "person": row.person.name,
        "into": row.into.name,
        "at": row.merge.at,
        "by": row.merge.by,
        "undo_until": row.until,
        "undone_at": row.merge.undone_at,
        "counts": row.merge.counts,
        "can_be_undone": row.open,
    }


def passed(counts: Mapping[str, int]) -> str:
    """What passes, such as "12 memories and 1 conversation"; what is not there is not told."""
    told = [count(counts[kind], *words) for kind, words in KINDS.items() if counts.get(kind)]
    return f"{', '.join(told[:-1])} and {told[-1]}" if len(told) > 1 else "".join(told) or "nothing"


def rows_of(found: Sequence[Merge]) -> list[Merged]:
    """Of two merges of the same two, the last one goes back first."""
    pairs = {(merge.space_id, merge.person_id) for merge in found}
    spaces, people = {space for space, _ in pairs}, {person for _, person in pairs}
    rows = Merge.objects.filter(space_id__in=spaces, person_id__in=people, undone_at=None).order_by("at", "id")
    last: dict[tuple[UUID, UUID], UUID] = {
        (space, person): id for space, person, id in rows.values_list("space_id", "person_id", "id")
    }
    return [_row(merge, last.get((merge.space_id, merge.person_id)) == merge.id) for merge in found]


def _row(merge: Merge, is_last: bool) -> Merged:
    there = merge.undone_at is None
    return Merged(
        merge=merge,
        person=merge.person,
        into=merge.space.owner,
        passed=passed(merge.counts),
        until=merge.at + UNDONE_WITHIN,
        open=there and is_last,
        later=there and not is_last,
    )
