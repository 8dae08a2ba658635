"""`/notes/`: daily notes, read, searched, corrected, forgotten and brought back."""

from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from dashboard.access import Asked, signed_in
from dashboard.answer import back, say, wants_json
from dashboard.notes import NotesAsked, as_json, list_notes
from dashboard.reach import RESTORABLE_FOR, Reach
from memory_app.engine.notes.change_note import delete_note, edit_note, restore_note


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    listing = list_notes(reach, NotesAsked.read(request.path, request.GET), request.GET.get("page"))
    if wants_json(request):
        return JsonResponse(as_json(listing))
    part = "#results" if request.htmx.target == "results" else ""
    context = {"reach": reach, "listing": listing, "days": RESTORABLE_FOR.days}
    return render(request, f"dashboard/notes.html{part}", context)


@require_POST
@signed_in
def correct(request: Asked, reach: Reach, note_id: UUID) -> HttpResponse:
    """Gives a note another text; the one before is kept among the forgotten ones."""
    note = reach.find_note(note_id)
    text = request.POST.get("text", "").replace("\x00", "").replace("\r\n", "\n")
    edit_note(home=note.space_id, note=note.id, text=text, author=reach.author(), now=timezone.now())
    say(request, "Corrected. What it said before is under Forgotten.")
    return back(request, reverse("notes"))


@require_POST
@signed_in
def forget(request: Asked, reach: Reach, note_id: UUID) -> HttpResponse:
    note = reach.find_note(note_id)
    delete_note(home=note.space_id, note=note.id, author=reach.author(), now=timezone.now())
    say(request, "Forgot a note. It can be brought back from Forgotten.")
    return back(request, reverse("notes"))


@require_POST
@signed_in
def restore(request: Asked, reach: Reach, note_id: UUID) -> HttpResponse:
    note = reach.find_note(note_id, deleted=True)
    restore_note(home=note.space_id, note=note.id, author=reach.author(), now=timezone.now())
    say(request, "Brought back a note.")
    return back(request, reverse("notes"))
