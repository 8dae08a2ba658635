"""Add a note to a day. One entry is one searchable unit: what was noted at once stays together."""

from datetime import date, datetime

from memory_app.engine.author import Author
from memory_app.engine.enter import Entered
from memory_app.engine.keeping.record import check_day
from memory_app.engine.paused import refuse_if_off
from memory_app.errors import Invalid
from memory_app.models import Note, Person
from memory_app.models.scope import within
from memory_app.models.searchable import words_vector


def add_note(*, entered: Entered, day: date, text: str, author: Author, now: datetime) -> Note:
    """Adds to the notes of a day. Raises Invalid for an empty text, or a day that lies ahead."""
    checked_text(text)
    refuse_if_off()
    check_day("date", day, entered.person, now)
    note = new_note(person=entered.person, day=day, text=text.strip(), author=author, now=now)
    with within([entered.venue.home]):
        note.save(force_insert=True)
    return note


def new_note(*, person: Person, day: date, text: str, author: Author, now: datetime) -> Note:
    """A note, unsaved, that is found by its words at once; its vector comes with the backfill."""
    note = Note(space_id=person.space_id, person=person, date=day, text=text, author=author.label, created_at=now)
    note.tsv = words_vector(note.words_in_context, person.language)
    return note


def checked_text(text: str) -> str:
    """The text without space around it. Raises Invalid where nothing is left."""
    if not text.strip():
        raise Invalid("text", "There is nothing to note: text is empty.")
    return text.strip()
