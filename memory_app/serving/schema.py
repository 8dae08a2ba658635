"""Brings the tables up to what the code expects, when there is anything to bring."""

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

# Any number will do as long as nothing else in the database locks the same one.
LOCK = 0x6B656570


def bring_up_to_date() -> bool:
    """Applies migrations that are not applied yet, and answers whether there were any.

    Two at once wait for each other, and the second finds nothing to do. Speaks on standard error, for the output of
    the command that runs next is its own. Raises CommandError where the tables are too old.
    """
    refuse_old_tables()
    if not _behind():
        return False
    with _alone():
        if _behind():
            call_command("migrate", interactive=False, stdout=sys.stderr, verbosity=0)
    return True


def refuse_old_tables() -> None:
    """Raises CommandError where only some of the migrations were applied that are one migration by now."""
    if why := too_old(MigrationRecorder(connection).applied_migrations()):
        raise CommandError(why)


def too_old(applied: Collection[tuple[str, str]]) -> str:
    """Why these migrations, as (app, name), cannot be gone on from, and what to do; empty where they can."""
    for migration in MigrationLoader(None).disk_migrations.values():
        missing = [key for key in migration.replaces if key not in applied]
        if 0 < len(missing) < len(migration.replaces):
            last = migration.replaces[-1][1]
            return (
                f"The tables are of a version before the migration {last}, which this version cannot bring up to date."
                f" Start the last version that has that migration once, then this one."
            )
    return ""


def _behind() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


@contextmanager
def _alone() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
