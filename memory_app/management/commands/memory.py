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

from memory_app.embedding.encoder import current
from memory_app.engine.author import Author
from memory_app.engine.carrying.carry_in import carry_in
from memory_app.engine.carrying.export import json_lines
from memory_app.engine.carrying.lines import MARKS_OF_AN_EXPORT
from memory_app.engine.carrying.told import Told
from memory_app.engine.enter import Entered, enter
from memory_app.engine.erasing.replay_erasures import replay_erasures
from memory_app.engine.recalling.asked import Asked, Kind, Method, Result
from memory_app.engine.recalling.recall import because, recall
from memory_app.errors import KeepsakeError
from memory_app.language.records import Record, records
from memory_app.language.sensitive import masked
from memory_app.models import Memory, Note
from memory_app.rules.mapping import mapped, mapping

PREVIEWED = 20
"""Records that a dry run shows."""

SHOWN = 10
SENSITIVE = "(sensitive)"

KNOWN = frozenset(Told.model_fields) | MARKS_OF_AN_EXPORT | {"kind"}
"""Fields of a record of ours."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What a file holds, read anew each time that it is gone through, for it may be longer than memory is.

    names: what its fields are read as; None, where they are ours. number: of its records.
    """

    file: Path
    names: Mapping[str, str] | None
    person: str | None
    number: int = 0

    def __iter__(self) -> Iterator[Record]:
        for record in records(self.file):
            if self.names is None:
                yield record
            else:
                for fields in mapped(record.fields, self.names, KNOWN, self.person):
                    yield Record(record.line, fields, record.fault)


@dataclass
class Renamed:
    """How many things have other ids here, the first of them, and where all are written as they come."""

    file: TextIO | None
    number: int = 0
    first: list[tuple[UUID, UUID]] = field(default_factory=list)

    def add(self, old: UUID, new: UUID) -> None:
        self.number += 1
        if self.number <= PREVIEWED:
            self.first.append((old, new))
        if self.file:
            self.file.write(f"{old},{new}\n")


class Command(BaseCommand):
    help = "Brings memories in, takes them out, and finds them."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        bring = verbs.add_parser("import", help="reads JSON Lines, CSV or MEMORY.md")
        bring.add_argument("file", type=Path)
        bring.add_argument("--person", help="whose memories they are (default: whom each record names)")
        bring.add_argument(
            "--map",
            action="append",
            metavar="OLD=NEW",
            help="reads a foreign field as another one; repeat it. A record without content is a profile then: each"
            " other field of it becomes a memory",
        )
        bring.add_argument("--ids", type=Path, metavar="FILE", help="writes which new ids things have here, as CSV")
        bring.add_argument("--dry-run", action="store_true", help="tells what would come in, and keeps nothing")
        take = verbs.add_parser("export", help="writes JSON Lines to standard output")
        take.add_argument("--person", required=True)
        find = verbs.add_parser("search", help="finds what answers a question, as an assistant in private would")
        find.add_argument("query")
        find.add_argument("--person", required=True)
        find.add_argument("--method", choices=get_args(Method), default="hybrid")
        find.add_argument("--turns", action="store_true", help="among what was said too")
        find.add_argument("--limit", type=int, default=SHOWN, help=f"results, at most (default: {SHOWN})")

    def handle(self, **options: Any) -> None:
        match options["verb"]:
            case "import":
                self._import(options)
            case "export":
                self._export(options["person"])
            case _:
                self._search(options)

    def _import(self, options: dict[str, Any]) -> None:
        person, dry = options["person"], options["dry_run"]
        read = _read(options["file"], options["map"], person)
        author, now = Author("command", "memory import"), timezone.now()
        replay_erasures(author=author, now=now)  # a database begun anew is told first what never comes back
        outcomes = Counter[str]()
        progress = tqdm(total=read.number, unit=" records", desc=options["file"].name)
        with _renamed(options["ids"]) as renamed, progress as bar, _undone(dry):
            for carried in carry_in(records=read, person=person, author=author, now=now, encoder=current()):
                outcomes[carried.outcome] += 1
                if carried.renamed and carried.outcome in ("added", "there"):
                    renamed.add(*carried.renamed)
                bar.update()
                if carried.fault:
                    with bar.external_write_mode():
                        self.stderr.write(f"line {carried.line}: {carried.fault}")
        if dry:
            self._preview(read, person)
        told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())) or "empty"
        self.stdout.write(f"would be: {told}" if dry else told)
        if options["ids"] is None and renamed.number:
            self._tell(renamed)
        if outcomes["failed"]:
            raise CommandError(f"{outcomes['failed']} of {outcomes.total()} were not taken; see the lines named above.")

    def _tell(self, renamed: "Renamed") -> None:
        """What has another id here than in its export."""
        self.stdout.write(
            f"{renamed.number} have other ids here, for they were another's or someone else holds theirs:"
        )
        self.stdout.write("\n".join(f"{old} is {new} here" for old, new in renamed.first))
        if renamed.number > PREVIEWED:
            self.stdout.write(f"and {renamed.number - PREVIEWED} more: --ids FILE writes all of them")

    def _preview(self, read: Brought, person: str | None) -> None:
        """The first records, as they would be taken."""
        for record in islice((record for record in read if not record.fault), PREVIEWED):
            whose, content = person or record.fields.get("person", "nobody"), record.fields.get("content", "")
            told = [f"{name} {record.fields[name]}" for name in ("category", "key") if record.fields.get(name)]
            self.stdout.write(f"line {record.line}: {whose}: {content}{_in_brackets(told)}")
        if read.number > PREVIEWED:
            self.stdout.write(f"and {read.number - PREVIEWED} more")

    def _export(self, person: str) -> None:
        for line in json_lines(_known(person)):
            self.stdout.write(line.decode(), ending="")

    def _search(self, options: dict[str, Any]) -> None:
        entered, now = _known(options["person"]), timezone.now()
        kinds: tuple[Kind, ...] = ("memory", "turn") if options["turns"] else ("memory",)
        asked = Asked(options["query"], max(1, options["limit"]), kinds, method=options["method"])
        recalled = recall(entered=entered, asked=asked, now=now, encoder=current())
        for rank, result in enumerate(recalled.results, 1):
            self.stdout.write(f"{rank}. {_line(result, entered.person.zone)}")
            self.stdout.write(f"   {because(result, recalled, entered.person.zone, now)}")
        count = f"{len(recalled.results)} results, {recalled.total_found} relevant in all"
        self.stdout.write(f"{count}, by {recalled.search_method}, in {recalled.took_ms:.0f} ms")


def _known(person: str) -> Entered:
    try:
        return enter(person=person, create=False)
    except KeepsakeError as error:
        raise CommandError(str(error)) from None


def _line(result: Result, zone: ZoneInfo) -> str:
    """What was found, on one line. Who looks over a shoulder reads nothing sensitive."""
    row = result.row
    if isinstance(row, Memory):
        text, kind, at = (SENSITIVE if row.sensitive else row.summary), row.type, row.created_at
    elif isinstance(row, Note):
        text, kind, at = masked(row.text), "noted", row.created_at
    else:
        text, kind, at = f"{row.speaker or row.role}: {masked(row.content)}", "said", row.spoken_at
    return f"{' '.join(text.split())} ({kind}, {at.astimezone(zone):%Y-%m-%d}, {result.score:.3f}, {row.id})"


def _read(file: Path, pairs: Sequence[str] | None, person: str | None) -> Brought:
    """A file that can be read to its end; raises CommandError for any other before anything of it is taken."""
    if not file.is_file():
        raise CommandError(f"There is no file {file}.")
    try:
        read = Brought(file, None if pairs is None else mapping(pairs), person)
        return replace(read, number=sum(1 for _ in read))
    except UnicodeDecodeError:
        raise CommandError(f"{file} is not UTF-8 text; convert it first.") from None
    except ValueError as error:
        raise CommandError(str(error)) from None


@contextmanager
def _renamed(file: Path | None) -> Iterator[Renamed]:
    """Raises CommandError where the file cannot be written, before anything is taken."""
    if file is None:
        yield Renamed(None)
        return
    try:
        written = file.open("w", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}.") from None
    with written:
        written.write("old,new\n")
        yield Renamed(written)


@contextmanager
def _undone(undone: bool) -> Iterator[None]:
    """Where it is only tried, all of it in one transaction, which is taken back."""
    if not undone:
        yield
        return
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _in_brackets(told: Sequence[str]) -> str:
    return f" ({', '.join(told)})" if told else ""
