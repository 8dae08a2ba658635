"""Several processes, one embedded server: whoever comes first starts it, whoever leaves last stops it.

Each holds a shared lock on a file for as long as it uses the server. The kernel frees the lock of a process that
was killed, so nothing needs counting or cleaning up. A second lock is held while the server is started or stopped.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memory_app.postgres.cluster import Cluster, make_data, make_passwords, open_cluster
from memory_app.postgres.engine import carried, drop_others, keep
from memory_app.postgres.errors import PostgresError
from memory_app.postgres.roles import prepare
from memory_app.postgres.server import Server
from memory_app.postgres.upgrade import upgrade


@dataclass(frozen=True)
class Embedded:
    """The embedded server while this process uses it."""

    server: Server

    def heal(self) -> bool:
        """Starts the server again if its process is gone. Answers whether that was needed."""
        if self.server.postmaster() is not None:
            return False
        with _alone(self.server.cluster):
            if self.server.postmaster() is not None:
                return False
            self.server.start()
        return True


@contextmanager
def embedded(data: Path, spare: Path | None = None) -> Iterator[Embedded]:
    """Starts or adopts the server of a data folder, and stops it at the end if nobody else uses it.

    `spare`: see `open_cluster`.
    """
    cluster = open_cluster(data, spare)
    with _file(cluster, "users.lock") as users:
        with _alone(cluster):
            fcntl.flock(users, fcntl.LOCK_SH)
            server = _started_or_stopped(cluster, users)
        try:
            yield Embedded(server)
        finally:
            with _alone(cluster):
                _stop_if_last(server, users)


def _started_or_stopped(cluster: Cluster, users: int) -> Server:
    """A server that is ready; one that was started but could not be made ready is stopped again."""
    server = _made(cluster)
    try:
        if not server.is_running():
            server.start()
        prepare(server)
    except BaseException:
        _stop_if_last(server, users)
        raise
    return server


def _made(cluster: Cluster) -> Server:
    """The server with its engine in place and its data there: made, upgraded, or as it was."""
    newest = carried()[max(carried())]
    found = cluster.newest_data()
    if found is not None and found > newest.major:
        raise PostgresError(
            f"{cluster.data(found)} was made by PostgreSQL {found}, which is newer than the installed {newest.major}."
        )
    engine = keep(newest, cluster.home)
    make_passwords(cluster)
    if found is None:
        make_data(cluster, engine, cluster.data(engine.major))
    elif found < engine.major:
        upgrade(cluster, engine, found)
    drop_others(cluster.home, engine)
    return Server(cluster, engine)


def _stop_if_last(server: Server, users: int) -> None:
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    server.stop()


@contextmanager
def _alone(cluster: Cluster) -> Iterator[None]:
    """One process at a time starts or stops the server; the others wait here."""
    with _file(cluster, "change.lock") as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)
        yield


@contextmanager
def _file(cluster: Cluster, name: str) -> Iterator[int]:
    path = cluster.home / name
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    cluster.account.own(path, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
