"""Uploads: an import begun with a file in parts, confirmed once it was looked through, or cancelled; and its end."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from django.db.models import Sum
from django.db.models.functions import Length

from memory_app.engine.audit.log import Author, log_event
from memory_app.engine.imports.write import check_memory_on
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import ConflictError, Invalid, NotFound, TooLarge
from memory_app.imports.formats import FORMATS
from memory_app.models import HistoryImport, ImportPart, ImportState
from memory_app.models.history_import import UNFINISHED, HistoryImportQuerySet
from memory_app.models.row_security import allowed_spaces

MIB = 1024 * 1024
PART_BYTES = 4 * MIB
"""A page sends a file in parts of so many bytes: a request may carry 8 MiB (`api/requests.py`)."""

LARGEST_UPLOAD = 512 * MIB
"""A larger file is imported on the server, by the command."""

LONGEST_FILE_NAME = 200
NAMELESS = sys.platform == "linux"
"""Whether a file without a name can be opened again, as each reader of a source does."""


def begin_import(
    *, venue_context: VenueContext, file_name: str, size: int, format_name: str, author: Author, now: datetime
) -> HistoryImport:
    """An import whose file is to come. One that the person had begun before, and that is not with the worker, makes
    way. Raises Invalid, TooLarge, and ConflictError where memory is paused or another import is under way."""
    if format_name and format_name not in FORMATS:
        raise Invalid("format", f"There is no format {format_name!r}: use one of {', '.join(FORMATS)}.")
    if size > LARGEST_UPLOAD:
        raise TooLarge(
            f"This file has {size / MIB:,.0f} MiB; at most {LARGEST_UPLOAD // MIB} MiB are taken here."
            " Import it on the server: manage.py memory import FILE --person NAME."
        )
    if size <= 0:
        raise Invalid("file", "This file is empty: choose another.")
    person = venue_context.person
    check_memory_on(person.id)
    with allowed_spaces([person.space_id]):
        rows = HistoryImport.objects.filter(space_id=person.space_id, person=person)
        if rows.filter(state=ImportState.WAITING).exists():
            raise ConflictError("An import is under way: wait until it is over.")
        delete_imports(rows.filter(state__in=UNFINISHED))
        return HistoryImport.objects.create(
            space=person.space,
            person=person,
            format=format_name,
            file_name=file_name.replace("\x00", "")[:LONGEST_FILE_NAME] or "file",
            size=size,
            author=author.label,
            created_at=now,
        )


def add_part(*, row: HistoryImport, number: int, data: bytes) -> None:
    """Stores a part of the file; sent twice, it is stored once. Raises Invalid, TooLarge, ConflictError."""
    if row.state != ImportState.UPLOADING:
        raise ConflictError("This file is complete: nothing can be added to it.")
    if not 0 <= number <= LARGEST_UPLOAD // PART_BYTES:
        raise Invalid("number", "There is no part of this number.")
    if len(data) > PART_BYTES * 2:
        raise TooLarge(f"A part has at most {PART_BYTES * 2 // MIB} MiB.")
    with allowed_spaces([row.space_id]):
        if _uploaded(row) + len(data) > row.size + PART_BYTES * 2:
            raise TooLarge("More is sent than was announced: begin again.")
        part = ImportPart(space_id=row.space_id, person_id=row.person_id, import_id=row.id, number=number, data=data)
        ImportPart.objects.bulk_create([part], ignore_conflicts=True)


def finish_upload(*, row: HistoryImport) -> HistoryImport:
    """The import, ready to be looked through. Raises ConflictError where parts are missing."""
    with allowed_spaces([row.space_id]):
        if row.state == ImportState.UPLOADING and _uploaded(row) != row.size:
            raise ConflictError("Parts of the file are missing: send it again.")
        return _change_state(row, ImportState.UPLOADING, ImportState.CHECKING)


def confirm_import(*, row: HistoryImport) -> HistoryImport:
    """The import, to be brought in. Raises ConflictError where it was not looked through, or memory is paused."""
    check_memory_on(row.person_id)
    with allowed_spaces([row.space_id]):
        return _change_state(row, ImportState.READY, ImportState.WAITING)


def cancel_import(*, row: HistoryImport) -> None:
    """Deletes an import that is not begun, with its file. Raises ConflictError where it is."""
    with allowed_spaces([row.space_id]):
        here = HistoryImport.objects.filter(space_id=row.space_id, id=row.id)
        found = here.select_for_update().filter(state__in=(*UNFINISHED, ImportState.FAILED)).first()
        if found is None or found.done:
            raise ConflictError("This import has begun: wait until it is over, then undo it.")
        delete_imports(here)


def finish_import(row: HistoryImport, state: ImportState, author: Author, now: datetime, error: str = "") -> None:
    """Records how an import ended, unless it was undone or removed meanwhile; its file goes. Expects its scope."""
    row.state, row.error, row.finished_at = state, error[:500], now
    here = HistoryImport.objects.filter(space_id=row.space_id, id=row.id).exclude(state=ImportState.UNDONE)
    if not here.update(state=state, error=row.error, finished_at=now):
        return
    ImportPart.objects.filter(space_id=row.space_id, import_id=row.id).delete()
    counts = row.result.get("counts", {})
    detail = {"import": str(row.id), "format": row.format, "state": state.value, "counts": counts}
    log_event("import_history", detail, author=author, now=now, space=row.space_id, person=row.person_id)


def delete_imports(rows: HistoryImportQuerySet) -> None:
    """Deletes imports with their files. Expects their scope."""
    for space, import_id in list(rows.values_list("space_id", "id")):
        ImportPart.objects.filter(space_id=space, import_id=import_id).delete()
    rows.delete()


@contextmanager
def uploaded_file(row: HistoryImport) -> Iterator[Path]:
    """The uploaded file on disk, for as long as it is read. Where the system allows, it has no name: it goes with
    the process, however that ends. Raises NotFound where it is gone."""
    with tempfile.TemporaryFile() if NAMELESS else tempfile.NamedTemporaryFile(prefix="keepsake-import-") as file:
        number = 0
        while (part := _part(row, number)) is not None:
            file.write(part)
            number += 1
        file.flush()
        if file.tell() != row.size:
            raise NotFound("The file is gone: upload it again.")
        yield Path(f"/proc/self/fd/{file.fileno()}" if NAMELESS else file.name)


def _part(row: HistoryImport, number: int) -> bytes | None:
    with allowed_spaces([row.space_id]):
        parts = ImportPart.objects.filter(space_id=row.space_id, import_id=row.id, number=number)
        data = parts.values_list("data", flat=True).first()
    return None if data is None else bytes(data)


def _uploaded(row: HistoryImport) -> int:
    parts = ImportPart.objects.filter(space_id=row.space_id, import_id=row.id)
    return int(parts.aggregate(bytes=Sum(Length("data")))["bytes"] or 0)


def _change_state(row: HistoryImport, before: ImportState, after: ImportState) -> HistoryImport:
    """Asked twice, it is changed once."""
    here = HistoryImport.objects.filter(space_id=row.space_id, id=row.id)
    if not here.filter(state=before).update(state=after) and not here.filter(state=after).exists():
        raise ConflictError("This import is at another step by now: load the page again.")
    return here.select_related("person", "space").get()
