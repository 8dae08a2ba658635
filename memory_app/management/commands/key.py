"""`manage.py key create NAME`, `key list`, `key revoke NAME_OR_PREFIX`: the keys that assistants call the API with.

A new key stands alone on standard output, shown this once.
"""

from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from memory_app.engine.api_keys import create_key, find_key, revoke_key
from memory_app.engine.audit.log import Author
from memory_app.errors import Invalid, NotFound
from memory_app.models import ApiKey, Scope
from memory_app.nlp.text import plain_line


class Command(BaseCommand):
    help = "Manages the keys that assistants call the API with."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        create = verbs.add_parser("create", help="prints a new key, which is shown this once")
        create.add_argument("name", help="what the key is for, such as the name of an assistant")
        create.add_argument("--scope", action="append", choices=Scope.values, help="default: read and write")
        create.add_argument("--space", action="append", default=[], help="a space it may enter (default: all)")
        create.add_argument("--person", action="append", default=[], help="a person it may speak for (default: all)")
        verbs.add_parser("list", help="prints the keys in use, a line each: prefix, name, scopes, people, spaces")
        revoke = verbs.add_parser("revoke", help="takes a key away at once")
        revoke.add_argument("name", metavar="NAME_OR_PREFIX", help="its name, or its prefix such as ks_1a2b3c4d")

    def handle(self, **options: Any) -> None:
        now = timezone.now()
        verbs = {"create": self._create, "list": self._list, "revoke": self._revoke}
        try:
            verbs[options["verb"]](now, options)
        except (Invalid, NotFound) as error:
            raise CommandError(str(error)) from None

    def _create(self, now: datetime, options: dict[str, Any]) -> None:
        issued = create_key(
            name=options["name"],
            scopes=options["scope"] or [Scope.READ.value, Scope.WRITE.value],
            spaces=options["space"],
            people=options["person"],
            author=Author("command", "key create"),
            now=now,
        )
        self.stdout.write(issued.token)

    def _list(self, now: datetime, options: dict[str, Any]) -> None:
        for key in ApiKey.objects.usable(now).defer("hash").order_by("created_at", "id"):
            self.stdout.write("\t".join(_key_columns(key)))

    def _revoke(self, now: datetime, options: dict[str, Any]) -> None:
        key = find_key(options["name"], now)
        revoke_key(key=key.id, author=Author("command", "key revoke"), now=now)
        self.stderr.write(f"Revoked. “{key.name}” ({key.prefix}…) opens nothing any more.")


def _key_columns(key: ApiKey) -> tuple[str, ...]:
    """A key as a line tells it. None named means all of them; a name that was taken out leaves nobody."""
    people, spaces = (", ".join(map(plain_line, names)) if names else "all" for names in (key.people, key.spaces))
    until = f"until {key.expires_at:%Y-%m-%d %H:%M}" if key.expires_at else "until it is revoked"
    return key.prefix, plain_line(key.name), ", ".join(key.scopes), f"people: {people}", f"spaces: {spaces}", until
