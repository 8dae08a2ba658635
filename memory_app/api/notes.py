"""/people/{person}/notes: daily notes, added, listed, corrected and forgotten."""

from collections.abc import Sequence
from datetime import date as Day
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from memory_app.api import fields
from memory_app.api.auth import admin_key, author_of, grant_of, key_of, read_key, write_key
from memory_app.api.fields import InputModel, PageQuery
from memory_app.api.idempotency import idempotent
from memory_app.api.pagination import Order, page
from memory_app.api.requests import expected_version
from memory_app.api.venue import existing_person
from memory_app.engine.summaries.daily_note import CurrentNote
from memory_app.engine.summaries.notes import (
    NoteFilters,
    add_note,
    delete_note,
    edit_note,
    find_any_note,
    find_note,
    list_notes,
    notes_of_day,
    restore_note,
    visible_notes,
)
from memory_app.engine.venue_context import resolve_venue
from memory_app.errors import ConflictError, NotAllowed
from memory_app.models import Scope
from memory_app.models.row_security import allowed_spaces
from memory_app.serializers import OutputModel, Page
from memory_app.serializers.memory import NoteOut, note_out

router = Router(tags=["daily notes"])

DELETED_NEED_ADMIN = (
    "Notes that were forgotten are listed for a key with the scope admin; their person finds them on the page /notes/."
)


class NoteIn(InputModel):
    text: fields.Content


class DayOut(OutputModel):
    person: str
    date: Day
    text: str
    notes: list[NoteOut]


class NotesQuery(PageQuery):
    q: fields.Query | None = None
    since: Day | None = None
    until: Day | None = None
    status: fields.NoteStatus = "active"

    @property
    def filters(self) -> NoteFilters:
        return NoteFilters((self.q or "").strip(), self.since, self.until, deleted=self.status == "deleted")


NotePage = Page[NoteOut]


@router.get("/people/{text:person}/notes", response=NotePage, auth=read_key)
def list_notes_of_person(request: HttpRequest, person: fields.Name, query: Query[NotesQuery]) -> NotePage:
    """Notes, the latest written first. `since` and `until` are days; `until` is not included.

    A digest that the nightly run added is listed without what was forgotten of the memories that it copies."""
    if query.status == "deleted" and not key_of(request).has(Scope.ADMIN):
        raise NotAllowed(DELETED_NEED_ADMIN)
    venue_context = existing_person(request, person)
    with allowed_spaces(venue_context.venue.spaces):
        rows = list_notes(venue_context, query.filters).defer("embedding", "tsv")
        found, following = page(rows, Order("created_at"), query.limit, query.cursor)
        shown_notes = visible_notes(found, query.filters)
    return NotePage(
        items=[note_out(one.note, venue_context.person.name, one.text) for one in shown_notes], next_cursor=following
    )


@router.patch("/people/{text:person}/notes/{entry}", response=NoteOut, auth=write_key)
def correct_note(request: HttpRequest, person: fields.Name, entry: UUID, payload: NoteIn) -> NoteOut:
    """Corrects a note. With `If-Match: "version"`, only if that is still the version."""
    venue_context = existing_person(request, person)
    note = edit_note(
        home=venue_context.venue.home,
        note=entry,
        text=payload.text,
        author=author_of(request),
        now=timezone.now(),
        version=expected_version(request),
    )
    return note_out(note, venue_context.person.name)


@router.delete("/people/{text:person}/notes/{entry}", response={204: None}, auth=write_key)
def forget_note(request: HttpRequest, person: fields.Name, entry: UUID) -> Status[None]:
    """Soft delete: hidden everywhere, and restorable by a super user."""
    home = existing_person(request, person).venue.home
    delete_note(home=home, note=entry, author=author_of(request), now=timezone.now())
    return Status(204, None)


@router.get("/people/{text:person}/notes/{entry}", response=DayOut | NoteOut, auth=read_key)
def read_notes(request: HttpRequest, person: fields.Name, entry: Day | UUID) -> DayOut | NoteOut:
    """The notes of a day, or one note by its id, without what was forgotten since."""
    venue_context = existing_person(request, person)
    if isinstance(entry, UUID):
        one = find_note(venue_context, entry)
        return note_out(one.note, venue_context.person.name, one.text)
    shown_notes = notes_of_day(venue_context, entry)
    notes_out = [note_out(one.note, venue_context.person.name, one.text) for one in shown_notes]
    return DayOut(person=person, date=entry, text=day_text(entry, shown_notes), notes=notes_out)


def day_text(day: Day, notes: Sequence[CurrentNote]) -> str:
    """The notes of a day as Markdown; empty where there are none."""
    lines = "\n".join(f"- {one.text}" for one in notes)
    return f"# {day}\n\n{lines}\n" if notes else ""


@router.post("/people/{text:person}/notes/{entry}", response={201: NoteOut}, auth=write_key)
@idempotent
def add_note_of_day(request: HttpRequest, person: fields.Name, entry: fields.Day, payload: NoteIn) -> Status[NoteOut]:
    """Adds to the notes of a day."""
    venue_context = resolve_venue(person=person, grant=grant_of(request), follow_merges=True)
    note = add_note(
        venue_context=venue_context, day=entry, text=payload.text, author=author_of(request), now=timezone.now()
    )
    return Status(201, note_out(note, venue_context.person.name))


@router.post("/admin/notes/{uuid:note_id}/restore", response=NoteOut, auth=admin_key)
def restore_deleted_note(request: HttpRequest, note_id: UUID) -> NoteOut:
    """Brings a note back that was forgotten, or the text that a correction replaced, as a note of its own."""
    found = find_any_note(note_id, grant_of(request))
    if found.deleted_at is None:
        raise ConflictError("This note is not deleted: there is nothing to restore.")
    note = restore_note(home=found.space_id, note=found.id, author=author_of(request), now=timezone.now())
    return note_out(note, found.person.name)
