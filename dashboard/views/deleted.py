"""`/deleted/`: tier 2, what was forgotten and can be brought back."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from memory_app.engine.forgetting.restore import restore

from ..access import Asked, signed_in
from ..answer import back, say, uuids, wants_json, warn
from ..forgotten import list_forgotten
from ..listing import as_json
from ..reach import RESTORABLE_FOR, Reach, at
from ..words import count


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
    """Brings back the memories that were ticked; those that are not there, or not one's own, are passed over."""
    author, now = reach.author(), timezone.now()
    chosen = reach.forgotten().filter(id__in=uuids(request.POST.getlist("memory")))
    restored = len([restore(at=at(memory), author=author, now=now) for memory in chosen])
    if restored:
        say(request, f"Brought back {count(restored, 'memory', 'memories')}.")
    else:
        warn(request, "Tick the memories to bring back first.")
    return back(request, reverse("deleted"))
