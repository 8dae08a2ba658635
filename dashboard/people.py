"""`/people/`: everyone whose memories are stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Count, Max, Q, QuerySet
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view
from dashboard.lists import Pagination, pagination_fields
from dashboard.responses import clean_text, fields_json, wants_json
from dashboard.viewer import Viewer, get_row
from memory_app.engine.people.settings import SETTINGS
from memory_app.models import Person

PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class PersonRow:
    """One person of the list, with what is kept of them."""

    person: Person
    kept: int
    waiting: int
    latest: datetime | None


@dataclass(frozen=True, slots=True)
class PersonListing(Pagination):
    rows: Sequence[PersonRow]
    query: str


def list_people(viewer: Viewer, query: str, page: str | None, now: datetime) -> PersonListing:
    """Everyone for a super user, by name; else the viewer alone."""
    query = clean_text(query).strip()[:200]
    found = _visible_people(viewer)
    if query:
        found = found.filter(Q(name__icontains=query) | Q(display_name__icontains=query))
    shown = Paginator(found.order_by("name"), PAGE_SIZE).get_page(page)
    rows = _rows(viewer, list(shown.object_list), now)
    return PersonListing(rows, query, **pagination_fields(shown, q=query))


def find_person(viewer: Viewer, person: UUID) -> Person:
    """A person whose page may be read and whose settings changed. Raises NotFound."""
    return get_row(_visible_people(viewer), person)


def person_json(person: Person) -> dict[str, Any]:
    """A person's settings, in the words of the API."""
    names = ("id", *SETTINGS, "created_at")
    return {"person": person.name, **fields_json(person, *names)}


def _visible_people(viewer: Viewer) -> QuerySet[Person]:
    if viewer.is_super_user:
        return Person.objects.all()
    return Person.objects.filter(id=viewer.person.id) if viewer.person else Person.objects.none()


def _rows(viewer: Viewer, found: Sequence[Person], now: datetime) -> list[PersonRow]:
    """The numbers of a page in two statements, however many people it has."""
    ids = [person.id for person in found]
    own = viewer.own_memories().undeleted().filter(person_id__in=ids).order_by().values_list("person_id")
    kept = {person: (number, latest) for person, number, latest in own.annotate(n=Count("id"), at=Max("created_at"))}
    proposals = viewer.proposals().waiting(now).filter(person_id__in=ids).order_by()
    waiting = dict(proposals.values_list("person_id").annotate(n=Count("id")))
    return [
        PersonRow(
            person, kept.get(person.id, (0, None))[0], waiting.get(person.id, 0), kept.get(person.id, (0, None))[1]
        )
        for person in found
    ]


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    listing = list_people(viewer, request.GET.get("q", ""), request.GET.get("page"), timezone.now())
    if wants_json(request):
        items = [
            {**person_json(row.person), "memories": row.kept, "proposals_pending": row.waiting, "latest": row.latest}
            for row in listing.rows
        ]
        return JsonResponse({"items": items, **listing.pagination_json()})
    return render(request, "dashboard/people.html", {"viewer": viewer, "listing": listing})
