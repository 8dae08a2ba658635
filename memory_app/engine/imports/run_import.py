"""Run an import: look through its file and say what would come in, then bring it in, batch by batch."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path

from django.utils import timezone

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.imports.plan import make_plan
from memory_app.engine.imports.report import ImportReport
from memory_app.engine.imports.uploads import finish_import, uploaded_file
from memory_app.engine.imports.write import ImportTarget, check_memory_on, write_entries
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.errors import ConflictError, Invalid, KeepsakeError
from memory_app.imports.entries import Entry, ImportedConversation, Skipped
from memory_app.imports.formats import FORMATS, recognise
from memory_app.imports.source_files import SourceFiles, Unreadable, open_source
from memory_app.models import HistoryImport, ImportState
from memory_app.models.row_security import allowed_spaces
from memory_app.progress import ReportProgress

BATCH_ENTRIES, BATCH_TURNS = 50, 500
"""Entries, and turns of them, to a transaction: a few seconds in which nobody else writes for the person."""

UNKNOWN_FORMAT = (
    "This is none of the formats that are known here: "
    + ", ".join(one.label for one in FORMATS.values())
    + ". If it is one of them, say which."
)

CHANGED = "This import was ended, undone or removed meanwhile: import the file again for what is missing."


@dataclass(frozen=True, slots=True)
class ImportCheck:
    """format_name: as given or recognised. total: entries. expected: what would come in."""

    format_name: str
    total: int
    expected: ImportReport


def check_file(
    *, path: Path, name: str, format_name: str, venue_context: VenueContext, now: datetime, report: ReportProgress
) -> ImportCheck:
    """What a file would bring; changes nothing. Raises Invalid for a file of which nothing can be read."""
    expected, total = ImportReport(), 0
    with _opened(path, name) as source:
        format_name = format_name or recognise(source)
        if not format_name:
            raise Invalid("format", UNKNOWN_FORMAT)
        for batch in _batches(_entries(source, format_name)):
            with allowed_spaces(venue_context.venue.spaces):
                expected.add(make_plan(venue_context, batch, now).expected())
            total += len(batch)
            report(0, 0)
    return ImportCheck(format_name, total, expected)


def run_file(
    *, row: HistoryImport, path: Path, author: Author, now: datetime, encoder: Encoder, report: ReportProgress
) -> ImportReport:
    """Brings in what was not gone through yet; killed and run again, it goes on. Raises Invalid, ConflictError."""
    venue_context = resolve_venue(person=row.person.name, create=False)
    target = ImportTarget(venue_context, row.id, author, now, encoder)
    whole = ImportReport.from_json(row.result)
    with _opened(path, row.file_name) as source:
        for batch in _batches(islice(_entries(source, row.format), row.done, None)):

            def record(done: ImportReport, entries: int = len(batch)) -> None:
                whole.add(done)
                _check_state(row)
                row.result, row.done, row.alive_at = whole.as_json(), row.done + entries, timezone.now()
                row.save(update_fields=["result", "done", "alive_at"])

            write_entries(target, batch, record)
            report(row.done, max(row.total, row.done))
    return whole


def _check_state(row: HistoryImport) -> None:
    """Raises ConflictError where an import was undone, ended or removed since it was begun; holds it for the rest of
    the transaction."""
    here = HistoryImport.objects.select_for_update().filter(space_id=row.space_id, id=row.id)
    if here.values_list("state", flat=True).first() != row.state:
        raise ConflictError(CHANGED)


def check_import(*, row: HistoryImport, author: Author, now: datetime, report: ReportProgress) -> None:
    """Looks through an uploaded file; what is wrong with all of it is recorded, and it ends."""
    venue_context = resolve_venue(person=row.person.name, create=False)
    try:
        with uploaded_file(row) as path:
            found = check_file(
                path=path,
                name=row.file_name,
                format_name=row.format,
                venue_context=venue_context,
                now=now,
                report=report,
            )
    except KeepsakeError as error:
        with allowed_spaces([row.space_id]):
            finish_import(row, ImportState.FAILED, author, now, str(error))
        return
    with allowed_spaces([row.space_id]):
        row.format, row.total, row.expected = found.format_name, found.total, found.expected.as_json()
        row.state = ImportState.READY
        row.save(update_fields=["format", "total", "expected", "state"])


def run_import(
    *, row: HistoryImport, author: Author, now: datetime, encoder: Encoder, report: ReportProgress
) -> ImportReport:
    """Brings an uploaded file in. What ends it is recorded with it; what came in until then stays."""
    try:
        check_memory_on(row.person_id)
        with uploaded_file(row) as path:
            whole = run_file(row=row, path=path, author=author, now=now, encoder=encoder, report=report)
    except KeepsakeError as error:
        with allowed_spaces([row.space_id]):
            finish_import(row, ImportState.FAILED, author, now, str(error))
        return ImportReport.from_json(row.result)
    with allowed_spaces([row.space_id]):
        finish_import(row, ImportState.DONE, author, now)
    return whole


@contextmanager
def _opened(path: Path, name: str) -> Iterator[SourceFiles]:
    """A source whose faults of a whole are said as bad input."""
    try:
        with open_source(path, name) as source:
            yield source
    except Unreadable as error:
        raise Invalid("file", str(error)) from None


def _entries(source: SourceFiles, format_name: str) -> Iterator[Entry]:
    yield from source.faults
    yield from FORMATS[format_name].read(source.files)


def _batches(entries: Iterable[Entry]) -> Iterator[Sequence[Entry]]:
    batch: list[Entry] = []
    turns = 0
    for entry in entries:
        batch.append(entry)
        turns += len(entry.turns) if isinstance(entry, ImportedConversation) else not isinstance(entry, Skipped)
        if len(batch) >= BATCH_ENTRIES or turns >= BATCH_TURNS:
            yield batch
            batch, turns = [], 0
    if batch:
        yield batch
