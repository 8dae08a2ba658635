"""Brings the tables up to what the code expects, when there is anything to bring."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

# Any number will do as long as nothing else in the database locks the same one.
LOCK = 0x6B656570


def bring_up_to_date() -> bool:
    """Applies migrations that are not applied yet, and answers whether there were any.

    Two at once wait for each other, and the second finds nothing to do. Speaks on standard error, for the output of
    the command that runs next is its own.
    """
    if not _behind():
        return False
    with _alone():
        if _behind():
            call_command("migrate", interactive=False, stdout=sys.stderr, verbosity=0)
    return True


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
