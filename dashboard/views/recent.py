"""`/recent/`: what was taken away or changed in the last day, each with a way back."""

from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from memory_app.engine.forgetting.undo import undo

from ..access import Asked, signed_in
from ..answer import back, say, wants_json, warn
from ..reach import Reach
from ..recent import MOST_AT_ONCE, act_json, act_of, made_by, recent, undoable
from .undo import told_undone


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    listing = recent(reach, request.GET.get("page"), timezone.now())
    if wants_json(request):
        return JsonResponse(
            {"items": [act_json(act) for act in listing.acts], "total": listing.total, "page": listing.number,
             "pages": listing.pages, "next": listing.older or None}
        )  # fmt: skip
    return render(request, "dashboard/recent.html", {"reach": reach, "listing": listing})


@require_POST
@signed_in
def undo_act(request: Asked, reach: Reach, operation_id: UUID) -> HttpResponse:
    """Takes back all that was done together with one operation; what changed since stays as it is."""
    now = timezone.now()
    operations = undoable(reach, act_of(reach, operation_id, now))
    undone = undo(operations=[*operations, *made_by(reach, operations)], author=reach.author(), now=now)
    if undone.number:
        say(request, told_undone(undone))
    else:
        warn(request, "There was nothing left to undo.")
    if len(operations) == MOST_AT_ONCE:
        warn(request, f"At most {MOST_AT_ONCE} go at once: press again for the rest.")
    return back(request, reverse("recent"))
