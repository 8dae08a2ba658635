"""`/memories/{id}/edit/` and `correct/`: change a memory, or replace a wrong one by a true one."""

from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from dashboard.access import SignedInRequest, form_view
from dashboard.diff import diff_words
from dashboard.forms import (
    MAX_CONTENT_LENGTH,
    MAX_WORD_LENGTH,
    CommaSeparatedField,
    LocalDateTimeField,
    NormalizedTextField,
    TextChangesForm,
)
from dashboard.masking import is_masked
from dashboard.responses import show_message
from dashboard.viewer import Viewer, memory_ref
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.memories.edit import correct, edit
from memory_app.errors import ChangedMeanwhile, KeepsakeError, NotFound
from memory_app.models import Memory


class MemoryForm(TextChangesForm):
    """All that a person may edit. version: the one they saw."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    key = forms.CharField(label="Slot", max_length=MAX_WORD_LENGTH, required=False)
    keywords = CommaSeparatedField(required=False)
    tags = CommaSeparatedField(required=False)
    event_time = LocalDateTimeField(label="When it happened", required=False)
    expires_at = LocalDateTimeField(label="Forget it after", required=False)

    @classmethod
    def of(cls, memory: Memory, data: Any = None) -> "MemoryForm":
        return cls(data, initial={name: getattr(memory, name) for name in cls.base_fields})


class CorrectForm(forms.Form):
    """The memory that replaces a wrong one."""

    content = NormalizedTextField(
        label="What is true instead", max_length=MAX_CONTENT_LENGTH, widget=forms.Textarea(attrs={"rows": 5})
    )


@form_view
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


@form_view
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
    """The form with all that was typed, to be saved over the current version."""
    form.data = {**dict(form.data.items()), "version": str(memory.version)}
    return form
