"""The database after a test that committed: emptied of what the test wrote, and left as the migrations made it."""

import threading
from contextlib import suppress

from django.db import OperationalError, connection
from django.test import TransactionTestCase

from memory_app.models import COMMONS, Space, SpaceKind
from memory_app.models.row_security import every_space

MADE_BY_MIGRATIONS = ("django_migrations", "django_content_type", "auth_permission")
TRIES = 5
WORKING = ("process_request_thread", "traces")
"""Threads of the program that may have a transaction open: of the live server, and of the search after an erasure."""


def wait_for_threads() -> None:
    """Until what the program still did in threads is done."""
    for thread in threading.enumerate():
        if any(name in thread.name for name in WORKING):
            thread.join(30)
            assert not thread.is_alive(), f"{thread.name} still works"


def install() -> None:
    """Django truncates every table and makes permissions anew, which takes a third of a second, and the locks that it
    needs meet those of any thread that still works."""
    TransactionTestCase._fixture_teardown = lambda _: empty()  # type: ignore[attr-defined]


def empty() -> None:
    """Tries again where another thread's transaction was in the way; what is still in the way then is a fault."""
    wait_for_threads()
    for _ in range(TRIES - 1):
        with suppress(OperationalError):
            return _delete_all_rows()
    try:
        _delete_all_rows()
    except OperationalError:
        _end_other_connections()
        _delete_all_rows()  # so that no other test meets the rows
        raise


def _delete_all_rows() -> None:
    with every_space(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '5s'")
        if found := _tables_with_rows():
            cursor.execute(";".join(f"DELETE FROM {table}" for table in found))
        Space.objects.create(id=COMMONS, kind=SpaceKind.COMMONS)


def _tables_with_rows() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT quote_ident(relname) FROM pg_class WHERE relkind = 'r'"
            " AND relnamespace = current_schema()::regnamespace AND relname <> ALL(%s)",
            [[*MADE_BY_MIGRATIONS]],
        )
        asked = " UNION ALL ".join(
            f"SELECT '{table}' WHERE EXISTS (SELECT FROM {table})" for (table,) in cursor.fetchall()
        )
        cursor.execute(asked)
        return [table for (table,) in cursor.fetchall()]


def _end_other_connections() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
