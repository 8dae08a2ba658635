"""`/memories/{id}/edit/` and `/correct/`: change a memory, or put a true one in the place of a wrong one."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from dashboard.access import Asked, signed_in
from dashboard.answer import say
from dashboard.compare import word_diff
from dashboard.forms import CorrectForm, MemoryForm
from dashboard.reach import Reach, at
from dashboard.sensitive import is_masked
from memory_app.embedding.encoder import current
from memory_app.engine.edit import correct, edit
from memory_app.errors import KeepsakeError, NotFound, Stale
from memory_app.models import Memory

either = require_http_methods(["GET", "HEAD", "POST"])


@either
@signed_in
def edit_memory(request: Asked, reach: Reach, memory_id: UUID) -> HttpResponse:
    memory = _editable(reach, memory_id)
    if is_masked(request, memory, timezone.now()):
        return render(request, "dashboard/masked.html", {"reach": reach, "memory": memory})
    form = MemoryForm.of(memory, request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _edit_page(request, reach, memory, form)
    try:
        edited = edit(
            at=at(memory),
            changes=form.changes,
            author=reach.author(),
            now=timezone.now(),
            encoder=current(),
            version=form.cleaned_data["version"],
        )
    except Stale:
        return _edit_page(request, reach, memory, _rebased(form, memory), meanwhile=True)
    except KeepsakeError as error:
        form.add_error(None, str(error))
        return _edit_page(request, reach, memory, form)
    say(request, "Saved." if edited.version != memory.version else "Nothing was different, so nothing was saved.")
    return redirect("memory", memory_id)


@either
@signed_in
def correct_memory(request: Asked, reach: Reach, memory_id: UUID) -> HttpResponse:
    memory = _editable(reach, memory_id)
    form = CorrectForm(request.POST or None)
    masked = is_masked(request, memory, timezone.now())
    context = {"reach": reach, "memory": memory, "form": form, "masked": masked}
    if not form.is_valid():
        return render(request, "dashboard/correct.html", context, status=422 if form.is_bound else 200)
    try:
        new = correct(
            entered=reach.owner(memory),
            at=at(memory),
            content=form.cleaned_data["content"],
            author=reach.author(),
            now=timezone.now(),
            encoder=current(),
        )
    except KeepsakeError as error:
        form.add_error(None, str(error))
        return render(request, "dashboard/correct.html", context, status=error.status)
    say(request, "Corrected. This memory now stands; the old one is kept in its history.")
    return redirect("memory", new.id)


def _editable(reach: Reach, memory_id: UUID) -> Memory:
    memory = reach.find_own(memory_id)
    if memory.deleted_at is not None:
        raise NotFound
    return memory


def _edit_page(
    request: Asked, reach: Reach, memory: Memory, form: MemoryForm, *, meanwhile: bool = False
) -> HttpResponse:
    context = {"reach": reach, "memory": memory, "form": form, "meanwhile": meanwhile}
    if meanwhile:
        context["difference"] = word_diff(memory.content, form.cleaned_data["content"])
    status = 409 if meanwhile else 422 if form.is_bound else 200
    return render(request, "dashboard/edit.html", context, status=status)


def _rebased(form: MemoryForm, memory: Memory) -> MemoryForm:
    """The form with all that was typed, to be saved over the version that is there now."""
    form.data = {**dict(form.data.items()), "version": str(memory.version)}
    return form
