"""/people/{person}/notes: daily notes, added, listed, corrected and forgotten."""

from datetime import date as Day
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from memory_app.api import fields
from memory_app.api.auth import administers, author_of, grant_of, key_of, reads, writes
from memory_app.api.expected_version import expected_version
from memory_app.api.idempotency import idempotent
from memory_app.api.paging import Order, page
from memory_app.api.schemas import NoteOut, Shown, Strict, shown_note
from memory_app.engine.enter import Entered, enter
from memory_app.engine.notes.add_note import add_note
from memory_app.engine.notes.change_note import delete_note, edit_note, restore_note
from memory_app.engine.notes.list_notes import NoteFilters, as_told, list_notes, note_anywhere, note_at, notes_of_day
from memory_app.errors import InConflict, NotGranted
from memory_app.models import Scope
from memory_app.models.scope import within

router = Router(tags=["daily notes"])

FORGOTTEN_ARE_ELSEWHERE = (
    "Notes that were forgotten are listed for a key with the scope admin; their person finds them on the page /notes/."
)


class NoteIn(Strict):
    text: fields.Content


class DayOut(Shown):
    person: str
    date: Day
    text: str
    notes: list[NoteOut]


class NotesQuery(Strict):
    q: fields.Query | None = None
    since: Day | None = None
    until: Day | None = None
    status: fields.NoteStatus = "active"
    limit: fields.Limit = 20
    cursor: str | None = None

    @property
    def filters(self) -> NoteFilters:
        return NoteFilters((self.q or "").strip(), self.since, self.until, deleted=self.status == "deleted")


class NotePage(Shown):
    items: list[NoteOut]
    next_cursor: str | None


@router.get("/people/{text:person}/notes", response=NotePage, auth=reads)
def read_list_of_notes(request: HttpRequest, person: fields.Name, query: Query[NotesQuery]) -> NotePage:
    """Notes, the latest written first. `since` and `until` are days; `until` is not included.

    A digest that the nightly run added is listed without what was forgotten of the memories that it copies."""
    if query.status == "deleted" and not key_of(request).has(Scope.ADMIN):
        raise NotGranted(FORGOTTEN_ARE_ELSEWHERE)
    entered = _known(request, person)
    with within(entered.venue.spaces):
        rows = list_notes(entered, query.filters).defer("embedding", "tsv")
        found, following = page(rows, Order("created_at"), query.limit, query.cursor)
        told = as_told(found, query.filters)
    return NotePage(items=[shown_note(one.note, entered.person.name, one.text) for one in told], next_cursor=following)


@router.patch("/people/{text:person}/notes/{entry}", response=NoteOut, auth=writes)
def edit_one_note(request: HttpRequest, person: fields.Name, entry: UUID, payload: NoteIn) -> NoteOut:
    """Corrects a note. With `If-Match: "version"`, only if that is still the version."""
    entered = _known(request, person)
    note = edit_note(
        home=entered.venue.home,
        note=entry,
        text=payload.text,
        author=author_of(request),
        now=timezone.now(),
        version=expected_version(request),
    )
    return shown_note(note, entered.person.name)


@router.delete("/people/{text:person}/notes/{entry}", response={204: None}, auth=writes)
def forget_note(request: HttpRequest, person: fields.Name, entry: UUID) -> Status[None]:
    """Soft delete: hidden everywhere, and restorable by a super user."""
    home = _known(request, person).venue.home
    delete_note(home=home, note=entry, author=author_of(request), now=timezone.now())
    return Status(204, None)


@router.get("/people/{text:person}/notes/{entry}", response=DayOut | NoteOut, auth=reads)
def read_notes(request: HttpRequest, person: fields.Name, entry: Day | UUID) -> DayOut | NoteOut:
    """The notes of a day, or one note by its id, without what was forgotten since."""
    entered = _known(request, person)
    if isinstance(entry, UUID):
        one = note_at(entered, entry)
        return shown_note(one.note, entered.person.name, one.text)
    told = notes_of_day(entered, entry)
    text = "\n".join(f"- {one.text}" for one in told)
    shown_notes = [shown_note(one.note, entered.person.name, one.text) for one in told]
    return DayOut(person=person, date=entry, text=f"# {entry}\n\n{text}\n" if told else "", notes=shown_notes)


@router.post("/people/{text:person}/notes/{entry}", response={201: NoteOut}, auth=writes)
@idempotent
def add_one_note(request: HttpRequest, person: fields.Name, entry: fields.Day, payload: NoteIn) -> Status[NoteOut]:
    """Adds to the notes of a day."""
    entered = enter(person=person, grant=grant_of(request), as_user=True)
    made = add_note(entered=entered, day=entry, text=payload.text, author=author_of(request), now=timezone.now())
    return Status(201, shown_note(made, entered.person.name))


@router.post("/admin/notes/{uuid:note_id}/restore", response=NoteOut, auth=administers)
def restore_one_note(request: HttpRequest, note_id: UUID) -> NoteOut:
    """Brings a note back that was forgotten, or the text that a correction replaced, as a note of its own."""
    found = note_anywhere(note_id, grant_of(request))
    if found.deleted_at is None:
        raise InConflict("This note is not deleted: there is nothing to restore.")
    note = restore_note(home=found.space_id, note=found.id, author=author_of(request), now=timezone.now())
    return shown_note(note, found.person.name)


def _known(request: HttpRequest, person: str) -> Entered:
    return enter(person=person, grant=grant_of(request), create=False, as_user=True)
