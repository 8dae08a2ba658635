"""Markdown and Obsidian folders: a bullet or paragraph a memory; those of a daily note are notes of that day."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath

from memory_app.imports.entries import Entry, Fault, ImportedMemory, clean_text, digest, memories_from, moment_of
from memory_app.imports.json_stream import NOT_TEXT
from memory_app.imports.markdown_text import category_of_heading, split_front_matter, split_markdown
from memory_app.imports.source_files import SourceFile

SOURCE = "markdown"
LARGEST_NOTE = 16 * 1024 * 1024
"""Bytes of one note: longer ones are no notes."""

_DAY = re.compile(r"(\d{4}-\d\d-\d\d)(?:\D.*)?")
MOST_TAGS = 20


def read(files: Sequence[SourceFile]) -> Iterator[Entry]:
    """The passages of every note, in order of file name."""
    for file in files:
        if file.suffix in (".md", ".markdown"):
            yield from read_note(file, SOURCE)


def read_note(file: SourceFile, source: str) -> Iterator[Entry]:
    """The passages of one note."""
    if file.size > LARGEST_NOTE:
        yield Fault(file.name, f"it is longer than {LARGEST_NOTE // (1024 * 1024)} MiB")
        return
    try:
        with file.open_text() as text:
            content = clean_text(text.read())
    except UnicodeDecodeError:
        yield Fault(file.name, NOT_TEXT)
        return
    yield from _memories(file.name, content, source)


def _memories(name: str, content: str, source: str) -> Iterator[ImportedMemory]:
    front, body = split_front_matter(content)
    title = PurePosixPath(name).stem
    day = _day(title)
    said_at = day or next((found for field in ("created", "date") for value in front.get(field, ())
                           if (found := moment_of(value))), None)  # fmt: skip
    for number, passage in enumerate(split_markdown(body), 1):
        tags = tuple(dict.fromkeys([*front.get("tags", []), *front.get("tag", []), *passage.tags]))
        yield from memories_from(
            passage.text,
            source=source,
            id=f"{name}:{digest(f'{passage.heading}{passage.text}')}",
            place=f"{name}, part {number}",
            said_at=said_at,
            context=" · ".join(part for part in ("" if day else title, passage.heading) if part),
            category=category_of_heading(passage.heading),
            type="note" if day else "",
            tags=tuple(tag[:100] for tag in tags[:MOST_TAGS]),
        )


def _day(title: str) -> datetime | None:
    """The day that a daily note is called by."""
    found = _DAY.fullmatch(title)
    moment = moment_of(found[1]) if found else None
    return moment.replace(hour=12, tzinfo=UTC) if moment else None
