"""`/recent/`: what was taken away or changed in the last day, each with a way back."""

from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from dashboard.access import Asked, signed_in
from dashboard.answer import back, say, wants_json, warn
from dashboard.entities_listed import seen_by
from dashboard.reach import Reach
from dashboard.recent import MOST_AT_ONCE, act_of, as_json, made_by, recent, undoable
from dashboard.recent_names import name_act
from dashboard.views.undo import told_undone
from memory_app.engine.forgetting.undo import undo
from memory_app.engine.naming.undo_naming import undo_naming

CHANGED = "There was nothing left to undo: the names were changed since."


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    listing = recent(reach, request.GET.get("page"), timezone.now())
    if wants_json(request):
        return JsonResponse(as_json(listing))
    return render(request, "dashboard/recent.html", {"reach": reach, "listing": listing})


@require_POST
@signed_in
def undo_act(request: Asked, reach: Reach, operation_id: UUID) -> HttpResponse:
    """Takes back all that was done together with one operation; what changed since stays as it is."""
    now = timezone.now()
    operations = undoable(reach, act_of(reach, operation_id, now))
    all_of_it = [*operations, *made_by(reach, operations)]
    undone = undo(operations=all_of_it, grant=reach.grant, author=reach.author(), now=now)
    if undone.number:
        say(request, told_undone(undone))
    else:
        warn(request, "There was nothing left to undo.")
    if len(operations) == MOST_AT_ONCE:
        warn(request, f"At most {MOST_AT_ONCE} go at once: press again for the rest.")
    return back(request, reverse("recent"))


@require_POST
@signed_in
def undo_names(request: Asked, reach: Reach, operation_id: UUID) -> HttpResponse:
    """Takes back that names were merged or parted, at every level where that was done."""
    now, seen, author = timezone.now(), seen_by(reach), reach.author()
    undone = [
        undo_naming(seen=seen, person=operation.person_id, operation=operation, author=author, now=now)
        for operation in name_act(reach, operation_id, now)
        if operation.person_id
    ]
    if any(undone):
        say(request, "Undone: the names are as they were.")
    else:
        warn(request, CHANGED)
    return back(request, reverse("recent"))
