"""The database for the length of a `with`: the embedded one started or adopted, any other checked."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Protocol

from config.env import ROOT, Env, data_folder
from memory_app.postgres.external import check
from memory_app.postgres.sharing import embedded

# Where the server's files go when root keeps Keepsake in a folder of its own, such as /root.
SPARE = Path("/var/lib/keepsake")
# Their default is to end a process on the spot, which would leave the server running.
ENDING = (signal.SIGTERM, signal.SIGHUP)


class Database(Protocol):
    """A database that is ready."""

    def heal(self) -> bool:
        """Brings it back if its process is gone, and answers whether that was needed."""


class External:
    """A server that others look after."""

    def heal(self) -> bool:
        return False


@contextmanager
def running(env: Env) -> Iterator[Database]:
    """Holds the database ready. The embedded server stops with the last process that holds it; PostgresError if none.

    SIGTERM and SIGHUP end the block in order, as an exception, where nothing else handles them.
    """
    with _ended_in_order():
        if env.database_url is not None:
            check(env.database_url.get_secret_value())
            yield External()
        else:
            # A folder that was named is used or refused; only that of nobody's choice may be kept elsewhere.
            with embedded(data_folder(env.data), SPARE if env.data == ROOT / "var" else None) as database:
                yield database


@contextmanager
def _ended_in_order() -> Iterator[None]:
    mine = threading.current_thread() is threading.main_thread()
    taken = [number for number in ENDING if mine and signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, _leave)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _leave(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)
