"""`/memories/`: the list, searched and filtered by its URL, and forgetting several at once."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from dashboard.access import Asked, signed_in
from dashboard.answer import back, say, uuids, wants_json, warn
from dashboard.filters import Filters
from dashboard.lately import lately
from dashboard.listing import as_json, list_memories
from dashboard.reach import Reach
from dashboard.words import count
from memory_app.engine.forgetting.forget import forget_all


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    now = timezone.now()
    filters = Filters.read(request.path, request.GET)
    listing = list_memories(reach, filters.standing(reach.kept(), now), filters, now)
    if wants_json(request):
        return JsonResponse(as_json(listing, now))
    part = "#results" if request.htmx.target == "results" else ""
    context = {"reach": reach, "now": now, "listing": listing, "filters": filters}
    if not part:
        context["deeds"] = [deed for deed in lately(reach, only="forget") if deed.undo][:3]
    return render(request, f"dashboard/memories.html{part}", context)


@require_POST
@signed_in
def forget_chosen(request: Asked, reach: Reach) -> HttpResponse:
    """Forgets the memories that were ticked; those that are not there, or not one's own, are passed over."""
    author, now = reach.author(), timezone.now()
    chosen = reach.own().kept().filter(id__in=uuids(request.POST.getlist("memory")))
    forgotten = len(forget_all(memories=chosen, author=author, now=now))
    if forgotten:
        say(request, f"Forgot {count(forgotten, 'memory', 'memories')}.", undo=author.request)
    else:
        warn(request, "Tick the memories to forget first.")
    return back(request, reverse("memories"))
