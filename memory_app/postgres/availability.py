"""Whether an error says that the database is away: stopped, starting, out of connections, cut off, or out of disk.

Then nothing is wrong with what was asked, and the same will work once the database is back.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import django.db
import psycopg

RETRY_SECONDS = 5
"""What a caller is told to wait: the embedded server is back two or three seconds after it was killed (`scale.md`)."""

UNAVAILABLE_CLASSES = ("08", "53", "57P")
"""Classes of PostgreSQL's error codes: the connection failed; no memory, disk or connection is left; the server is
shut down or starting. Not all of class 57: a query that ran too long or was cancelled is a fault of ours."""

DISK_CODES = frozenset({"53100", "58030"})
"""The disk is full, or cannot be written."""

READ_ONLY_CODES = DISK_CODES | {"25006"}
"""Nothing can be written, and what is there can be read. 25006: the server is a standby, or was switched to that."""

UNAVAILABLE_CODES = READ_ONLY_CODES | {"58000"}


def is_unavailable(error: BaseException | None) -> bool:
    """Whether this error of the database, or the one that it wraps, says so."""
    driver = _driver_error(error)
    if driver is None:
        # Django's own, such as "connection already closed".
        return isinstance(error, django.db.InterfaceError)
    if driver.sqlstate is None:
        # libpq could not connect, or lost the connection: the server said nothing.
        return isinstance(driver, psycopg.OperationalError | psycopg.InterfaceError)
    return driver.sqlstate.startswith(UNAVAILABLE_CLASSES) or driver.sqlstate in UNAVAILABLE_CODES


def disk_is_full(error: BaseException | None) -> bool:
    driver = _driver_error(error)
    return driver is not None and driver.sqlstate in DISK_CODES


def is_read_only(error: BaseException | None) -> bool:
    """Whether the database can be read still."""
    driver = _driver_error(error)
    return driver is not None and driver.sqlstate in READ_ONLY_CODES


@contextmanager
def optional_write() -> Iterator[None]:
    """Around a transaction that notes something beside a read, such as when a key was last used: where nothing can be
    written, the read goes on without it."""
    try:
        yield
    except django.db.Error as error:
        if not is_read_only(error):
            raise


def _driver_error(error: BaseException | None) -> psycopg.Error | None:
    if isinstance(error, django.db.Error):
        error = error.__cause__
    return error if isinstance(error, psycopg.Error) else None
