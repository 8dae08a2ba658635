"""`manage.py memory import` of what other products export: what would come in, then all of it, with progress."""

from dataclasses import dataclass
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.erasure.replay_erasures import replay_erasures
from memory_app.engine.imports.report import KINDS, ImportReport
from memory_app.engine.imports.run_import import ImportCheck, check_file, run_file
from memory_app.engine.imports.uploads import finish_import
from memory_app.engine.imports.write import check_memory_on
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.errors import KeepsakeError
from memory_app.imports.formats import FORMATS, recognise
from memory_app.imports.source_files import Unreadable, open_source
from memory_app.models import HistoryImport, ImportState
from memory_app.models.row_security import allowed_spaces

OWN_FORMAT = "keepsake"
"""Of what `memory export` writes, and of tables and lists of memories."""

STOPPED = "It was stopped before its end: import the file again for the rest."

READ_LATER = "Conversations are read in the background, a few proposals at a time."


def foreign_format(path: Path, format_name: str | None) -> str:
    """The format of another product: as named, else by content; "" for a file of ours. A single note is MEMORY.md
    unless it is named otherwise. Raises CommandError for what cannot be read."""
    if format_name:
        return "" if format_name == OWN_FORMAT else format_name
    try:
        with open_source(path) as source:
            found = recognise(source)
    except Unreadable as error:
        raise CommandError(str(error)) from None
    if path.is_file() and path.suffix.lower() in (".md", ".markdown") and found == "markdown":
        return ""
    if not found and (path.is_dir() or path.suffix.lower() in (".zip", ".af")):
        labels = ", ".join(f"{name} ({one.label})" for name, one in FORMATS.items())
        raise CommandError(f"{path} is of no format that is known here. Name it with --from: {labels}.")
    return found


@dataclass(frozen=True, slots=True)
class HistoryImportCommand:
    """One import from the command line. Run again after a kill, it brings in what is missing."""

    command: BaseCommand
    path: Path
    format_name: str
    person: str | None

    def run(self, *, dry: bool) -> None:
        """Raises CommandError at the end where anything was broken."""
        if not self.person:
            raise CommandError(f"Whose is it? Name the person with --person: {self.path.name} does not.")
        try:
            venue_context = self._person(create=not dry)
            report = self._check(venue_context).expected if dry else self._bring_in(venue_context)
        except KeepsakeError as error:
            raise CommandError(str(error)) from None
        self._tell(report, dry)
        if report.counts["faults"] and not dry:
            raise CommandError(f"{report.counts['faults']} entries were not taken; see the places named above.")

    def _person(self, *, create: bool) -> VenueContext:
        return resolve_venue(person=str(self.person), create=create, allow_unknown=not create)

    def _check(self, venue_context: VenueContext) -> ImportCheck:
        return check_file(
            path=self.path,
            name=self.path.name,
            format_name=self.format_name,
            venue_context=venue_context,
            now=timezone.now(),
            report=lambda done, total: None,
        )

    def _bring_in(self, venue_context: VenueContext) -> ImportReport:
        now = timezone.now()
        author = Author("command", "memory import")
        replay_erasures(author=author, now=now)  # a database begun anew is told first what never comes back
        check_memory_on(venue_context.person.id)
        total = self._check(venue_context).total
        with allowed_spaces([venue_context.venue.home]):
            row = HistoryImport.objects.create(
                space=venue_context.person.space,
                person=venue_context.person,
                format=self.format_name,
                file_name=self.path.name[:200],
                state=ImportState.RUNNING,
                error=STOPPED,
                alive_at=timezone.now(),
                total=total,
                author=author.label,
                created_at=now,
            )
        author = Author("command", "memory import", request=str(row.id))
        try:
            with tqdm(total=total, unit=" entries", desc=self.path.name) as bar:
                report = run_file(
                    row=row,
                    path=self.path,
                    author=author,
                    now=now,
                    encoder=current_encoder(),
                    report=lambda done, total: bar.update(done - bar.n) and None,
                )
        except BaseException as error:
            with allowed_spaces([venue_context.venue.home]):
                reason = str(error) if isinstance(error, KeepsakeError) else STOPPED
                finish_import(row, ImportState.FAILED, author, timezone.now(), reason)
            raise
        with allowed_spaces([venue_context.venue.home]):
            finish_import(row, ImportState.DONE, author, timezone.now())
        return report

    def _tell(self, report: ImportReport, dry: bool) -> None:
        write = self.command.stdout.write
        write(f"{FORMATS[self.format_name].label}: {'would bring' if dry else 'brought'} {counted(report)}")
        for reason, number in report.skipped.items():
            write(f"left out: {number} {reason}")
        for fault in report.faults:
            self.command.stderr.write(f"{fault.place}: {fault.reason}")
        if more := report.counts["faults"] - len(report.faults):
            self.command.stderr.write(f"and {more} more")
        if report.counts["conversations"] and not dry:
            write(READ_LATER)


def counted(report: ImportReport) -> str:
    """What a report counts, such as "2 conversations, 1 memory"."""
    parts = [f"{number} {words[number != 1]}" for kind, words in KINDS.items() if (number := report.counts[kind])]
    return ", ".join(parts) or "nothing"
