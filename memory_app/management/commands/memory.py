"""`manage.py memory import FILE` and `manage.py memory export --person P`."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from tqdm import tqdm

from memory_app.embedding.encoder import current
from memory_app.engine.author import Author
from memory_app.engine.carry_in import carry_in
from memory_app.engine.enter import enter
from memory_app.engine.export import export
from memory_app.engine.replay_erasures import replay_erasures
from memory_app.errors import KeepsakeError
from memory_app.language.records import records


class Command(BaseCommand):
    help = "Brings memories in, and takes them out."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        bring = verbs.add_parser("import", help="reads JSON Lines, CSV or MEMORY.md")
        bring.add_argument("file", type=Path)
        bring.add_argument("--person", help="whose memories they are (default: whom each record names)")
        take = verbs.add_parser("export", help="writes JSON Lines to standard output")
        take.add_argument("--person", required=True)

    def handle(self, **options: Any) -> None:
        if options["verb"] == "import":
            self._import(options["file"], options["person"])
        else:
            self._export(options["person"])

    def _import(self, file: Path, person: str | None) -> None:
        if not file.is_file():
            raise CommandError(f"There is no file {file}.")
        try:
            read = list(records(file))
        except UnicodeDecodeError:
            raise CommandError(f"{file} is not UTF-8 text; convert it first.") from None
        author, now = Author("command", "memory import"), timezone.now()
        replay_erasures(author=author, now=now)  # a database begun anew is told first what never comes back
        outcomes: Counter[str] = Counter()
        with tqdm(total=len(read), unit=" records", desc=file.name) as bar:
            for carried in carry_in(records=read, person=person, author=author, now=now, encoder=current()):
                outcomes[carried.outcome] += 1
                bar.update()
                if carried.fault:
                    with bar.external_write_mode():
                        self.stderr.write(f"line {carried.line}: {carried.fault}")
        self.stdout.write(", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())) or "empty")

    def _export(self, person: str) -> None:
        try:
            entered = enter(person=person, create=False)
        except KeepsakeError as error:
            raise CommandError(str(error)) from None
        for memory in export(entered):
            self.stdout.write(json.dumps(memory, ensure_ascii=False))
