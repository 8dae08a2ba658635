"""`manage.py backup FILE`: all of the database in one file, while Keepsake runs or not."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.utils import timezone

from memory_app.engine.audit.log import Author, log_event
from memory_app.postgres import PostgresError
from memory_app.postgres.dump import dump


class Command(BaseCommand):
    help = "Writes a backup of everything to a file. Keepsake may go on running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **options: Any) -> None:
        if not file.absolute().parent.is_dir():
            raise CommandError(f"There is no folder {file.absolute().parent}.")
        try:
            dump(connection.settings_dict, file.absolute())
        except (PostgresError, OSError) as error:
            raise CommandError(str(error)) from None
        detail = {"bytes": file.stat().st_size}
        log_event("backup", detail, author=Author("command", "backup"), now=timezone.now())
        self.stderr.write(f"Backed up to {file} ({file.stat().st_size / 1024 / 1024:.1f} MiB).")
