"""Operations: tier 3, the log of what was done, by whom and when.

Its partitions, one a month, are made ahead of time and dropped whole.
"""

from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import connection, models, transaction
from django.db.backends.utils import CursorWrapper

from memory_app.models.ids import earliest_id, new_id
from memory_app.models.row_security import enable_row_security
from memory_app.models.space import Space


class OperationQuerySet(models.QuerySet["Operation"]):
    def retained(self, now: datetime) -> "OperationQuerySet":
        """Entries whose time is not over: the night removes the others, and until then nobody reads them."""
        return self.filter(at__gte=retention_start(now))

    def expired(self, now: datetime) -> "OperationQuerySet":
        """Entries whose time is over."""
        return self.filter(at__lt=retention_start(now))


def retention_start(now: datetime) -> datetime:
    """From when on the log is kept."""
    return now - timedelta(days=settings.KEEPSAKE_LOG_DAYS)


class Operation(models.Model):
    """One thing done. Holds ids, counts and reasons, never the words of a memory: those are in its versions. Of a
    request it holds the words that were asked.

    The month is that of the id, a UUIDv7: so the key stays (space, id), and partitions are ranges of it.
    """

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    at = models.DateTimeField()
    name = models.CharField(max_length=40, help_text="the verb: remember, edit, forget, restore, …")
    author = models.CharField(max_length=250, help_text="as Author.label")
    person_id = models.UUIDField(null=True, blank=True)
    memory_id = models.UUIDField(null=True, blank=True)
    request_id = models.CharField(max_length=64, blank=True)
    detail = models.JSONField(default=dict, blank=True)

    objects = OperationQuerySet.as_manager()

    class Meta:
        db_table = "operation"
        indexes = [
            # Serves: the trail of one memory.
            models.Index(fields=["space", "memory_id"], name="operation_of_memory"),
            # Serves: the log of all spaces, newest first, and a stretch of time of it.
            models.Index(fields=["at", "id"], name="operation_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.name} by {self.author}"


MONTHS_AHEAD = 3
"""So that a worker that stands still for a quarter costs no log entry."""


def ensure_partitions(now: datetime, table: str = "operation") -> list[str]:
    """Makes the partitions of this month and the next ones where they are missing; returns the names of new ones."""
    made = []
    for ahead in range(MONTHS_AHEAD + 1):
        month = _month_start(now, ahead)
        name = f"{table}_{month:%Y_%m}"
        # One transaction a partition: a kill leaves none that is not held by row security.
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT to_regclass(%s)", [name])
            if cursor.fetchone()[0] is None:
                for statement in _create_statements(table, name, month, _month_start(month, 1)):
                    cursor.execute(statement)
                made.append(name)
    return made


def missing_partitions(now: datetime, table: str = "operation") -> list[str]:
    """Of this month's partition and the next one's, those that are not there: what is written then would be refused."""
    existing = {*_partition_names(table)}
    return [name for name in (f"{table}_{_month_start(now, ahead):%Y_%m}" for ahead in (0, 1)) if name not in existing]


def drop_partitions(before: datetime, table: str = "operation") -> list[str]:
    """Drops the partitions all of whose rows are older than `before`; returns their names. Outside of a transaction
    nobody who reads or writes the table waits for it."""
    cutoff = _month_start(before, 0)
    old = [name for name in _partition_names(table) if name < f"{table}_{cutoff:%Y_%m}"]
    for name in old:
        with connection.cursor() as cursor:
            # Within a transaction, as in tests, PostgreSQL takes the lock that waits for everyone instead.
            concurrently = "" if connection.in_atomic_block else " CONCURRENTLY"
            if _is_attached(cursor, name):
                cursor.execute(f"ALTER TABLE {table} DETACH PARTITION {name}{concurrently}")
            cursor.execute(f"DROP TABLE {name}")
    return old


def _partition_names(table: str) -> list[str]:
    """All tables named as partitions are: one that was detached by a run that was killed is still to be dropped."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
            " AND relname ~ %s ORDER BY 1",
            [rf"^{table}_\d{{4}}_\d{{2}}$"],
        )
        return [name for (name,) in cursor.fetchall()]


def _is_attached(cursor: CursorWrapper, name: str) -> bool:
    """One that a killed run began to detach is finished first; then it is attached no more."""
    cursor.execute(
        "SELECT inhdetachpending, inhparent::regclass FROM pg_inherits WHERE inhrelid = %s::regclass", [name]
    )
    found = cursor.fetchone()
    if found and found[0]:
        cursor.execute(f"ALTER TABLE {found[1]} DETACH PARTITION {name} FINALIZE")
        return False
    return found is not None


def _create_statements(table: str, name: str, start: datetime, end: datetime) -> list[str]:
    """The id is a UUIDv7, so the ids of a month are a range."""
    bounds = f"FROM ('{earliest_id(start)}') TO ('{earliest_id(end)}')"
    return [f"CREATE TABLE {name} PARTITION OF {table} FOR VALUES {bounds}", *enable_row_security(name)]


def _month_start(moment: datetime, ahead: int) -> datetime:
    """The first instant, in UTC, of the month `ahead` months after that of `moment`."""
    months = moment.astimezone(UTC).year * 12 + moment.astimezone(UTC).month - 1 + ahead
    return datetime(months // 12, months % 12 + 1, 1, tzinfo=UTC)
