"""The database for the length of a `with`: the embedded one started or adopted, any other checked."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Protocol

from config.env import ROOT, Env, data_folder
from memory_app.postgres.embedded import embedded_database
from memory_app.postgres.external import check_server

# Where the server's files go when root keeps Keepsake in a folder of its own, such as /root.
SPARE_FOLDER = Path("/var/lib/keepsake")
# Their default is to end a process on the spot, which would leave the server running.
END_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


class Database(Protocol):
    """A database that is ready."""

    def restart_if_dead(self) -> bool:
        """Brings it back if its process is gone, and answers whether that was needed."""


class ExternalDatabase:
    """A server that others look after."""

    def restart_if_dead(self) -> bool:
        return False


@contextmanager
def running_database(env: Env) -> Iterator[Database]:
    """Holds the database ready. The embedded server stops with the last process that holds it; PostgresError if none.

    SIGTERM and SIGHUP end the block in order, as an exception, where nothing else handles them.
    """
    with _exit_on_signal():
        if env.database_url is not None:
            check_server(env.database_url.get_secret_value())
            yield ExternalDatabase()
        else:
            # A folder that was named is used or refused; only that of nobody's choice may be kept elsewhere.
            with embedded_database(
                data_folder(env.data), SPARE_FOLDER if env.data == ROOT / "var" else None
            ) as database:
                yield database


@contextmanager
def _exit_on_signal() -> Iterator[None]:
    mine = threading.current_thread() is threading.main_thread()
    taken = [number for number in END_SIGNALS if mine and signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, _exit)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _exit(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)
