"""`/memories/{id}/erase/`: erase a memory for good, after its first word is typed and one has signed in again; and
`/erasures/{id}/`, the receipt. For super users."""

from uuid import UUID

from allauth.core.ratelimit import consume
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from memory_app.api.erasures import shown_erasure
from memory_app.engine.erase import erase
from memory_app.engine.proof import is_genuine, remains
from memory_app.errors import NotFound
from memory_app.jobs import purge_soon
from memory_app.models import Erasure, Memory

from ..access import Asked, signed_in
from ..answer import wants_json
from ..erasing import EraseForm
from ..reach import Reach, at
from ..sensitive import is_masked

TOO_MANY = "Too many tries. Wait a minute, then try again."


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def erase_memory(request: Asked, reach: Reach, memory_id: UUID) -> HttpResponse:
    _only_super(reach)
    memory = reach.find_own(memory_id)
    now = timezone.now()
    if is_masked(request, memory, now):
        return _form(request, reach, memory, None)
    form = EraseForm(request.POST or None, user=request.user, summary=memory.summary)
    if request.method != "POST":
        return _form(request, reach, memory, form)
    if not consume(request, action="reauthenticate", user=request.user):
        form.add_error(None, TOO_MANY)
    if not form.is_valid():
        return _form(request, reach, memory, form, status=422)
    author = reach.author()
    erasure = erase(at=at(memory), author=author, now=now)
    purge_soon(author.label)
    return redirect("erasure", erasure.id)


@require_safe
@signed_in
def show_erasure(request: Asked, reach: Reach, erasure_id: UUID) -> HttpResponse:
    _only_super(reach)
    erasure = Erasure.objects.filter(id=erasure_id).first()
    if erasure is None:
        raise NotFound
    if wants_json(request):
        return JsonResponse(shown_erasure(erasure).model_dump(mode="json"))
    context = {"reach": reach, "erasure": erasure, "genuine": is_genuine(erasure), "remains": remains(erasure)}
    return render(request, "dashboard/erasure.html", context)


def _form(request: Asked, reach: Reach, memory: Memory, form: EraseForm | None, status: int = 200) -> HttpResponse:
    context = {"reach": reach, "memory": memory, "form": form}
    return render(request, "dashboard/erase.html", context, status=status)


def _only_super(reach: Reach) -> None:
    if not reach.everyone:
        raise NotFound
