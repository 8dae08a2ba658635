"""`/people/merges/` and `/people/{id}/merge/`: a merge of two people, previewed, made and undone. For super users."""

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

from dashboard.access import SignedInRequest, form_view, get_view, post_view, require_super_user
from dashboard.lists import Pagination, pagination_fields
from dashboard.people import find_person
from dashboard.responses import (
    clean_text,
    fields_json,
    page_or_json,
    redirect_back,
    show_message,
    show_warning,
    wants_json,
)
from dashboard.viewer import Viewer, get_row
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
    "items": ("item", ""),
    "documents": ("document", ""),
}
"""What a merge transfers, in the words of the page."""


@dataclass(frozen=True, slots=True)
class MergeRow:
    """One merge. blocked: whether a later merge must be undone before it."""

    merge: Merge
    person: Person
    into: Person
    transferred: str
    until: datetime
    can_be_undone: bool
    blocked: bool

    @property
    def title(self) -> str:
        return f"{self.person} merged into {self.into}"


@dataclass(frozen=True, slots=True)
class MergeListing(Pagination):
    rows: Sequence[MergeRow]


def list_merges(page: str | None, now: datetime) -> MergeListing:
    """Those that can be taken back, and those that were, the latest first."""
    found = Merge.objects.filter(at__gte=now - UNDO_PERIOD).select_related("person", "space__owner")
    shown = Paginator(found.order_by("-at", "-id"), PAGE_SIZE).get_page(page)
    return MergeListing(merge_rows(list(shown.object_list)), **pagination_fields(shown))


def undoable_merges(viewer: Viewer, now: datetime) -> list[MergeRow]:
    """The latest first: everyone's for a super user, else those into the viewer's own person."""
    found = own_merges(viewer).filter(undone_at=None, at__gte=now - UNDO_PERIOD)
    return merge_rows(list(found.order_by("-at", "-id")[:PAGE_SIZE]))


def own_merges(viewer: Viewer) -> QuerySet[Merge]:
    """Those that the viewer may undo, as long as that is possible."""
    rows = Merge.objects.select_related("person", "space__owner")
    if viewer.is_super_user:
        return rows
    return rows.filter(space_id=viewer.person.space_id) if viewer.person else rows.none()


def merge_json(row: MergeRow) -> dict[str, Any]:
    """A merge in the fields of the API, and whether it can be undone now."""
    return {
        **fields_json(row.merge, "id", "at", "by", "undone_at", "counts"),
        "person": row.person.name,
        "into": row.into.name,
        "undo_until": row.until,
        "can_be_undone": row.can_be_undone,
    }


def describe_transfer(counts: Mapping[str, int]) -> str:
    """What a merge transfers, such as "12 memories and 1 conversation"."""
    parts = [pluralize(counts[kind], *words) for kind, words in KIND_NOUNS.items() if counts.get(kind)]
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts) or "nothing"


def merge_rows(found: Sequence[Merge]) -> list[MergeRow]:
    """Of several merges of the same two people, only the last can be undone."""
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


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    require_super_user(viewer)
    listing = list_merges(request.GET.get("page"), timezone.now())
    return page_or_json(
        request,
        "merges.html",
        {"viewer": viewer, "listing": listing},
        lambda: {"items": [merge_json(row) for row in listing.rows], **listing.pagination_json()},
    )


@form_view
def merge_person(request: SignedInRequest, viewer: Viewer, person_id: UUID) -> HttpResponse:
    """Asks into whom, shows what that would do, and does it when that is confirmed."""
    require_super_user(viewer)
    person = find_person(viewer, person_id)
    name = clean_text((request.POST if request.method == "POST" else request.GET).get("into", "")).strip()
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
    preview = preview_merge(person=source, into=into)
    if wants_json(request):
        return JsonResponse({"person": person.name, "into": name, "counts": preview.counts, "staying": preview.staying})
    context |= {"into": into.person, "preview": preview, "transferred": describe_transfer(preview.counts)}
    return render(request, "dashboard/merge_person.html", context)


@post_view
def undo_merge(request: SignedInRequest, viewer: Viewer, merge_id: UUID) -> HttpResponse:
    """Whoever received the memories may do this too: they were not asked whether to merge."""
    merge = get_row(own_merges(viewer), merge_id)
    source, into = (resolve_venue(person=one.name, create=False) for one in (merge.person, merge.space.owner))
    try:
        unmerge_people(person=source, into=into, author=viewer.author(), now=timezone.now(), merge_id=merge_id)
        show_message(request, f"Taken back. What {into.person} had of {source.person} is {source.person}’s again.")
    except (ConflictError, NotFound) as error:
        show_warning(request, str(error))
    return redirect_back(request, reverse("merges" if viewer.is_super_user else "recent"))


def _find_other(person: Person, name: str) -> VenueContext:
    """The person of this name. None is created: a mistyped name would receive everything."""
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
