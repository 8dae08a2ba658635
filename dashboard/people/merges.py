"""Merges of people: what one would do, in words, and those of the last 30 days as the page lists them.

`/people/merges/` and `/people/{id}/merge/`: who was merged into whom, and the way back; and a merge, previewed. For
super users.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.access import SignedInRequest, require_super_user, with_viewer
from dashboard.pagination import pagination_fields
from dashboard.people.person import find_person
from dashboard.responses import redirect_back, show_message, show_warning, wants_json
from dashboard.viewer import Viewer
from dashboard.wording import pluralize
from memory_app.engine.people.merge_people import merge_people, preview_merge
from memory_app.engine.people.unmerge_people import unmerge_people
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.errors import ConflictError, Invalid, NotFound
from memory_app.models import Merge, Person
from memory_app.models.person_merge import UNDO_PERIOD

PAGE_SIZE = 50

KIND_NOUNS = {
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
class MergeRow:
    """One merge. open: whether it can be taken back now; later: whether only after one that came later."""

    merge: Merge
    person: Person
    into: Person
    transferred: str
    until: datetime
    can_be_undone: bool
    blocked: bool

    @property
    def told(self) -> str:
        return f"{self.person} merged into {self.into}"


@dataclass(frozen=True, slots=True)
class MergeListing:
    """`total`: how many there are on all pages, which count from 1."""

    rows: Sequence[MergeRow]
    total: int
    number: int
    pages: int
    newer: str
    older: str


def list_merges(page: str | None, now: datetime) -> MergeListing:
    """Those that can be taken back, and those that were, the latest first."""
    found = Merge.objects.filter(at__gte=now - UNDO_PERIOD).select_related("person", "space__owner")
    pages = Paginator(found.order_by("-at", "-id"), PAGE_SIZE)
    page_found = pages.get_page(page)
    return MergeListing(
        rows=merge_rows(list(page_found.object_list)),
        **pagination_fields(page_found),
    )


def undoable_merges(viewer: Viewer, now: datetime) -> list[MergeRow]:
    """Those that can be, of everyone's for a super user, else into the user's own person, the latest first. To be
    evaluated within the reach."""
    found = own_merges(viewer).filter(undone_at=None, at__gte=now - UNDO_PERIOD)
    return merge_rows(list(found.order_by("-at", "-id")[:PAGE_SIZE]))


def own_merges(viewer: Viewer) -> QuerySet[Merge]:
    """Those that the user may take back, for as long as that can be."""
    rows = Merge.objects.select_related("person", "space__owner")
    if viewer.is_super_user:
        return rows
    return rows.filter(space_id=viewer.person.space_id) if viewer.person else rows.none()


def merge_json(row: MergeRow) -> dict[str, Any]:
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
        "can_be_undone": row.can_be_undone,
    }


def describe_transfer(counts: Mapping[str, int]) -> str:
    """What passes, such as "12 memories and 1 conversation"; what is not there is not told."""
    told = [pluralize(counts[kind], *words) for kind, words in KIND_NOUNS.items() if counts.get(kind)]
    return f"{', '.join(told[:-1])} and {told[-1]}" if len(told) > 1 else "".join(told) or "nothing"


def merge_rows(found: Sequence[Merge]) -> list[MergeRow]:
    """Of two merges of the same two, the last one goes back first."""
    pairs = {(merge.space_id, merge.person_id) for merge in found}
    spaces, people = {space for space, _ in pairs}, {person for _, person in pairs}
    rows = Merge.objects.filter(space_id__in=spaces, person_id__in=people, undone_at=None).order_by("at", "id")
    last: dict[tuple[UUID, UUID], UUID] = {
        (space, person): id for space, person, id in rows.values_list("space_id", "person_id", "id")
    }
    return [_row(merge, last.get((merge.space_id, merge.person_id)) == merge.id) for merge in found]


def _row(merge: Merge, is_last: bool) -> MergeRow:
    not_undone = merge.undone_at is None
    return MergeRow(
        merge=merge,
        person=merge.person,
        into=merge.space.owner,
        transferred=describe_transfer(merge.counts),
        until=merge.at + UNDO_PERIOD,
        can_be_undone=not_undone and is_last,
        blocked=not_undone and not is_last,
    )


@require_safe
@with_viewer
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    require_super_user(viewer)
    listing = list_merges(request.GET.get("page"), timezone.now())
    if wants_json(request):
        return JsonResponse(
            {"items": [merge_json(row) for row in listing.rows], "total": listing.total, "page": listing.number,
             "pages": listing.pages, "next": listing.older or None}
        )  # fmt: skip
    return render(request, "dashboard/merges.html", {"viewer": viewer, "listing": listing})


@require_http_methods(["GET", "HEAD", "POST"])
@with_viewer
def merge_person(request: SignedInRequest, viewer: Viewer, person_id: UUID) -> HttpResponse:
    """Asks into whom, tells what that would do, and does it when told to."""
    require_super_user(viewer)
    person = find_person(viewer, person_id)
    name = (request.POST if request.method == "POST" else request.GET).get("into", "").replace("\x00", "").strip()
    context: dict[str, object] = {"viewer": viewer, "person": person, "name": name}
    try:
        into = _find_other(person, name) if name or request.method == "POST" else None
    except Invalid as error:
        return render(request, "dashboard/merge_person.html", context | {"error": error}, status=422)
    if into is None:
        return render(request, "dashboard/merge_person.html", context)
    source = resolve_venue(person=person.name, create=False)
    if request.method == "POST":
        return _merge(request, viewer, source, into)
    passing = preview_merge(person=source, into=into)
    if wants_json(request):
        told = {"person": person.name, "into": name, "counts": passing.counts, "staying": passing.staying}
        return JsonResponse(told)
    context |= {"into": into.person, "passing": passing, "passed": describe_transfer(passing.counts)}
    return render(request, "dashboard/merge_person.html", context)


@require_POST
@with_viewer
def undo_merge(request: SignedInRequest, viewer: Viewer, merge_id: UUID) -> HttpResponse:
    """For whom the memories passed to, too: who they were merged with was not asked of them."""
    merge = own_merges(viewer).filter(id=merge_id).first()
    if merge is None:
        raise NotFound
    source, into = (resolve_venue(person=one.name, create=False) for one in (merge.person, merge.space.owner))
    try:
        unmerge_people(person=source, into=into, author=viewer.author(), now=timezone.now(), merge_id=merge_id)
        show_message(request, f"Taken back. What {into.person} had of {source.person} is {source.person}’s again.")
    except (ConflictError, NotFound) as error:
        show_warning(request, str(error))
    return redirect_back(request, reverse("merges" if viewer.is_super_user else "recent"))


def _find_other(person: Person, name: str) -> VenueContext:
    """Whom a name means. Nobody comes into being here: a name that is mistyped would take everything along."""
    if not name:
        raise Invalid("into", "Name whom to merge this person into.")
    if name == person.name:
        raise Invalid("into", "Name another person to merge this one into.")
    try:
        return resolve_venue(person=name, create=False)
    except NotFound as error:
        raise Invalid("into", str(error)) from error


def _merge(request: SignedInRequest, viewer: Viewer, source: VenueContext, into: VenueContext) -> HttpResponse:
    merge = merge_people(person=source, into=into, author=viewer.author(), now=timezone.now())
    show_message(request, f"Merged: {describe_transfer(merge.counts)} of {source.person} passed to {into.person}.")
    return redirect("merges")
