"""Notes of a person: add one to a day, list and find them, correct, delete and restore one.

What was noted at once stays together as one searchable unit. What a correction replaces goes to tier 2. Notes are the
person's own, seen from a private venue alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from memory_app.engine.audit.log import Author, log_entry
from memory_app.engine.memories.meetings_and_journal import check_day
from memory_app.engine.summaries.daily_note import CurrentNote, current_notes
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import ChangedMeanwhile, Invalid, NotFound
from memory_app.models import Note, Operation, Person
from memory_app.models.ids import new_id
from memory_app.models.note import NoteQuerySet
from memory_app.models.person import lock_writers, require_memory_on
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.models.text_search import drop_passages, text_tsvector
from memory_app.rules.grant import Grant

REASON_REQUESTED, REASON_CLEARED, REASON_CORRECTED = "asked", "cleared", "corrected"
"""Reasons why a note is in tier 2."""

DELETE_OPERATION, EDIT_OPERATION, RESTORE_OPERATION = "delete_note", "edit_note", "restore_note"
"""What the log calls it."""


def edit_note(*, home: UUID, note: UUID, text: str, author: Author, now: datetime, version: int | None = None) -> Note:
    """Gives a note another text; the one before stays in tier 2, as a note of its own.

    version: the one last seen. Raises NotFound, Invalid for an empty text, Stale where the version is another by now.
    """
    text = check_text(text)
    with allowed_spaces([home]):
        row = _lock_note(home, note, deleted=False)
        if version not in (None, row.version):
            raise ChangedMeanwhile(f"This note is now version {row.version}; read it again, then repeat your change.")
        if text == row.text:
            return row
        _store_old_text(row, author, now)
        row.text, row.version = text, row.version + 1
        if row.is_digest:
            row.author = author.label  # what someone wrote themselves is no copy any more
        row.embedding, row.embedding_model = None, None
        row.tsv = text_tsvector(row.searchable_text, row.person.language)
        row.save(update_fields=["text", "version", "author", "tsv", "embedding", "embedding_model"])
        drop_passages(home, note, table="note")
        _log_note(EDIT_OPERATION, row, author, now, version=row.version)
        return row


def delete_note(*, home: UUID, note: UUID, author: Author, now: datetime, reason: str = REASON_REQUESTED) -> Note:
    """To tier 2. Raises NotFound for one that is not kept."""
    with allowed_spaces([home]):
        row = _lock_note(home, note, deleted=False)
        row.deleted_at, row.deleted_by, row.delete_reason = now, author.label, reason
        row.save(update_fields=["deleted_at", "deleted_by", "delete_reason"])
        _log_note(DELETE_OPERATION, row, author, now, reason=reason)
        return row


def delete_notes(*, notes: NoteQuerySet, author: Author, now: datetime, reason: str) -> int:
    """As `delete_note`, many at once; expects their scope, and other writers of their person held off."""
    rows = list(notes.select_for_update(of=("self",)).only("space_id", "id", "person_id"))
    ids = [row.id for row in rows]
    Note.objects.filter(space_id__in={row.space_id for row in rows}, id__in=ids).update(
        deleted_at=now, deleted_by=author.label, delete_reason=reason
    )
    Operation.objects.bulk_create([_note_entry(DELETE_OPERATION, row, author, now, reason=reason) for row in rows])
    return len(rows)


def restore_note(*, home: UUID, note: UUID, author: Author, now: datetime) -> Note:
    """Back from tier 2. Raises NotFound for one that is not there."""
    with allowed_spaces([home]):
        row = _lock_note(home, note, deleted=True)
        row.deleted_at, row.deleted_by, row.delete_reason = None, "", ""
        row.save(update_fields=["deleted_at", "deleted_by", "delete_reason"])
        _log_note(RESTORE_OPERATION, row, author, now)
        return row


def _lock_note(home: UUID, note: UUID, *, deleted: bool) -> Note:
    """The note, locked, other writers of its person held off before."""
    rows = Note.objects.filter(space_id=home, id=note)
    owner = rows.values_list("person_id", flat=True).first()
    if owner is not None:
        lock_writers(owner)
    found = rows.select_related("person").select_for_update(of=("self",)).defer("embedding", "tsv").first()
    if found is None or (found.deleted_at is not None) is not deleted:
        raise NotFound
    return found


def _store_old_text(note: Note, author: Author, now: datetime) -> None:
    Note(
        space_id=note.space_id,
        id=new_id(),
        person_id=note.person_id,
        date=note.date,
        text=note.text,
        author=note.author,
        created_at=note.created_at,
        version=note.version,
        deleted_at=now,
        deleted_by=author.label,
        delete_reason=REASON_CORRECTED,
        tsv=text_tsvector(note.searchable_text, note.person.language),
    ).save(force_insert=True)


def _log_note(operation: str, note: Note, author: Author, now: datetime, **detail: Any) -> None:
    _note_entry(operation, note, author, now, **detail).save(force_insert=True)


def _note_entry(operation: str, note: Note, author: Author, now: datetime, **detail: Any) -> Operation:
    found = {"note": str(note.id), **detail}
    return log_entry(operation, found, author=author, now=now, space=note.space_id, person=note.person_id)


def add_note(*, venue_context: VenueContext, day: date, text: str, author: Author, now: datetime) -> Note:
    """Adds to the notes of a day. Raises Invalid for an empty text, or a day that lies ahead."""
    check_text(text)
    require_memory_on()
    check_day("date", day, venue_context.person, now)
    note = build_note(person=venue_context.person, day=day, text=text.strip(), author=author, now=now)
    with allowed_spaces([venue_context.venue.home]):
        note.save(force_insert=True)
    return note


def build_note(*, person: Person, day: date, text: str, author: Author, now: datetime) -> Note:
    """A note, unsaved, that is found by its words at once; its vector comes with the backfill."""
    note = Note(space_id=person.space_id, person=person, date=day, text=text, author=author.label, created_at=now)
    note.tsv = text_tsvector(note.searchable_text, person.language)
    return note


def check_text(text: str) -> str:
    """The text without space around it. Raises Invalid where nothing is left."""
    if not text.strip():
        raise Invalid("text", "There is nothing to note: text is empty.")
    return text.strip()


@dataclass(frozen=True, slots=True)
class NoteFilters:
    """What a list of notes is narrowed to. since, until: days, the last one excluded. deleted: those in tier 2."""

    text: str = ""
    since: date | None = None
    until: date | None = None
    deleted: bool = False


def list_notes(venue_context: VenueContext, filters: NoteFilters) -> NoteQuerySet:
    """The person's notes, to be evaluated within their spaces."""
    rows = Note.objects.visible_from(venue_context.venue)
    rows = rows.deleted() if filters.deleted else rows.undeleted()
    if filters.text:
        rows = rows.filter(text__icontains=filters.text)
    if filters.since:
        rows = rows.filter(date__gte=filters.since)
    return rows.filter(date__lt=filters.until) if filters.until else rows


def visible_notes(rows: Sequence[Note], filters: NoteFilters) -> list[CurrentNote]:
    """The notes without what was forgotten of the memories that they copy; expects their scope."""
    wanted = filters.text.casefold()
    return [one for one in current_notes(rows) if wanted in one.text.casefold()]


def notes_of_day(venue_context: VenueContext, day: date) -> list[CurrentNote]:
    """The notes of a day, in the order they were made."""
    with allowed_spaces([venue_context.venue.home]):
        rows = Note.objects.visible_from(venue_context.venue).undeleted().filter(date=day)
        return current_notes(list(rows.order_by("created_at", "id")))


def find_note(venue_context: VenueContext, note: UUID) -> CurrentNote:
    """One note, kept. Raises NotFound; also where all that it copies was forgotten."""
    with allowed_spaces([venue_context.venue.home]):
        found = current_notes(list(Note.objects.visible_from(venue_context.venue).undeleted().filter(id=note)))
    if not found:
        raise NotFound
    return found[0]


def find_any_note(note: UUID, grant: Grant) -> Note:
    """The note in tier 1 or 2 that the grant reaches, for super users. Raises NotFound."""
    with every_space():
        found = Note.objects.select_related("person").filter(id=note).first()
    if found is None or not grant.allows(found.person.name, None):
        raise NotFound
    return found
