"""`/people/merges/` and `/people/{id}/merge/`: who was merged into whom, and the way back; and a merge, previewed. For
super users."""

from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.access import Asked, only_super, signed_in
from dashboard.answer import back, say, wants_json, warn
from dashboard.merges import merge_json, merges, own_merges, passed
from dashboard.people import find_person
from dashboard.reach import Reach
from memory_app.engine.enter import Entered, enter
from memory_app.engine.passing.merge_people import merge_people
from memory_app.engine.passing.unmerge_people import unmerge_people
from memory_app.engine.passing.what_passes import what_passes
from memory_app.errors import InConflict, Invalid, NotFound
from memory_app.models import Person


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    only_super(reach)
    listing = merges(request.GET.get("page"), timezone.now())
    if wants_json(request):
        return JsonResponse(
            {"items": [merge_json(row) for row in listing.rows], "total": listing.total, "page": listing.number,
             "pages": listing.pages, "next": listing.older or None}
        )  # fmt: skip
    return render(request, "dashboard/merges.html", {"reach": reach, "listing": listing})


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def merge_person(request: Asked, reach: Reach, person_id: UUID) -> HttpResponse:
    """Asks into whom, tells what that would do, and does it when told to."""
    only_super(reach)
    person = find_person(reach, person_id)
    name = (request.POST if request.method == "POST" else request.GET).get("into", "").replace("\x00", "").strip()
    context: dict[str, object] = {"reach": reach, "person": person, "name": name}
    try:
        into = _other(person, name) if name or request.method == "POST" else None
    except Invalid as error:
        return render(request, "dashboard/merge.html", context | {"error": error}, status=422)
    if into is None:
        return render(request, "dashboard/merge.html", context)
    of = enter(person=person.name, create=False)
    if request.method == "POST":
        return _merged(request, reach, of, into)
    passing = what_passes(person=of, into=into)
    if wants_json(request):
        told = {"person": person.name, "into": name, "counts": passing.counts, "staying": passing.staying}
        return JsonResponse(told)
    context |= {"into": into.person, "passing": passing, "passed": passed(passing.counts)}
    return render(request, "dashboard/merge.html", context)


@require_POST
@signed_in
def undo_merge(request: Asked, reach: Reach, merge_id: UUID) -> HttpResponse:
    """For whom the memories passed to, too: who they were merged with was not asked of them."""
    merge = own_merges(reach).filter(id=merge_id).first()
    if merge is None:
        raise NotFound
    of, into = (enter(person=one.name, create=False) for one in (merge.person, merge.space.owner))
    try:
        unmerge_people(person=of, into=into, author=reach.author(), now=timezone.now(), merge_id=merge_id)
        say(request, f"Taken back. What {into.person} had of {of.person} is {of.person}’s again.")
    except (InConflict, NotFound) as error:
        warn(request, str(error))
    return back(request, reverse("merges" if reach.everyone else "recent"))


def _other(person: Person, name: str) -> Entered:
    """Whom a name means. Nobody comes into being here: a name that is mistyped would take everything along."""
    if not name:
        raise Invalid("into", "Name whom to merge this person into.")
    if name == person.name:
        raise Invalid("into", "Name another person to merge this one into.")
    try:
        return enter(person=name, create=False)
    except NotFound as error:
        raise Invalid("into", str(error)) from error


def _merged(request: Asked, reach: Reach, of: Entered, into: Entered) -> HttpResponse:
    merge = merge_people(person=of, into=into, author=reach.author(), now=timezone.now())
    say(request, f"Merged: {passed(merge.counts)} of {of.person} passed to {into.person}.")
    return redirect("merges")
