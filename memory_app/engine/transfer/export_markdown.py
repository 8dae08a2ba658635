"""Export as a folder of Markdown in a zip, for people and other tools: a file for each category, and one for each day.

What a person's memory holds now. All of it, with what was said, is in the export as JSON Lines.
"""

import zipfile
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import groupby
from typing import IO

from memory_app.engine.summaries.daily_note import current_notes
from memory_app.engine.venue_context import VenueContext
from memory_app.models import Memory, Note, Status
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.documents.profile_document import SECTIONS

NOTES_FOLDER = "Daily notes"
DAY_TYPES = ("note", "journal")
"""Types of memories that belong to their day."""


def write_markdown_folder(venue_context: VenueContext, file: IO[bytes]) -> int:
    """Writes the zip; returns how many memories are in it, sensitive ones included, for they are the person's own."""
    with allowed_spaces(venue_context.venue.spaces):
        rows = Memory.objects.undeleted().filter(space_id__in=venue_context.venue.spaces, person=venue_context.person)
        active = rows.filter(status=Status.ACTIVE).defer("embedding", "tsv", "embedding_model")
        memories = list(active.select_related("person").order_by("category", "valid_from", "id"))
        notes = Note.objects.filter(space_id=venue_context.venue.home, person=venue_context.person).undeleted()
        note_texts = [(one.note.date, one.text) for one in current_notes(list(notes.order_by("date", "id")))]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _documents(memories, note_texts):
            archive.writestr(name, text)
    return len(memories)


def _documents(memories: Iterable[Memory], notes: Iterable[tuple[date, str]]) -> Iterator[tuple[str, str]]:
    """The path and text of each file."""
    lasting, days = [], [*notes]
    for memory in memories:
        if memory.type in DAY_TYPES:
            days.append((memory.valid_from.astimezone(memory.person.zone).date(), memory.content))
        else:
            lasting.append(memory)
    for category, group in groupby(lasting, key=lambda memory: memory.category):
        heading = SECTIONS[category]
        yield f"{heading}.md", "\n".join([f"# {heading}", "", *map(_bullet, group), ""])
    for day, texts in groupby(sorted(days), key=lambda pair: pair[0]):
        yield f"{NOTES_FOLDER}/{day.isoformat()}.md", "\n".join([*(_indented(text) for _, text in texts), ""])


def _bullet(memory: Memory) -> str:
    added_tags = [tag for tag in memory.tags if tag.casefold() not in memory.content.casefold()]
    tags = "".join(f" #{'-'.join(tag.split())}" for tag in added_tags)
    return f"{_indented(memory.content)}{tags}"


def _indented(text: str) -> str:
    """As one item of a list, whatever lines it has."""
    lines = [line for line in text.splitlines() if line.strip()]
    return "\n".join([f"- {lines[0].strip()}" if lines else "-", *(f"  {line.strip()}" for line in lines[1:])])
