"""Which spaces the database lets the current transaction touch: row security's array, and its one exception.

Without a scope no row of any space is seen. Names of the settings and the policy are in `row_security`.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import UUID

from django.db import connection, transaction

_UNSET = ("", "")
_current: ContextVar[tuple[str, str]] = ContextVar("scope", default=_UNSET)


@contextmanager
def within(spaces: Iterable[UUID], *, savepoint: bool = True) -> Iterator[None]:
    """A transaction that sees, and may write, rows of these spaces only.

    savepoint: False where nothing that fails in here is to be outlived by the transaction around it, if there is one:
    it spares two statements.
    """
    with _scoped(_array(spaces), "", savepoint):
        yield


@contextmanager
def every_space(*, savepoint: bool = True) -> Iterator[None]:
    """A transaction that sees every space: for maintenance and super users. A test lists all callers."""
    with _scoped("", "on", savepoint):
        yield


def narrow(spaces: Iterable[UUID]) -> None:
    """What is left of the current scope sees rows of these spaces only: who was found tells where to go on."""
    narrowed = (_array(spaces), "")
    _current.set(narrowed)
    _declare(*narrowed)


@contextmanager
def _scoped(spaces: str, every: str, savepoint: bool) -> Iterator[None]:
    nested = connection.in_atomic_block
    with transaction.atomic(savepoint=savepoint):
        outer = _current.get()
        token = _current.set((spaces, every))
        try:
            _declare(spaces, every)
            yield
            # SET LOCAL outlives a released savepoint, so a nested scope hands back its outer one. After an error the
            # rollback does that, and so does the end of the transaction.
            if nested and outer != _current.get():
                _declare(*outer)
        finally:
            _current.reset(token)


def _array(spaces: Iterable[UUID]) -> str:
    return "{" + ",".join(sorted(str(space) for space in spaces)) + "}"


def _declare(spaces: str, every: str) -> None:
    """Who reads some spaces finds them by index. A plan that is kept (`wire.py`) is made for spaces of average size:
    where there are few spaces it would read the whole table, for someone with ten rows too."""
    by_index = "off" if spaces else "on"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SET LOCAL app.spaces = '{spaces}'; SET LOCAL app.every_space = '{every}';"
            f" SET LOCAL enable_seqscan = {by_index}"
        )
