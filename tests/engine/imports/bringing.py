"""Brings a file in as the command does, and tells what is there afterwards."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.imports.report import ImportReport
from memory_app.engine.imports.run_import import check_file, run_file
from memory_app.engine.imports.uploads import finish_import
from memory_app.engine.venue_context import resolve_venue
from memory_app.models import Conversation, HistoryImport, ImportState, Memory, Proposal, Turn
from memory_app.models.row_security import allowed_spaces, every_space
from tests.worlds import NOON


def bring(path: Path, person: str = "alice", format_name: str = "", now: datetime = NOON) -> ImportReport:
    """What a whole import reports."""
    row = begun(path, person, format_name, now)
    author = Author("user", person, request=str(row.id))
    report = run_file(row=row, path=path, author=author, now=now, encoder=current_encoder(), report=ignore)
    with allowed_spaces([row.space_id]):
        finish_import(row, ImportState.DONE, author, now)
    return report


def begun(path: Path, person: str = "alice", format_name: str = "", now: datetime = NOON) -> HistoryImport:
    """An import that was looked through, and of which nothing is here yet."""
    venue_context = resolve_venue(person=person)
    found = check_file(
        path=path, name=path.name, format_name=format_name, venue_context=venue_context, now=now, report=ignore
    )
    with allowed_spaces([venue_context.venue.home]):
        return HistoryImport.objects.create(
            space=venue_context.person.space,
            person=venue_context.person,
            format=found.format_name,
            file_name=path.name,
            state=ImportState.WAITING,
            expected=found.expected.as_json(),
            total=found.total,
            author=f"user:{person}",
            created_at=now,
        )


def expected(path: Path, person: str = "alice") -> Mapping[str, int]:
    """What a look through the file says that it would bring."""
    venue_context = resolve_venue(person=person)
    found = check_file(path=path, name=path.name, format_name="", venue_context=venue_context, now=NOON, report=ignore)
    return +found.expected.counts


def ignore(done: int, total: int) -> None:
    """Reports nothing."""


def said(person: str = "alice") -> list[tuple[str, str, str, datetime]]:
    """Every turn: its conversation's external id, role, words and when it was said."""
    with every_space():
        rows = Turn.objects.filter(person__name=person).order_by("conversation__external_id", "position")
        return list(rows.values_list("conversation__external_id", "role", "content", "spoken_at"))


def kept(person: str = "alice") -> list[str]:
    with every_space():
        rows = Memory.objects.undeleted().filter(person__name=person).order_by("content")
        return list(rows.values_list("content", flat=True))


def waiting(person: str = "alice") -> int:
    with every_space():
        return Proposal.objects.filter(person__name=person, status="pending").count()


def unread(person: str = "alice") -> int:
    with every_space():
        return Conversation.objects.imported_unread().filter(person__name=person).count()
