"""`/shared/`: memories that all members of the viewer's spaces see. To be read: only its person changes a memory."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from operator import or_
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view
from dashboard.lists import Pagination, pagination_fields
from dashboard.masking import memory_json
from dashboard.responses import clean_text, wants_json
from dashboard.viewer import Viewer
from memory_app.models import Memory
from memory_app.models.memory import MemoryQuerySet
from memory_app.rules.visibility import Venue, Visibility

PAGE_SIZE = 25


@dataclass(frozen=True, slots=True)
class SharedMemory:
    """One memory of a space. mine: whether the viewer may open and change it."""

    memory: Memory
    mine: bool


@dataclass(frozen=True, slots=True)
class SharedListing(Pagination):
    """spaces: names to choose from; space: the one chosen, else empty."""

    rows: Sequence[SharedMemory]
    spaces: Sequence[str]
    space: str


def list_shared(viewer: Viewer, url: QueryDict, now: datetime) -> SharedListing:
    """What holds now, the latest first; a space of others looks like one that does not exist."""
    rows = _rows(viewer).filter(visibility=Visibility.SPACE).current(now)
    spaces = list(rows.order_by("space__name").values_list("space__name", flat=True).distinct())
    space = clean_text(url.get("space", ""), 200)
    if space:
        rows = rows.filter(space__name=space)
    page = Paginator(rows.order_by("-created_at", "-id"), PAGE_SIZE).get_page(url.get("page"))
    rows_shown = [SharedMemory(memory, viewer.is_own(memory)) for memory in page.object_list]
    chosen = space if space in spaces else ""
    return SharedListing(rows_shown, spaces, chosen, **pagination_fields(page, space=chosen))


def _rows(viewer: Viewer) -> MemoryQuerySet:
    """Everything for a super user; else what a request from each of the reader's spaces may see of that space."""
    rows = Memory.objects.select_related("person", "space", "channel")
    if viewer.is_super_user:
        return rows
    venue = viewer.venue_context.venue if viewer.venue_context else None
    visible = [_visible_in_space(rows, venue, space) for space in sorted(venue.member)] if venue else []
    return reduce(or_, visible, rows.none())


def _visible_in_space(rows: MemoryQuerySet, venue: Venue, space: UUID) -> MemoryQuerySet:
    return rows.visible_from(replace(venue, named=space)).filter(space_id=space)


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    now = timezone.now()
    listing = list_shared(viewer, request.GET, now)
    if wants_json(request):
        items = [memory_json(row.memory, now, masked=row.memory.sensitive) for row in listing.rows]
        return JsonResponse({"items": items, **listing.pagination_json(), "spaces": listing.spaces})
    return render(request, "dashboard/shared.html", {"viewer": viewer, "listing": listing})
