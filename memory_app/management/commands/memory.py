"""`manage.py memory import FILE`, `memory export --person P` and `memory search QUERY --person P`."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, TextIO, get_args
from uuid import UUID
from zoneinfo import ZoneInfo

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone
from tqdm import tqdm

from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.erasure.replay_erasures import replay_erasures
from memory_app.engine.retrieval.query import Kind, Method, RecallQuery, Result
from memory_app.engine.retrieval.recall import explain_result, recall
from memory_app.engine.transfer.export import EXPORT_MARKS, export_json_lines
from memory_app.engine.transfer.export_markdown import write_markdown_folder
from memory_app.engine.transfer.import_format import RecordFields
from memory_app.engine.transfer.import_records import import_records
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.errors import KeepsakeError
from memory_app.imports.formats import FORMATS
from memory_app.management.import_history import OWN_FORMAT, HistoryImportCommand, foreign_format
from memory_app.models import Document, Memory, Note
from memory_app.nlp.documents.record_fields import map_record, parse_mapping
from memory_app.nlp.documents.records import Record, read_records
from memory_app.nlp.privacy.sensitive import mask_sensitive

PREVIEW_COUNT = 20
"""Records that a dry run shows."""

DEFAULT_LIMIT = 10
SENSITIVE_LABEL = "(sensitive)"

KNOWN_FIELDS = frozenset(RecordFields.model_fields) | EXPORT_MARKS | {"kind"}
"""Fields of a record of ours."""


@dataclass(frozen=True, slots=True)
class ImportFile:
    """What a file holds, read anew each time that it is gone through, for it may be longer than memory is.

    names: what its fields are read as; None, where they are ours. number: of its records.
    """

    file: Path
    names: Mapping[str, str] | None
    person: str | None
    number: int = 0

    def __iter__(self) -> Iterator[Record]:
        for record in read_records(self.file):
            if self.names is None:
                yield record
            else:
                for fields in map_record(record.fields, self.names, KNOWN_FIELDS, self.person):
                    yield Record(record.line, fields, record.fault)


@dataclass
class RenamedIds:
    """How many things have other ids here, the first of them, and where all are written as they come."""

    file: TextIO | None
    number: int = 0
    first: list[tuple[UUID, UUID]] = field(default_factory=list)

    def add(self, old: UUID, new: UUID) -> None:
        self.number += 1
        if self.number <= PREVIEW_COUNT:
            self.first.append((old, new))
        if self.file:
            self.file.write(f"{old},{new}\n")


class Command(BaseCommand):
    help = "Brings memories in, takes them out, and finds them."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        import_parser = verbs.add_parser(
            "import", help="reads JSON Lines, CSV, MEMORY.md, and what other products export (docs/importing.md)"
        )
        import_parser.add_argument("file", type=Path, help="a file, a zip as it was downloaded, or a folder")
        import_parser.add_argument(
            "--from",
            dest="format",
            choices=[OWN_FORMAT, *FORMATS],
            help="the format (default: by what stands in the file)",
        )
        import_parser.add_argument("--person", help="whose memories they are (default: whom each record names)")
        import_parser.add_argument(
            "--map",
            action="append",
            metavar="OLD=NEW",
            help="reads a foreign field as another one; repeat it. A record without content is a profile then: each"
            " other field of it becomes a memory",
        )
        import_parser.add_argument(
            "--ids", type=Path, metavar="FILE", help="writes which new ids things have here, as CSV"
        )
        import_parser.add_argument("--dry-run", action="store_true", help="tells what would come in, and keeps nothing")
        export_parser = verbs.add_parser("export", help="writes JSON Lines to standard output")
        export_parser.add_argument("--person", required=True)
        export_parser.add_argument(
            "--markdown", type=Path, metavar="FILE", help="writes a folder of Markdown as a zip instead"
        )
        search_parser = verbs.add_parser(
            "search", help="finds what answers a question, as an assistant in private would"
        )
        search_parser.add_argument("query")
        search_parser.add_argument("--person", required=True)
        search_parser.add_argument("--method", choices=get_args(Method), default="hybrid")
        search_parser.add_argument("--turns", action="store_true", help="among what was said too")
        search_parser.add_argument(
            "--limit", type=int, default=DEFAULT_LIMIT, help=f"results, at most (default: {DEFAULT_LIMIT})"
        )

    def handle(self, **options: Any) -> None:
        match options["verb"]:
            case "import":
                self._import(options)
            case "export" if options["markdown"]:
                self._export_markdown(options["person"], options["markdown"])
            case "export":
                self._export(options["person"])
            case _:
                self._search(options)

    def _import(self, options: dict[str, Any]) -> None:
        if options["map"] is None and (format_name := foreign_format(options["file"], options["format"])):
            HistoryImportCommand(self, options["file"], format_name, options["person"]).run(dry=options["dry_run"])
            return
        person, dry = options["person"], options["dry_run"]
        read = _open_import(options["file"], options["map"], person)
        author, now = Author("command", "memory import"), timezone.now()
        replay_erasures(author=author, now=now)  # a database begun anew is told first what never comes back
        outcomes = Counter[str]()
        progress = tqdm(total=read.number, unit=" records", desc=options["file"].name)
        with _renamed_ids(options["ids"]) as renamed, progress as bar, _rolled_back(dry):
            for carried in import_records(
                records=read, person=person, author=author, now=now, encoder=current_encoder()
            ):
                outcomes[carried.outcome] += 1
                if carried.renamed and carried.outcome in ("added", "there"):
                    renamed.add(*carried.renamed)
                bar.update()
                if carried.fault:
                    with bar.external_write_mode():
                        self.stderr.write(f"line {carried.line}: {carried.fault}")
        if dry:
            self._preview(read, person)
        summary = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())) or "empty"
        self.stdout.write(f"would be: {summary}" if dry else summary)
        if options["ids"] is None and renamed.number:
            self._write_renamed(renamed)
        if outcomes["failed"]:
            raise CommandError(f"{outcomes['failed']} of {outcomes.total()} were not taken; see the lines named above.")

    def _write_renamed(self, renamed: "RenamedIds") -> None:
        """What has another id here than in its export."""
        self.stdout.write(
            f"{renamed.number} have other ids here, for they were another's or someone else holds theirs:"
        )
        self.stdout.write("\n".join(f"{old} is {new} here" for old, new in renamed.first))
        if renamed.number > PREVIEW_COUNT:
            self.stdout.write(f"and {renamed.number - PREVIEW_COUNT} more: --ids FILE writes all of them")

    def _preview(self, read: ImportFile, person: str | None) -> None:
        """The first records, as they would be taken."""
        for record in islice((record for record in read if not record.fault), PREVIEW_COUNT):
            person_name, content = person or record.fields.get("person", "nobody"), record.fields.get("content", "")
            details = [f"{name} {record.fields[name]}" for name in ("category", "key") if record.fields.get(name)]
            self.stdout.write(f"line {record.line}: {person_name}: {content}{_in_brackets(details)}")
        if read.number > PREVIEW_COUNT:
            self.stdout.write(f"and {read.number - PREVIEW_COUNT} more")

    def _export(self, person: str) -> None:
        for line in export_json_lines(_known_person(person)):
            self.stdout.write(line.decode(), ending="")

    def _export_markdown(self, person: str, file: Path) -> None:
        try:
            with file.open("wb") as written:
                number = write_markdown_folder(_known_person(person), written)
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from None
        self.stdout.write(f"{number} memories written to {file}")

    def _search(self, options: dict[str, Any]) -> None:
        venue_context, now = _known_person(options["person"]), timezone.now()
        kinds: tuple[Kind, ...] = ("memory", "turn") if options["turns"] else ("memory",)
        recall_query = RecallQuery(options["query"], max(1, options["limit"]), kinds, method=options["method"])
        recalled = recall(venue_context=venue_context, recall_query=recall_query, now=now, encoder=current_encoder())
        for rank, result in enumerate(recalled.results, 1):
            self.stdout.write(f"{rank}. {_line(result, venue_context.person.zone)}")
            self.stdout.write(f"   {explain_result(result, recalled, venue_context.person.zone, now)}")
        count = f"{len(recalled.results)} results, {recalled.total_found} relevant in all"
        self.stdout.write(f"{count}, by {recalled.search_method}, in {recalled.took_ms:.0f} ms")


def _known_person(person: str) -> VenueContext:
    try:
        return resolve_venue(person=person, create=False)
    except KeepsakeError as error:
        raise CommandError(str(error)) from None


def _line(result: Result, zone: ZoneInfo) -> str:
    """What was found, on one line. Who looks over a shoulder reads nothing sensitive."""
    row = result.row
    if isinstance(row, Memory):
        text, kind, at = (SENSITIVE_LABEL if row.sensitive else row.summary), row.type, row.created_at
    elif isinstance(row, Note):
        text, kind, at = mask_sensitive(row.text), "noted", row.created_at
    elif isinstance(row, Document):
        text, kind, at = f"{row.path}: {mask_sensitive(result.passage or row.content[:500])}", "written", row.updated_at
    else:
        text, kind, at = f"{row.speaker or row.role}: {mask_sensitive(row.content)}", "said", row.spoken_at
    return f"{' '.join(text.split())} ({kind}, {at.astimezone(zone):%Y-%m-%d}, {result.score:.3f}, {row.id})"


def _open_import(file: Path, pairs: Sequence[str] | None, person: str | None) -> ImportFile:
    """A file that can be read to its end; raises CommandError for any other before anything of it is taken."""
    if not file.is_file():
        raise CommandError(f"There is no file {file}.")
    try:
        read = ImportFile(file, None if pairs is None else parse_mapping(pairs), person)
        return replace(read, number=sum(1 for _ in read))
    except UnicodeDecodeError:
        raise CommandError(f"{file} is not UTF-8 text; convert it first.") from None
    except ValueError as error:
        raise CommandError(str(error)) from None


@contextmanager
def _renamed_ids(file: Path | None) -> Iterator[RenamedIds]:
    """Raises CommandError where the file cannot be written, before anything is taken."""
    if file is None:
        yield RenamedIds(None)
        return
    try:
        written = file.open("w", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}.") from None
    with written:
        written.write("old,new\n")
        yield RenamedIds(written)


@contextmanager
def _rolled_back(undone: bool) -> Iterator[None]:
    """Where it is only tried, all of it in one transaction, which is taken back."""
    if not undone:
        yield
        return
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _in_brackets(parts: Sequence[str]) -> str:
    return f" ({', '.join(parts)})" if parts else ""
