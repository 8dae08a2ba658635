"""`/runs/{id}/`: what one reading of a conversation put up and kept, and taking all of it back."""

from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from dashboard.access import Asked, signed_in
from dashboard.answer import say, wants_json, warn
from dashboard.reach import Reach
from dashboard.runs import find_run, run_json, shown_run
from dashboard.views.undo import told_undone
from dashboard.words import count
from memory_app.engine.listening.undo_run import undo_run


@require_safe
@signed_in
def show(request: Asked, reach: Reach, run_id: UUID) -> HttpResponse:
    shown = shown_run(reach, find_run(reach, run_id))
    if wants_json(request):
        return JsonResponse(run_json(shown))
    return render(request, "dashboard/run.html", {"reach": reach, "now": timezone.now(), "shown": shown})


@require_POST
@signed_in
def undo_it(request: Asked, reach: Reach, run_id: UUID) -> HttpResponse:
    run = find_run(reach, run_id)
    undone, refused = undo_run(run=run, grant=reach.grant, author=reach.author(), now=timezone.now())
    if refused:
        say(request, f"{count(refused, 'proposal')} taken out of the inbox.")
    if undone.number:
        say(request, told_undone(undone))
    if not refused and not undone.number:
        warn(request, "There was nothing left to undo.")
    return redirect("run", run_id)
