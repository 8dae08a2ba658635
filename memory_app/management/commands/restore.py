"""`manage.py restore FILE`: the database as a backup has it, without what was erased since."""

import sys
import time
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from memory_app.engine.audit.log import Author, log_event
from memory_app.engine.erasure.purge import purge_traces
from memory_app.engine.erasure.replay_erasures import replay_erasures
from memory_app.engine.erasure.tombstone_file import append_logins, complete_tombstone_file
from memory_app.engine.logins import reapply_login_changes
from memory_app.models import User
from memory_app.models.operation import ensure_partitions
from memory_app.postgres import PostgresError
from memory_app.postgres.dump import restore_dump, rows_in, tables_in
from memory_app.serving.migrate_and_collect import too_old

TABLES = """
    SELECT relname FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
    ORDER BY 1
"""
OTHER_CONNECTIONS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""

REQUIRED_TABLES = ("django_migrations", "erasure", "memory", "operation", "person", "space")
"""Tables without which a file is no backup of a Keepsake, whatever else it is a backup of."""

DISCONNECT_SECONDS = 1.0


class Command(BaseCommand):
    help = "Replaces everything by what a backup holds, then erases again what was erased since."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--yes", action="store_true", help="do not ask before everything is replaced")

    def handle(self, *, file: Path, yes: bool, **options: Any) -> None:
        if not file.is_file():
            raise CommandError(f"There is no file {file}.")
        _check(file.absolute())
        if self._has_other_connections():
            raise CommandError("Stop Keepsake first: others use the database.")
        if not yes and not _is_confirmed(file):
            raise CommandError("Nothing was changed. Say --yes where nobody can be asked.")
        complete_tombstone_file()
        append_logins(User.objects.all())
        try:
            restore_dump(connection.settings_dict, file.absolute(), self._read(TABLES))
        except PostgresError as error:
            raise CommandError(f"Nothing was changed. {error}") from None
        self._finish()

    def _finish(self) -> None:
        """What the backup was too early for: tables, partitions, and what was erased since."""
        connection.close()
        call_command("migrate", verbosity=0, interactive=False)
        now = timezone.now()
        ensure_partitions(now)
        author = Author("command", "restore")
        erased_again = replay_erasures(author=author, now=now)
        users_without_password = reapply_login_changes(author=author, now=now)
        log_event("restored", {"erased_again": erased_again}, author=author, now=now)
        if erased_again:
            purge_traces(now=now, report=lambda done, total: None)
        self.stderr.write(
            f"Restored. {erased_again} erased since the backup {'was' if erased_again == 1 else 'were'} erased again."
        )
        self.stderr.write("Everyone is signed out, and who was switched off since stays so.")
        for user in users_without_password:
            self.stderr.write(f"The password of “{user}” was changed since. Set it anew: user password {user}")

    def _has_other_connections(self) -> bool:
        """Whether others use the database; one that just left is still listed for a moment."""
        until = time.monotonic() + DISCONNECT_SECONDS
        while there := self._read(OTHER_CONNECTIONS)[0] != 0:
            if time.monotonic() > until:
                break
            time.sleep(0.1)
        return bool(there)

    def _read(self, statement: str) -> list[Any]:
        with connection.cursor() as cursor:
            cursor.execute(statement)
            return [value for (value,) in cursor.fetchall()]


def _check(file: Path) -> None:
    """That the file holds a Keepsake, and none of a later version, whose tables this one could not serve."""
    try:
        tables = tables_in(file)
        made_by = rows_in(file, "django_migrations")
    except PostgresError as error:
        raise CommandError(f"Nothing was changed. {error}") from None
    if missing := sorted(set(REQUIRED_TABLES) - tables):
        raise CommandError(f"Nothing was changed. This is no backup of a Keepsake: it has no table {missing[0]}.")
    applied = [(app, name) for _, app, name, *_ in made_by if app == "memory_app"]
    known = MigrationLoader(None).disk_migrations
    known_names = {*known, *(replaced for migration in known.values() for replaced in migration.replaces)}
    if later := [name for app, name in applied if (app, name) not in known_names]:
        raise CommandError(f"Nothing was changed. A later version made this backup: this one does not know {later[0]}.")
    if why := too_old(applied):
        raise CommandError(f"Nothing was changed. {why}")


def _is_confirmed(file: Path) -> bool:
    if not sys.stdin.isatty():
        return False
    return input(f"Everything will be replaced by {file}. Go on? [y/N] ").strip().casefold() in ("y", "yes")
