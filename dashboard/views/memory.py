"""`/memories/{id}/`: all there is to know of one memory, and what can be done to it by a button."""

from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from dashboard.access import Asked, signed_in
from dashboard.answer import back, say, wants_json
from dashboard.listing import memory_json
from dashboard.portrait import portrait
from dashboard.reach import Reach, at
from dashboard.sensitive import hide, is_masked, reveal
from memory_app.embedding.encoder import current
from memory_app.engine.edit import confirm
from memory_app.engine.forgetting.forget import forget
from memory_app.engine.forgetting.restore import restore
from memory_app.engine.revert import revert
from memory_app.errors import NotFound
from memory_app.models import Status

LONGEST_NUMBER = 9


@require_safe
@signed_in
def show(request: Asked, reach: Reach, memory_id: UUID) -> HttpResponse:
    now = timezone.now()
    memory = reach.find(memory_id)
    masked = is_masked(request, memory, now)
    if wants_json(request):
        return JsonResponse(memory_json(memory, now, masked=masked))
    part = "#history" if request.htmx.target == "history" else ""
    context = {"reach": reach, "now": now, "portrait": portrait(reach, memory, request.GET, now, masked=masked)}
    return render(request, f"dashboard/memory.html{part}", context)


@require_POST
@signed_in
def confirm_memory(request: Asked, reach: Reach, memory_id: UUID) -> HttpResponse:
    confirm(at=at(reach.find_own(memory_id)), author=reach.author(), now=timezone.now())
    say(request, "Confirmed. This memory is now kept for good.")
    return redirect("memory", memory_id)


@require_POST
@signed_in
def revert_memory(request: Asked, reach: Reach, memory_id: UUID) -> HttpResponse:
    """Makes it again what the version in `version` was; the version it was until now stays among the others."""
    memory, version = reach.find_own(memory_id), request.POST.get("version", "")
    if not version.isascii() or not version.isdigit() or len(version) > LONGEST_NUMBER:
        raise NotFound
    reverted = revert(at=at(memory), version=int(version), author=reach.author(), now=timezone.now(), encoder=current())
    if reverted.version == memory.version:
        say(request, f"Version {version} says the same, so nothing was changed.")
    else:
        say(request, f"It is as version {version} was again. This is version {reverted.version}.")
    return redirect("memory", memory_id)


@require_POST
@signed_in
def forget_memory(request: Asked, reach: Reach, memory_id: UUID) -> HttpResponse:
    author = reach.author()
    forget(at=at(reach.find_own(memory_id, removes=True)), author=author, now=timezone.now())
    say(request, "Forgotten. No assistant will recall this any more.", undo=author.request)
    return redirect("memory", memory_id)


@require_POST
@signed_in
def restore_memory(request: Asked, reach: Reach, memory_id: UUID) -> HttpResponse:
    back_again = restore(at=at(reach.find_forgotten(memory_id)), author=reach.author(), now=timezone.now())
    replaced = back_again.status == Status.SUPERSEDED
    say(request, "Brought back, as it was: replaced by what is newer." if replaced else "Brought back, as it was.")
    return back(request, reverse("memory", args=[memory_id]))


@require_POST
@signed_in
def reveal_memory(request: Asked, reach: Reach, memory_id: UUID) -> HttpResponse:
    """Shows a sensitive memory for some minutes, or hides it again."""
    memory, now = reach.find(memory_id), timezone.now()
    if "hide" in request.POST:
        hide(request, memory.id, now)
    else:
        reveal(request, memory.id, now)
    return back(request, reverse("memory", args=[memory_id]))
