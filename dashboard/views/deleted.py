"""`/deleted/`: tier 2, what was forgotten and can be brought back."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_POST, require_safe

from dashboard.access import Asked, signed_in
from dashboard.answer import back, say, uuids, wants_json, warn
from dashboard.filters import Filters
from dashboard.forgotten import list_forgotten, matching
from dashboard.listing import as_json
from dashboard.reach import RESTORABLE_FOR, Reach
from dashboard.words import restored
from memory_app.engine.forgetting.restore import restore_all
from memory_app.models import Memory

MOST_AT_ONCE = 500
"""Memories that one press of the button brings back: each takes some milliseconds, and a person waits."""


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    now = timezone.now()
    listing = list_forgotten(reach, request.path, request.GET)
    if wants_json(request):
        return JsonResponse(as_json(listing, now))
    part = "#results" if request.htmx.target == "results" else ""
    return render(
        request,
        f"dashboard/deleted.html{part}",
        {"reach": reach, "now": now, "listing": listing, "days": RESTORABLE_FOR.days},
    )


@require_POST
@signed_in
def restore_chosen(request: Asked, reach: Reach) -> HttpResponse:
    """Brings back the memories that were ticked, or all that match; those that are not there, or not one's own, are
    passed over."""
    now, chosen = timezone.now(), _chosen(request, reach)
    if not chosen:
        warn(request, "Tick the memories to bring back first.")
        return back(request, reverse("deleted"))
    there = restore_all(memories=chosen, author=reach.author(), now=now)
    say(request, restored(there))
    if len(chosen) == MOST_AT_ONCE:
        warn(request, f"At most {MOST_AT_ONCE} go at once: press again for the rest.")
    return back(request, reverse("deleted"))


def _chosen(request: Asked, reach: Reach) -> list[Memory]:
    if "every" not in request.POST:
        ticked = uuids(request.POST.getlist("memory"))
        return list(reach.writable(reach.forgotten()).filter(id__in=ticked)[:MOST_AT_ONCE])
    filters = Filters.of_address(reverse("deleted"), request.POST.get("next", ""))
    rows = reach.writable(matching(reach, filters))
    # What was forgotten after the page was read was not seen by whoever pressed the button.
    seen = parse_datetime(request.POST.get("seen", "")) or timezone.now()
    return list(rows.filter(deleted_at__lte=seen).order_by("-deleted_at", "-id")[:MOST_AT_ONCE])
