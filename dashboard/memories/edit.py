"""`/memories/{id}/edit/` and `/correct/`: change a memory, or put a true one in the place of a wrong one."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from dashboard.access import SignedInRequest, with_viewer
from dashboard.diff import diff_words
from dashboard.forms import CorrectForm, MemoryForm
from dashboard.masking import is_masked
from dashboard.responses import show_message
from dashboard.viewer import Viewer, memory_ref
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.memories.edit import correct, edit
from memory_app.errors import ChangedMeanwhile, KeepsakeError, NotFound
from memory_app.models import Memory

form_methods = require_http_methods(["GET", "HEAD", "POST"])


@form_methods
@with_viewer
def edit_memory(request: SignedInRequest, viewer: Viewer, memory_id: UUID) -> HttpResponse:
    memory = _editable(viewer, memory_id)
    if is_masked(request, memory, timezone.now()):
        return render(request, "dashboard/masked_memory.html", {"viewer": viewer, "memory": memory})
    form = MemoryForm.of(memory, request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _edit_page(request, viewer, memory, form)
    try:
        edited = edit(
            at=memory_ref(memory),
            changes=form.changes,
            author=viewer.author(),
            now=timezone.now(),
            encoder=current_encoder(),
            version=form.cleaned_data["version"],
        )
    except ChangedMeanwhile:
        return _edit_page(request, viewer, memory, _rebase(form, memory), meanwhile=True)
    except KeepsakeError as error:
        form.add_error(None, str(error))
        return _edit_page(request, viewer, memory, form)
    show_message(
        request, "Saved." if edited.version != memory.version else "Nothing was different, so nothing was saved."
    )
    return redirect("memory", memory_id)


@form_methods
@with_viewer
def correct_memory(request: SignedInRequest, viewer: Viewer, memory_id: UUID) -> HttpResponse:
    memory = _editable(viewer, memory_id)
    form = CorrectForm(request.POST or None)
    masked = is_masked(request, memory, timezone.now())
    context = {"viewer": viewer, "memory": memory, "form": form, "masked": masked}
    if not form.is_valid():
        return render(request, "dashboard/correct_memory.html", context, status=422 if form.is_bound else 200)
    try:
        new = correct(
            venue_context=viewer.owner(memory),
            at=memory_ref(memory),
            content=form.cleaned_data["content"],
            author=viewer.author(),
            now=timezone.now(),
            encoder=current_encoder(),
        )
    except KeepsakeError as error:
        form.add_error(None, str(error))
        return render(request, "dashboard/correct_memory.html", context, status=error.status)
    show_message(request, "Corrected. This memory now stands; the old one is kept in its history.")
    return redirect("memory", new.id)


def _editable(viewer: Viewer, memory_id: UUID) -> Memory:
    memory = viewer.find_own_memory(memory_id)
    if memory.deleted_at is not None:
        raise NotFound
    return memory


def _edit_page(
    request: SignedInRequest, viewer: Viewer, memory: Memory, form: MemoryForm, *, meanwhile: bool = False
) -> HttpResponse:
    context = {"viewer": viewer, "memory": memory, "form": form, "meanwhile": meanwhile}
    if meanwhile:
        context["difference"] = diff_words(memory.content, form.cleaned_data["content"])
    status = 409 if meanwhile else 422 if form.is_bound else 200
    return render(request, "dashboard/edit_memory.html", context, status=status)


def _rebase(form: MemoryForm, memory: Memory) -> MemoryForm:
    """The form with all that was typed, to be saved over the version that is there now."""
    form.data = {**dict(form.data.items()), "version": str(memory.version)}
    return form
