"""`manage.py status`: which Keepsake this is, what it holds, and the settings in force."""

import os
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection
from pydantic import SecretStr

from config.env import Env
from memory_app.embedding.encoder import current_encoder
from memory_app.health import worker
from memory_app.models import Memory, Person
from memory_app.models.row_security import every_space

HIDDEN = "••••••"
PASSWORD_IN_URL = re.compile(r"//[^/@]*@")
"""A name and password in one."""

StatusLine = tuple[str, str]


class Command(BaseCommand):
    help = "Tells which data folder and database this is, what it holds, and which settings are in force."

    def handle(self, **options: Any) -> None:
        env = Env.read()
        for heading, lines in (("Keepsake", _state(env)), ("Settings", _settings(env))):
            report = list(lines)
            width = max(len(name) for name, _ in report)
            self.stdout.write(heading)
            for name, value in report:
                self.stdout.write(f"  {name.ljust(width)}  {value}")


def _state(env: Env) -> Iterator[StatusLine]:
    yield "version", _version()
    yield "data folder", str(env.data)
    yield "database", f"{_database(env)}, PostgreSQL {_server()}"
    yield "embedding model", current_encoder().name
    yield "language model", settings.KEEPSAKE_LLM or "none"
    yield "worker", worker() or "at work"
    with every_space():
        yield "people", str(Person.objects.count())
        yield "memories", str(Memory.objects.undeleted().count())
        yield "deleted memories", str(Memory.objects.deleted().count())


def _version() -> str:
    try:
        return version("keepsake")
    except PackageNotFoundError:
        return "not installed as a package"


def _server() -> str:
    number = connection.pg_version  # type: ignore[attr-defined]  # of PostgreSQL alone
    return f"{number // 10_000}.{number % 10_000}"


def _database(env: Env) -> str:
    """Where it is; a password is no part of that."""
    if env.embedded:
        return "embedded"
    at = connection.settings_dict
    return f"{at['NAME']} at {at['HOST'] or 'a local socket'}"


def _settings(env: Env) -> Iterator[StatusLine]:
    for name, field in Env.model_fields.items():
        variable = str(field.validation_alias)
        source = "environment" if os.environ.get(variable) else "default"
        yield variable, f"{_setting_text(getattr(env, name))} ({source})"


def _setting_text(value: object) -> str:
    if isinstance(value, SecretStr):
        return HIDDEN
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value in (None, "") else PASSWORD_IN_URL.sub(f"//{HIDDEN}@", str(value))
