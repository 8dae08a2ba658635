"""Correct, delete and restore a note. Nothing that was noted is lost: what a correction replaces goes to tier 2."""

from datetime import datetime
from typing import Any
from uuid import UUID

from memory_app.engine.author import Author
from memory_app.engine.change import one_writer
from memory_app.engine.logbook.event import entry
from memory_app.engine.notes.add_note import checked_text
from memory_app.errors import NotFound, Stale
from memory_app.models import Note, Operation
from memory_app.models.ids import new_id
from memory_app.models.note import NoteQuerySet
from memory_app.models.passages import drop_passages
from memory_app.models.scope import within
from memory_app.models.searchable import words_vector

ASKED, CLEARED, CORRECTED = "asked", "cleared", "corrected"
"""Reasons why a note is in tier 2."""

DELETED, EDITED, RESTORED = "delete_note", "edit_note", "restore_note"
"""What the log calls it."""


def edit_note(*, home: UUID, note: UUID, text: str, author: Author, now: datetime, version: int | None = None) -> Note:
    """Gives a note another text; the one before stays in tier 2, as a note of its own.

    version: the one last seen. Raises NotFound, Invalid for an empty text, Stale where the version is another by now.
    """
    text = checked_text(text)
    with within([home]):
        held = _held(home, note, deleted=False)
        if version not in (None, held.version):
            raise Stale(f"This note is now version {held.version}; read it again, then repeat your change.")
        if text == held.text:
            return held
        _store_text_before(held, author, now)
        held.text, held.version = text, held.version + 1
        if held.is_digest:
            held.author = author.label  # what someone wrote themselves is no copy any more
        held.embedding, held.embedding_model = None, None
        held.tsv = words_vector(held.words_in_context, held.person.language)
        held.save(update_fields=["text", "version", "author", "tsv", "embedding", "embedding_model"])
        drop_passages(home, note, table="note")
        _log(EDITED, held, author, now, version=held.version)
        return held


def delete_note(*, home: UUID, note: UUID, author: Author, now: datetime, reason: str = ASKED) -> Note:
    """To tier 2. Raises NotFound for one that is not kept."""
    with within([home]):
        held = _held(home, note, deleted=False)
        held.deleted_at, held.deleted_by, held.delete_reason = now, author.label, reason
        held.save(update_fields=["deleted_at", "deleted_by", "delete_reason"])
        _log(DELETED, held, author, now, reason=reason)
        return held


def delete_notes(*, notes: NoteQuerySet, author: Author, now: datetime, reason: str) -> int:
    """As `delete_note`, many at once; expects their scope, and other writers of their person held off."""
    rows = list(notes.select_for_update(of=("self",)).only("space_id", "id", "person_id"))
    ids = [row.id for row in rows]
    Note.objects.filter(space_id__in={row.space_id for row in rows}, id__in=ids).update(
        deleted_at=now, deleted_by=author.label, delete_reason=reason
    )
    Operation.objects.bulk_create([_entry(DELETED, row, author, now, reason=reason) for row in rows])
    return len(rows)


def restore_note(*, home: UUID, note: UUID, author: Author, now: datetime) -> Note:
    """Back from tier 2. Raises NotFound for one that is not there."""
    with within([home]):
        held = _held(home, note, deleted=True)
        held.deleted_at, held.deleted_by, held.delete_reason = None, "", ""
        held.save(update_fields=["deleted_at", "deleted_by", "delete_reason"])
        _log(RESTORED, held, author, now)
        return held


def _held(home: UUID, note: UUID, *, deleted: bool) -> Note:
    """The note, locked, other writers of its person held off before."""
    rows = Note.objects.filter(space_id=home, id=note)
    owner = rows.values_list("person_id", flat=True).first()
    if owner is not None:
        one_writer(owner)
    found = rows.select_related("person").select_for_update(of=("self",)).defer("embedding", "tsv").first()
    if found is None or (found.deleted_at is not None) is not deleted:
        raise NotFound
    return found


def _store_text_before(note: Note, author: Author, now: datetime) -> None:
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
        delete_reason=CORRECTED,
        tsv=words_vector(note.words_in_context, note.person.language),
    ).save(force_insert=True)


def _log(operation: str, note: Note, author: Author, now: datetime, **detail: Any) -> None:
    _entry(operation, note, author, now, **detail).save(force_insert=True)


def _entry(operation: str, note: Note, author: Author, now: datetime, **detail: Any) -> Operation:
    told = {"note": str(note.id), **detail}
    return entry(operation, told, author=author, now=now, space=note.space_id, person=note.person_id)
