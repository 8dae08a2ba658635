"""`manage.py receipt FILE`: whether a receipt of an erasure is as it was signed."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory_app.engine.erasure.erasure_receipt import is_genuine, parse_receipt
from memory_app.errors import Invalid


class Command(BaseCommand):
    help = "Tells whether a receipt of an erasure, kept as JSON, is as this Keepsake signed it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            erasure = parse_receipt(json.loads(file.read_text()))
        except (OSError, ValueError) as error:
            raise CommandError(f"{file} cannot be read: {error}") from None
        except Invalid as error:
            raise CommandError(str(error)) from None
        if not is_genuine(erasure):
            raise CommandError("Not genuine: this receipt was changed, or another Keepsake signed it.")
        self.stdout.write(f"Genuine: {erasure.kind} {erasure.subject} was erased {erasure.at:%Y-%m-%d %H:%M:%S %Z}.")
