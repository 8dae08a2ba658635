"""Several processes, one embedded server: whoever comes first starts it and makes its role and database, whoever leaves
last stops it.

Each process holds a shared lock on a file for as long as it uses the server. The kernel frees the lock of a process
that was killed, so nothing needs counting or cleaning up. A second lock is held while the server is started or stopped.
The role that owns the database is an ordinary one, so that row security binds it. Where the wheel brings a newer major
version of PostgreSQL, the data is copied into its format first, and the old data is kept.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from psycopg import Connection, sql

from memory_app.postgres.address import choose_address
from memory_app.postgres.cluster import (
    DATABASE,
    ROLE,
    SUPERUSER,
    Cluster,
    init_data,
    make_passwords,
    open_cluster,
    password_of,
)
from memory_app.postgres.disk import MIB
from memory_app.postgres.installation import (
    WHEEL,
    Installation,
    PostgresError,
    copied_installation,
    copy_installation,
    packaged_installations,
    remove_replaced,
)
from memory_app.postgres.server import Server


@dataclass(frozen=True)
class EmbeddedDatabase:
    """The embedded server while this process uses it."""

    server: Server

    def restart_if_dead(self) -> bool:
        """Starts the server again if its process is gone. Answers whether that was needed."""
        if self.server.postmaster() is not None:
            return False
        with _exclusive(self.server.cluster):
            if self.server.postmaster() is not None:
                return False
            self.server.start()
        return True


@contextmanager
def embedded_database(data: Path, spare: Path | None = None) -> Iterator[EmbeddedDatabase]:
    """Starts or adopts the server of a data folder, and stops it at the end if nobody else uses it.

    `spare`: see `open_cluster`.
    """
    cluster = open_cluster(data, spare)
    with _lock_file(cluster, "users.lock") as users:
        with _exclusive(cluster):
            fcntl.flock(users, fcntl.LOCK_SH)
            server = _start_or_stop(cluster, users)
        try:
            yield EmbeddedDatabase(server)
        finally:
            with _exclusive(cluster):
                _stop_if_last(server, users)


def _start_or_stop(cluster: Cluster, users: int) -> Server:
    """A server that is ready; one that was started but could not be made ready is stopped again."""
    server = _prepared_server(cluster)
    try:
        if not server.is_running():
            server.start()
        prepare_database(server)
    except BaseException:
        _stop_if_last(server, users)
        raise
    return server


def _prepared_server(cluster: Cluster) -> Server:
    """The server with its engine in place and its data there: made, upgraded, or as it was."""
    newest = packaged_installations()[max(packaged_installations())]
    found = cluster.newest_data()
    if found is not None and found > newest.major:
        raise PostgresError(
            f"{cluster.data(found)} was made by PostgreSQL {found}, which is newer than the installed {newest.major}."
        )
    installation = copy_installation(newest, cluster.home)
    make_passwords(cluster)
    if found is None:
        init_data(cluster, installation, cluster.data(installation.major))
    elif found < installation.major:
        upgrade(cluster, installation, found)
    remove_replaced(cluster.home, installation)
    return Server(cluster, installation)


def _stop_if_last(server: Server, users: int) -> None:
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    server.stop()


@contextmanager
def _exclusive(cluster: Cluster) -> Iterator[None]:
    """One process at a time starts or stops the server; the others wait here."""
    with _lock_file(cluster, "change.lock") as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)
        yield


@contextmanager
def _lock_file(cluster: Cluster, name: str) -> Iterator[int]:
    path = cluster.home / name
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    cluster.account.take_ownership(path, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


# No superuser and no BYPASSRLS: FORCE ROW LEVEL SECURITY holds. CREATEDB: tests make a database of their own.
ROLE_ATTRIBUTES = sql.SQL("LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE CREATEDB")


def prepare_database(server: Server) -> None:
    """Makes role, database and extension, once for each engine; what is there already is left as it is."""
    stamp = server.cluster.home / "prepared"
    installation = server.installation.folder.parent.parent.name
    if stamp.exists() and stamp.read_text() == installation:
        return
    with server.connect() as connection:
        _make_role(connection, password_of(server.cluster, ROLE))
        databases = [name for (name,) in connection.execute("SELECT datname FROM pg_database WHERE datallowconn")]
    # The extension is not a trusted one: only a superuser may create it. In template1 it reaches every later database.
    for name in databases:
        with server.connect(name) as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
            connection.execute("ALTER EXTENSION vector UPDATE")
    if DATABASE not in databases:
        with server.connect() as connection:
            connection.execute(
                sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(DATABASE), sql.Identifier(ROLE))
            )
    stamp.write_text(installation)
    server.cluster.account.take_ownership(stamp, 0o600)


def _make_role(connection: Connection, password: str) -> None:
    known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone()
    verb = sql.SQL("ALTER" if known else "CREATE")
    connection.execute(
        sql.SQL("{} ROLE {} {} PASSWORD {}").format(verb, sql.Identifier(ROLE), ROLE_ATTRIBUTES, sql.Literal(password))
    )


# A copy of the data, and room for the new server to work.
SPARE_BYTES = 512 * MIB


def upgrade(cluster: Cluster, installation: Installation, old_major: int) -> None:
    """Copies the data of an older server into a new folder in the new server's format, by `pg_upgrade`.

    The new folder gets its name last: stopped anywhere before, the next start begins anew from the old data,
    which is never written to. It may be deleted by hand once all is well.
    """
    old = Server(cluster, _old_installation(cluster, old_major))
    _check_room(old.data)
    if not old.is_running():
        old.start()  # pg_upgrade wants a server that was stopped in order: one that was killed replays its log now
    old.stop()
    # Not `data-N.new`, which `init_data` itself takes for its draft.
    draft = cluster.home / f"upgrade-{installation.major}"
    shutil.rmtree(draft, ignore_errors=True)
    init_data(cluster, installation, draft)
    _run(cluster, old, installation, draft)
    draft.rename(cluster.data(installation.major))


def _old_installation(cluster: Cluster, major: int) -> Installation:
    """The programs that made the data: kept beside it since then, or still in the wheel."""
    found = copied_installation(cluster.home, major) or packaged_installations().get(major)
    if found is None:
        raise PostgresError(
            f"The data in {cluster.data(major)} was made by PostgreSQL {major}, whose programs are neither beside it "
            f"nor in the installed {WHEEL}. Install a version of {WHEEL} that carries PostgreSQL {major}, "
            f"start Keepsake once with it, then upgrade again."
        )
    return found if found.folder.is_relative_to(cluster.home) else copy_installation(found, cluster.home)


def _check_room(old: Path) -> None:
    size = sum(path.stat().st_size for path in old.rglob("*") if path.is_file())
    free = shutil.disk_usage(old).free
    if free < size + SPARE_BYTES:
        raise PostgresError(
            f"The upgrade of the database copies {size // MIB} MiB, and {free // MIB} MiB are free under {old.parent}: "
            f"free {(size + SPARE_BYTES - free) // MIB + 1} MiB more."
        )


def _run(cluster: Cluster, old: Server, installation: Installation, draft: Path) -> None:
    address = choose_address(cluster.home, cluster.account)
    sockets = ["--socketdir", address.host] if address.folder else []
    done = cluster.account.run(
        [
            installation.program("pg_upgrade"), "--username", SUPERUSER, "--copy", *sockets,
            "--old-bindir", old.installation.program(""), "--new-bindir", installation.program(""),
            "--old-datadir", old.data, "--new-datadir", draft,
        ],
        cwd=cluster.home,
        environment={"PGPASSFILE": str(cluster.passfile)},
    )  # fmt: skip
    if done.returncode:
        raise PostgresError(
            f"The database could not be brought from PostgreSQL {old.installation.major} to {installation.major}; "
            f"the old one is untouched in {old.data}. pg_upgrade said:\n{done.stdout.strip()}"
        )
