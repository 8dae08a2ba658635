"""`/fading/`: what fades when, and keeping it for good by one click."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from dashboard.access import Asked, signed_in
from dashboard.answer import back, say, uuids, wants_json, warn
from dashboard.fading import forecast
from dashboard.listing import memory_json
from dashboard.reach import Reach, at
from dashboard.words import count
from memory_app.engine.edit import confirm


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    now = timezone.now()
    told = forecast(reach, request.path, request.GET, now)
    if wants_json(request):
        items = [
            {**memory_json(item.memory, now, masked=item.memory.sensitive), "fades_on": item.on.isoformat()}
            for item in told.items
        ]
        weeks = [{"start": week.start.isoformat(), "number": week.number} for week in told.weeks]
        return JsonResponse(
            {"items": items, "total": told.total, "in_30": told.in_30, "in_90": told.in_90, "weeks": weeks,
             "rate": told.factor, "page": told.number, "pages": told.pages, "next": told.older or None}
        )  # fmt: skip
    return render(request, "dashboard/fading.html", {"reach": reach, "now": now, "forecast": told})


@require_POST
@signed_in
def keep_chosen(request: Asked, reach: Reach) -> HttpResponse:
    """Confirms the memories that were ticked, or the one whose button was pressed: they never fade."""
    author, now = reach.author(), timezone.now()
    wanted = request.POST.getlist("only") or request.POST.getlist("memory")
    chosen = reach.writable(reach.own().kept()).filter(id__in=uuids(wanted))
    kept = len([confirm(at=at(memory), author=author, now=now) for memory in chosen])
    if kept:
        say(request, f"Kept {count(kept, 'memory', 'memories')} for good.")
    else:
        warn(request, "Tick the memories to keep first.")
    return back(request, reverse("fading"))
