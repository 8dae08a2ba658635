"""`/notes/`: daily notes, read, searched, corrected, forgotten and brought back."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view, post_view, requested_part
from dashboard.lists import MAX_QUERY_LENGTH, Pagination, pagination_fields
from dashboard.responses import clean_text, fields_json, page_or_json, redirect_back, show_message
from dashboard.viewer import RESTORABLE_FOR, Viewer
from memory_app.engine.summaries.daily_note import current_notes
from memory_app.engine.summaries.notes import delete_note, edit_note, restore_note
from memory_app.models import Note
from memory_app.nlp.privacy.sensitive import mask_sensitive

PAGE_SIZE = 30
TIER_LABELS = {"active": "Kept", "deleted": "Forgotten"}


@dataclass(frozen=True, slots=True)
class TierFilters:
    """What the URL asks. tier: one of TIER_LABELS."""

    path: str
    query: str = ""
    tier: str = "active"

    @classmethod
    def read(cls, path: str, url: QueryDict) -> "TierFilters":
        """From a query string. What means nothing there is ignored."""
        tier = url.get("tier", "")
        query = clean_text(url.get("q", ""), MAX_QUERY_LENGTH).strip()
        return cls(path, query, tier if tier in TIER_LABELS else "active")

    @property
    def deleted(self) -> bool:
        return self.tier == "deleted"

    @property
    def tabs(self) -> Sequence[tuple[str, str, bool]]:
        """Of each tier: its address, its label, and whether it is the one shown."""
        filters = {"q": self.query} if self.query else {}
        return [(f"{self.path}?{urlencode({**filters, 'tier': tier})}", label, tier == self.tier)
                for tier, label in TIER_LABELS.items()]  # fmt: skip


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A note as it is shown: without what was forgotten since, and with what is sensitive masked."""

    note: Note
    text: str

    @property
    def correctable(self) -> bool:
        """Whether all of it is shown: nobody corrects a text without reading it."""
        return self.text == self.note.text


@dataclass(frozen=True, slots=True)
class NoteListing(Pagination):
    filters: TierFilters
    rows: Sequence[NoteRow]


def list_notes(viewer: Viewer, filters: TierFilters, page: str | None) -> NoteListing:
    """The page asked for, the latest day first."""
    rows = viewer.notes()
    rows = rows.deleted() if filters.deleted else rows.undeleted()
    if filters.query:
        rows = rows.filter(text__icontains=filters.query)
    found = Paginator(rows.order_by("-date", "-created_at", "-id"), PAGE_SIZE).get_page(page)
    pairs = [("tier", "deleted")] if filters.deleted else []
    return NoteListing(
        filters=filters,
        rows=_note_rows(list(found.object_list)),
        **pagination_fields(found, pairs, path=filters.path, q=filters.query),
    )


def as_json(listing: NoteListing) -> dict[str, Any]:
    names = ("id", "date", "author", "created_at", "deleted_at")
    items = [
        {"person": row.note.person.name, "text": row.text, **fields_json(row.note, *names)} for row in listing.rows
    ]
    return {"items": items, **listing.pagination_json()}


def note_row(note: Note) -> NoteRow | None:
    """One note as it is shown; None where all that it copied was forgotten."""
    return next(iter(_note_rows([note])), None)


def _note_rows(notes: Sequence[Note]) -> list[NoteRow]:
    """A super user has notes of several people; what was forgotten is looked up person by person."""
    rows_by_id: dict[Any, NoteRow] = {}
    by_person = sorted(notes, key=lambda note: note.person_id)
    for _, own in groupby(by_person, key=lambda note: note.person_id):
        rows_by_id |= {one.note.id: NoteRow(one.note, mask_sensitive(one.text)) for one in current_notes(list(own))}
    return [rows_by_id[note.id] for note in notes if note.id in rows_by_id]


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    listing = list_notes(viewer, TierFilters.read(request.path, request.GET), request.GET.get("page"))
    part = requested_part(request, "results")
    context = {"viewer": viewer, "listing": listing, "days": RESTORABLE_FOR.days}
    return page_or_json(request, f"notes.html{part}", context, lambda: as_json(listing))


@post_view
def correct(request: SignedInRequest, viewer: Viewer, note_id: UUID) -> HttpResponse:
    """Gives a note another text; the text before is kept among the forgotten notes."""
    note = viewer.find_note(note_id)
    text = clean_text(request.POST.get("text", "")).replace("\r\n", "\n")
    edit_note(home=note.space_id, note=note.id, text=text, author=viewer.author(), now=timezone.now())
    show_message(request, "Corrected. What it said before is under Forgotten.")
    return redirect_back(request, reverse("notes"))


@post_view
def forget(request: SignedInRequest, viewer: Viewer, note_id: UUID) -> HttpResponse:
    note = viewer.find_note(note_id)
    delete_note(home=note.space_id, note=note.id, author=viewer.author(), now=timezone.now())
    show_message(request, "Forgot a note. It can be brought back from Forgotten.")
    return redirect_back(request, reverse("notes"))


@post_view
def restore(request: SignedInRequest, viewer: Viewer, note_id: UUID) -> HttpResponse:
    note = viewer.find_note(note_id, deleted=True)
    restore_note(home=note.space_id, note=note.id, author=viewer.author(), now=timezone.now())
    show_message(request, "Brought back a note.")
    return redirect_back(request, reverse("notes"))
