"""Partitions of the operation log, one a month: made ahead of time, dropped whole when they are old."""

from datetime import UTC, datetime

from django.db import connection, transaction

from .ids import earliest_id
from .row_security import protect

MONTHS_AHEAD = 3
"""So that a worker that stands still for a quarter costs no log entry."""


def ensure_partitions(now: datetime, table: str = "operation") -> list[str]:
    """Makes the partitions of this month and the next ones where they are missing; returns the names of new ones."""
    made = []
    for ahead in range(MONTHS_AHEAD + 1):
        month = _month(now, ahead)
        name = f"{table}_{month:%Y_%m}"
        # One transaction a partition: a kill leaves none that is not held by row security.
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT to_regclass(%s)", [name])
            if cursor.fetchone()[0] is None:
                for statement in _creation(table, name, month, _month(month, 1)):
                    cursor.execute(statement)
                made.append(name)
    return made


def _creation(table: str, name: str, start: datetime, end: datetime) -> list[str]:
    """The id is a UUIDv7, so the ids of a month are a range."""
    bounds = f"FROM ('{earliest_id(start)}') TO ('{earliest_id(end)}')"
    return [f"CREATE TABLE {name} PARTITION OF {table} FOR VALUES {bounds}", *protect(name)]


def _month(moment: datetime, ahead: int) -> datetime:
    """The first instant, in UTC, of the month `ahead` months after that of `moment`."""
    months = moment.astimezone(UTC).year * 12 + moment.astimezone(UTC).month - 1 + ahead
    return datetime(months // 12, months % 12 + 1, 1, tzinfo=UTC)
