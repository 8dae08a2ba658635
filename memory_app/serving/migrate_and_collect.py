"""Brings the tables up to what the code expects, when there is anything to bring.

Collects the static files for the web server, when one of them changed since the last time.
"""

import hashlib
import os
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

# Any number will do as long as nothing else in the database locks the same one.
MIGRATION_LOCK = 0x6B656570


def migrate_if_needed() -> bool:
    """Applies migrations that are not applied yet, and answers whether there were any.

    Two at once wait for each other, and the second finds nothing to do. Speaks on standard error, for the output of
    the command that runs next is its own. Raises CommandError where the tables are too old.
    """
    refuse_old_tables()
    if not _migration_plan():
        return False
    with _migration_lock():
        if plan := _migration_plan():
            with _one_transaction(plan):
                call_command("migrate", interactive=False, stdout=sys.stderr, verbosity=0)
    return True


def _one_transaction(plan: Sequence[tuple[Migration, bool]]) -> AbstractContextManager[object]:
    """Killed while it migrates, the database is as it was: Django alone would note some migrations only after their
    tables are there. A migration that must run outside of a transaction leaves each to its own."""
    return transaction.atomic() if all(migration.atomic for migration, _ in plan) else nullcontext()


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


def _migration_plan() -> Sequence[tuple[Migration, bool]]:
    executor = MigrationExecutor(connection)
    return executor.migration_plan(executor.loader.graph.leaf_nodes())


@contextmanager
def _migration_lock() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])


def collect_static_if_changed() -> bool:
    """Answers whether there was something to collect. Cut short, it collects again at the next start."""
    stamp = Path(settings.STATIC_ROOT).with_suffix(".stamp")
    found = _fingerprint()
    if stamp.exists() and stamp.read_text() == found:
        return False
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(found)
    return True


def _fingerprint() -> str:
    """Of the names, sizes and times of all files, not their content: milliseconds instead of seconds."""
    lines = sorted(f"{name} {found.st_size} {found.st_mtime_ns}" for name, found in _static_files())
    return hashlib.sha256("\n".join([settings.STORAGES["staticfiles"]["BACKEND"], *lines]).encode()).hexdigest()


def _static_files() -> Iterator[tuple[str, os.stat_result]]:
    for finder in get_finders():
        for name, storage in finder.list([]):
            yield name, os.stat(storage.path(name))
