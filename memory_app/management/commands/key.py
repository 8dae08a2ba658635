"""`manage.py key create NAME`: a new API key, alone on standard output, shown this once."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from memory_app.engine.author import Author
from memory_app.engine.keys import create_key
from memory_app.errors import Invalid
from memory_app.models import Scope


class Command(BaseCommand):
    help = "Manages the keys that assistants call the API with."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        create = verbs.add_parser("create", help="prints a new key, which is shown this once")
        create.add_argument("name", help="what the key is for, such as the name of an assistant")
        create.add_argument("--scope", action="append", choices=Scope.values, help="default: read and write")
        create.add_argument("--space", action="append", default=[], help="a space it may enter (default: all)")
        create.add_argument("--person", action="append", default=[], help="a person it may speak for (default: all)")

    def handle(self, **options: Any) -> None:
        scopes = options["scope"] or [Scope.READ.value, Scope.WRITE.value]
        try:
            issued = create_key(
                name=options["name"],
                scopes=scopes,
                spaces=options["space"],
                people=options["person"],
                author=Author("command", "key create"),
                now=timezone.now(),
            )
        except Invalid as error:
            raise CommandError(str(error)) from None
        self.stdout.write(issued.token)
