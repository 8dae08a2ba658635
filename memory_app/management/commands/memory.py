"""`manage.py memory import FILE` and `manage.py memory export --person P`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone
from tqdm import tqdm

from memory_app.embedding.encoder import current
from memory_app.engine.author import Author
from memory_app.engine.carrying.carry_in import MARKS_OF_AN_EXPORT, carry_in
from memory_app.engine.carrying.export import json_lines
from memory_app.engine.carrying.told import Told
from memory_app.engine.enter import enter
from memory_app.engine.erasing.replay_erasures import replay_erasures
from memory_app.errors import KeepsakeError
from memory_app.language.records import Record, records
from memory_app.rules.mapping import mapped, mapping

PREVIEWED = 20
"""Records that a dry run shows."""

KNOWN = frozenset(Told.model_fields) | MARKS_OF_AN_EXPORT | {"kind"}
"""Fields of a record of ours."""


class Command(BaseCommand):
    help = "Brings memories in, and takes them out."

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
        bring.add_argument("--dry-run", action="store_true", help="tells what would come in, and keeps nothing")
        take = verbs.add_parser("export", help="writes JSON Lines to standard output")
        take.add_argument("--person", required=True)

    def handle(self, **options: Any) -> None:
        if options["verb"] == "import":
            self._import(options)
        else:
            self._export(options["person"])

    def _import(self, options: dict[str, Any]) -> None:
        person, dry = options["person"], options["dry_run"]
        read = _read(options["file"], options["map"], person)
        author, now = Author("command", "memory import"), timezone.now()
        replay_erasures(author=author, now=now)  # a database begun anew is told first what never comes back
        outcomes: Counter[str] = Counter()
        with tqdm(total=len(read), unit=" records", desc=options["file"].name) as bar, _undone(dry):
            for carried in carry_in(records=read, person=person, author=author, now=now, encoder=current()):
                outcomes[carried.outcome] += 1
                bar.update()
                if carried.fault:
                    with bar.external_write_mode():
                        self.stderr.write(f"line {carried.line}: {carried.fault}")
        if dry:
            self._preview(read, person)
        told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())) or "empty"
        self.stdout.write(f"would be: {told}" if dry else told)
        if outcomes["failed"]:
            raise CommandError(f"{outcomes['failed']} of {outcomes.total()} were not taken; see the lines named above.")

    def _preview(self, read: Sequence[Record], person: str | None) -> None:
        """The first records, as they would be taken."""
        for record in [record for record in read if not record.fault][:PREVIEWED]:
            whose, content = person or record.fields.get("person", "nobody"), record.fields.get("content", "")
            told = [f"{name} {record.fields[name]}" for name in ("category", "key") if record.fields.get(name)]
            self.stdout.write(f"line {record.line}: {whose}: {content}{_in_brackets(told)}")
        if len(read) > PREVIEWED:
            self.stdout.write(f"and {len(read) - PREVIEWED} more")

    def _export(self, person: str) -> None:
        try:
            entered = enter(person=person, create=False)
        except KeepsakeError as error:
            raise CommandError(str(error)) from None
        for line in json_lines(entered):
            self.stdout.write(line.decode(), ending="")


def _read(file: Path, pairs: Sequence[str] | None, person: str | None) -> list[Record]:
    if not file.is_file():
        raise CommandError(f"There is no file {file}.")
    try:
        names = mapping(pairs or ())
        read = list(records(file))
    except UnicodeDecodeError:
        raise CommandError(f"{file} is not UTF-8 text; convert it first.") from None
    except ValueError as error:
        raise CommandError(str(error)) from None
    if pairs is None:
        return read
    return [
        Record(record.line, fields, record.fault)
        for record in read
        for fields in mapped(record.fields, names, KNOWN, person)
    ]


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
