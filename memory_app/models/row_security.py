"""Row security by space: which spaces the database lets the current transaction touch, and the policy that holds it.

Without allowed spaces no row of any space is seen. The SQL here serves tables that are made while Keepsake runs, the
log's partitions; migrations have their own copy, which stays as it is when this one changes.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import UUID

from django.db import connection, transaction

from memory_app.postgres.fast.binary_protocol import execute_together

POLICY = (
    "space_id = ANY((SELECT nullif(current_setting('app.spaces', true), '')::uuid[])::uuid[])"
    " OR (SELECT current_setting('app.every_space', true) = 'on')"
)
"""An array, never a look-up in a table, which was measured 30 to 50 times slower; unset or empty means no row at all.

Each setting stands in a SELECT of its own, so that it is read once for a statement: written bare, both were read again
for every row, and an exact scan of 10,000 took 8.9 ms instead of 5.1.
"""


def enable_row_security(table: str) -> list[str]:
    """Statements that hold a table of a space to `POLICY`, its owner included."""
    return [
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
        f"CREATE POLICY {table}_by_space ON {table} USING ({POLICY}) WITH CHECK ({POLICY})",
    ]


_NO_SPACE = ("", "")
_current_setting: ContextVar[tuple[str, str]] = ContextVar("scope", default=_NO_SPACE)


@contextmanager
def allowed_spaces(
    spaces: Iterable[UUID], *, savepoint: bool = True, lock_writers_of: UUID | None = None
) -> Iterator[None]:
    """A transaction that sees, and may write, rows of these spaces only.

    lock_writers_of: a person of whom no one else may write meanwhile, locked with the same round trip.

    savepoint: False where nothing that fails in here is to be outlived by the transaction around it, if there is one:
    it spares two statements.
    """
    with _transaction_for(_uuid_array(spaces), "", savepoint, lock_writers_of):
        yield


@contextmanager
def every_space(*, savepoint: bool = True) -> Iterator[None]:
    """A transaction that sees every space: for maintenance and super users. A test lists all callers."""
    with _transaction_for("", "on", savepoint):
        yield


def narrow_allowed_spaces(spaces: Iterable[UUID]) -> None:
    """What is left of the current scope sees rows of these spaces only: who was found tells where to go on."""
    narrowed = (_uuid_array(spaces), "")
    _current_setting.set(narrowed)
    _set_allowed_spaces(*narrowed)


@contextmanager
def _transaction_for(spaces: str, every: str, savepoint: bool, lock_writers_of: UUID | None = None) -> Iterator[None]:
    nested = connection.in_atomic_block
    with transaction.atomic(savepoint=savepoint):
        outer = _current_setting.get()
        token = _current_setting.set((spaces, every))
        try:
            _set_allowed_spaces(spaces, every, lock_writers_of)
            yield
            # SET LOCAL outlives a released savepoint, so a nested scope hands back its outer one. After an error the
            # rollback does that, and so does the end of the transaction.
            if nested and outer != _current_setting.get():
                _set_allowed_spaces(*outer)
        finally:
            _current_setting.reset(token)


def _uuid_array(spaces: Iterable[UUID]) -> str:
    return "{" + ",".join(sorted(str(space) for space in spaces)) + "}"


def _set_allowed_spaces(spaces: str, every: str, lock_writers_of: UUID | None = None) -> None:
    """Who reads some spaces finds them by index. A plan that is kept (`postgres/fast/prepared_query.py`) is made for
    spaces of average size: where there are few spaces it would read the whole table, for someone with ten rows too."""
    by_index = "off" if spaces else "on"
    lock = f"; SELECT pg_advisory_xact_lock({writers_lock(lock_writers_of)})" if lock_writers_of else ""
    execute_together(
        f"SET LOCAL app.spaces = '{spaces}'; SET LOCAL app.every_space = '{every}';"
        f" SET LOCAL enable_seqscan = {by_index}{lock}"
    )


def writers_lock(person: UUID) -> int:
    """The number of the lock that whoever writes of a person holds."""
    return person.int & 0x7FFF_FFFF_FFFF_FFFF
