"""`manage.py user create NAME`: a login for the dashboard; `user password NAME`: a new password for one."""

import getpass
import sys
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import IntegrityError, transaction
from django.utils import timezone

from memory_app.engine.audit.log import Author, log_event
from memory_app.engine.logins import set_password
from memory_app.engine.venue_context import resolve_venue
from memory_app.models import User


class Command(BaseCommand):
    help = "Manages the logins of the dashboard."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        create = verbs.add_parser("create", help="makes a login; asks for its password")
        create.add_argument("name")
        create.add_argument("--super", action="store_true", help="sees all tiers of everyone, and may erase")
        create.add_argument("--person", help="the person whose memories this login shows")
        create.add_argument("--password-stdin", action="store_true", help="read the password from standard input")

        password = verbs.add_parser("password", help="sets a new password for a login, and signs it out everywhere")
        password.add_argument("name")
        password.add_argument("--password-stdin", action="store_true", help="read the password from standard input")
        password.add_argument(
            "--no-second-step", action="store_true", help="also forget its authenticators and passkeys"
        )

    def handle(self, **options: Any) -> None:
        if options["verb"] == "password":
            self._set_password(options)
        else:
            self._create(options)

    def _set_password(self, options: dict[str, Any]) -> None:
        user = User.objects.filter(username=options["name"]).first()
        if user is None:
            raise CommandError(f"There is no login named {options['name']!r}.")
        set_password(
            name=user.username,
            password=self._password(user, from_stdin=options["password_stdin"]),
            second_step=not options["no_second_step"],
            author=Author("command", "user password"),
            now=timezone.now(),
        )
        self.stderr.write(f"{user.username} can sign in by the new password now.")

    def _create(self, options: dict[str, Any]) -> None:
        user = User(username=options["name"], is_superuser=options["super"], is_staff=options["super"])
        user.set_password(self._password(user, from_stdin=options["password_stdin"]))
        if options["person"]:
            user.person = resolve_venue(person=options["person"]).person
        now, author = timezone.now(), Author("command", "user create")
        try:
            with transaction.atomic():
                user.save()
                log_event("create_user", {"name": user.username, "super": user.is_superuser}, author=author, now=now)
        except IntegrityError:
            raise CommandError(f"There is a login named {options['name']!r} already; choose another name.") from None
        self.stderr.write(f"{user.username} can sign in now.")

    def _password(self, user: User, *, from_stdin: bool) -> str:
        password = sys.stdin.readline().rstrip("\n") if from_stdin else getpass.getpass("Password: ")
        try:
            validate_password(password, user)
        except ValidationError as error:
            raise CommandError("This password will not do: " + " ".join(error.messages)) from None
        return password
