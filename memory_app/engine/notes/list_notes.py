"""List a person's notes, and find one by its id: they are their own, seen from a private venue alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from memory_app.engine.enter import Entered
from memory_app.engine.summing.noted import Noted, noted
from memory_app.errors import NotFound
from memory_app.models import Note
from memory_app.models.note import NoteQuerySet
from memory_app.models.scope import every_space, within
from memory_app.rules.grant import Grant


@dataclass(frozen=True, slots=True)
class NoteFilters:
    """What a list of notes is narrowed to. since, until: days, the last one excluded. deleted: those in tier 2."""

    text: str = ""
    since: date | None = None
    until: date | None = None
    deleted: bool = False


def list_notes(entered: Entered, filters: NoteFilters) -> NoteQuerySet:
    """The person's notes, to be evaluated within their spaces."""
    rows = Note.objects.visible_from(entered.venue)
    rows = rows.deleted() if filters.deleted else rows.kept()
    if filters.text:
        rows = rows.filter(text__icontains=filters.text)
    if filters.since:
        rows = rows.filter(date__gte=filters.since)
    return rows.filter(date__lt=filters.until) if filters.until else rows


def as_told(rows: Sequence[Note], filters: NoteFilters) -> list[Noted]:
    """The notes without what was forgotten of the memories that they copy; expects their scope."""
    wanted = filters.text.casefold()
    return [one for one in noted(rows) if wanted in one.text.casefold()]


def notes_of_day(entered: Entered, day: date) -> list[Noted]:
    """The notes of a day, in the order they were made."""
    with within([entered.venue.home]):
        rows = Note.objects.visible_from(entered.venue).kept().filter(date=day)
        return noted(list(rows.order_by("created_at", "id")))


def note_at(entered: Entered, note: UUID) -> Noted:
    """One note, kept. Raises NotFound; also where all that it copies was forgotten."""
    with within([entered.venue.home]):
        told = noted(list(Note.objects.visible_from(entered.venue).kept().filter(id=note)))
    if not told:
        raise NotFound
    return told[0]


def note_anywhere(note: UUID, grant: Grant) -> Note:
    """The note in tier 1 or 2 that the grant reaches, for super users. Raises NotFound."""
    with every_space():
        found = Note.objects.select_related("person").filter(id=note).first()
    if found is None or not grant.allows(found.person.name, None):
        raise NotFound
    return found
