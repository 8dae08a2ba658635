"""One embedded server: its settings, whether it runs, starting and stopping it. Who may do so is for `embedded`.

An administrator's own settings go into `custom.conf` beside the data, and win.
"""

import os
import signal
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import psutil
import psycopg

from memory_app.postgres.account import Account
from memory_app.postgres.address import Address, address_of, choose_address
from memory_app.postgres.cluster import SUPERUSER, Cluster
from memory_app.postgres.installation import Installation, PostgresError

# Replaying the log after a crash may take long; a server that is still at it is not given up on.
START_SECONDS = 300
STOP_SECONDS = 60
# Backends notice within moments that their postmaster was killed; one in a long query may not, and is then stopped.
ORPHAN_SECONDS = 10
LOG_BYTES = 10 * 1024 * 1024
LOG_TAIL_LINES = 6


@dataclass(frozen=True)
class Server:
    """The server of a cluster, run by an engine of the version that made the data."""

    cluster: Cluster
    installation: Installation

    @property
    def data(self) -> Path:
        return self.cluster.data(self.installation.major)

    @property
    def address(self) -> Address:
        return address_of(self.cluster.home)

    def connect(self, database: str = "postgres", user: str = SUPERUSER) -> psycopg.Connection[Any]:
        """A connection of its own, autocommitting. As the superuser unless told otherwise: for the launcher alone."""
        return psycopg.connect(
            host=self.address.host,
            port=self.address.port,
            user=user,
            dbname=database,
            passfile=str(self.cluster.passfile),
            connect_timeout=10,
            autocommit=True,
            application_name="keepsake launcher",
        )

    def is_running(self) -> bool:
        """Its process is alive, names this data folder, and answers a query."""
        return self.postmaster() is not None and self._answers()

    def postmaster(self) -> int | None:
        """The process id of this data folder's server, if that process is alive and really is it."""
        try:
            pid = int((self.data / "postmaster.pid").read_text().split("\n", 1)[0])
            command = psutil.Process(pid).cmdline()
        except (OSError, ValueError, psutil.Error):
            return None
        return pid if any(_same_folder(part, self.data) for part in command) else None

    def start(self) -> None:
        """Starts the server, or waits for one that is still starting, until it answers.

        One that was killed replays its log first.
        """
        if self.postmaster() is not None:
            return self._wait()
        self._clear_stale()
        address = choose_address(self.cluster.home, self.cluster.account)
        self._clear_socket(address)
        write_configuration(self.data, address, self.cluster.account, self.cluster.home, self.installation.major)
        self._rotate_log()
        started = self._control("start", "-t", str(START_SECONDS), "-l", str(self.cluster.log))
        if started.returncode or not self.is_running():
            raise PostgresError(f"The database did not start. {self._log_tail() or started.stdout.strip()}")

    def stop(self) -> None:
        """Ends open connections, writes everything to disk and stops. Nothing happens if it does not run."""
        if self.postmaster() is None:
            return
        stopped = self._control("stop", "-m", "fast", "-t", str(STOP_SECONDS))
        if stopped.returncode and self.postmaster() is not None:
            raise PostgresError(f"The database did not stop: {stopped.stdout.strip()}")

    def _wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if self.postmaster() is None or time.monotonic() > deadline:
                raise PostgresError(f"The database does not answer. {self._log_tail()}")
            time.sleep(0.1)

    def _control(self, verb: str, *options: str) -> CompletedProcess[str]:
        return self.cluster.account.run(
            [self.installation.program("pg_ctl"), verb, "-D", self.data, "-w", *options], cwd=self.cluster.home
        )

    def _answers(self) -> bool:
        try:
            with self.connect() as connection:
                return connection.execute("SELECT 1").fetchone() == (1,)
        except psycopg.OperationalError:
            return False

    def _clear_stale(self) -> None:
        """Makes way after a kill: waits for orphaned backends, then drops a process id that now is another program's.

        The order matters. Two servers on one folder would destroy it, and the file with the id is part of what
        PostgreSQL itself checks; so it goes only when no process works in the folder any more.
        """
        deadline = time.monotonic() + ORPHAN_SECONDS
        while orphans := _processes_in(self.data):
            if time.monotonic() > deadline:
                _send_quit(orphans)
            time.sleep(0.05)
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def _clear_socket(self, address: Address) -> None:
        """Drops the socket of a server that was killed, and the lock beside it, which may name another program by now.

        One that answers belongs to a server whose processes are not to be seen from here: that of another container.
        """
        if address.socket is None or not address.socket.exists():
            return
        with socket.socket(socket.AF_UNIX) as client:
            if client.connect_ex(str(address.socket)) == 0:
                raise PostgresError(
                    f"A server that is not on this machine (in another container?) already uses {self.cluster.home}. "
                    "Stop it, or give each its own KEEPSAKE_DATA."
                )
        address.socket.with_name(f"{address.socket.name}.lock").unlink(missing_ok=True)
        address.socket.unlink()

    def _rotate_log(self) -> None:
        log = self.cluster.log
        if log.exists() and log.stat().st_size > LOG_BYTES:
            log.rename(log.with_suffix(".log.1"))

    def _log_tail(self) -> str:
        try:
            lines = self.cluster.log.read_text(errors="replace").splitlines()
        except OSError:
            return ""
        return f"The end of {self.cluster.log}:\n" + "\n".join(lines[-LOG_TAIL_LINES:])


def _same_folder(part: str, data: Path) -> bool:
    try:
        return part.startswith("/") and os.path.samefile(part, data)
    except OSError:
        return False


def _processes_in(data: Path) -> list[psutil.Process]:
    """Server processes whose working folder is the data folder: there all of PostgreSQL's live."""
    found = []
    for process in psutil.process_iter(["name"]):
        try:
            if process.info["name"] == "postgres" and process.cwd() == str(data):
                found.append(process)
        except psutil.Error:
            continue
    return found


def _send_quit(processes: list[psutil.Process]) -> None:
    """SIGQUIT makes a backend leave at once; what it had not committed is undone when the log is replayed."""
    for process in processes:
        try:
            process.send_signal(signal.SIGQUIT)
        except psutil.Error:
            continue


# For a machine of 2 cores and a few gigabytes that also runs the web server, the worker and an encoder:
# everything idle together stays under 1 GB.
MEMORY: Mapping[str, str] = {
    "shared_buffers": "128MB",
    "effective_cache_size": "1GB",
    "work_mem": "16MB",
    "maintenance_work_mem": "128MB",
    "max_connections": "60",
    "max_logical_replication_workers": "0",
    "io_method": "sync",  # the default keeps three more processes, for disks that are far away
}
# A write is acknowledged when it is on disk (fsync and synchronous_commit stay on).
DISK: Mapping[str, str] = {
    "wal_compression": "on",
    "wal_recycle": "off",  # a segment used again would keep, beyond its new records, what was erased meanwhile
    "max_wal_size": "512MB",
    "checkpoint_timeout": "15min",
    "random_page_cost": "1.1",
}
# Compiling costs more than our queries, which take milliseconds.
PLANNING: Mapping[str, str] = {"jit": "off"}
# The log must not hold what a person later erases: no failing row, no statement.
LOG: Mapping[str, str] = {
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
    "log_min_messages": "warning",
    "log_checkpoints": "off",
    "log_parameter_max_length_on_error": "0",
    "log_line_prefix": "'%m [%p] '",
}
PLACE: Mapping[str, str] = {
    "timezone": "'UTC'",
    "log_timezone": "'UTC'",
    "datestyle": "'iso, ymd'",
    "password_encryption": "scram-sha-256",
}


def write_configuration(data: Path, address: Address, account: Account, home: Path, major: int) -> None:
    """Writes the server's two configuration files anew, so that they always fit the engine that reads them."""
    settings = {**MEMORY, **DISK, **PLANNING, **LOG, **PLACE, **_listening(address)}
    if major < 18:
        del settings["io_method"]
    text = [f"{name} = {value}" for name, value in settings.items()]
    custom = _quoted(str(home / "custom.conf"))
    _write_file(data / "postgresql.conf", [*text, f"include_if_exists = {custom}"], account)
    where = "local all all" if address.folder else "host all all 127.0.0.1/32"
    _write_file(data / "pg_hba.conf", [f"{where} scram-sha-256"], account)


def _listening(address: Address) -> dict[str, str]:
    return {
        "listen_addresses": "''" if address.folder else _quoted(address.host),
        "unix_socket_directories": _quoted(str(address.folder or "")),
        "unix_socket_permissions": "0700",
        "port": str(address.port),
    }


def _quoted(value: str) -> str:
    """A string of postgresql.conf. Double quotes inside keep a folder with a comma from reading as two."""
    inner = f'"{value}"' if "," in value else value
    return "'" + inner.replace("\\", "\\\\").replace("'", "''") + "'"


def _write_file(path: Path, lines: list[str], account: Account) -> None:
    path.write_text("\n".join(["# Written by Keepsake at each start; see custom.conf.", *lines, ""]))
    account.take_ownership(path, 0o600)
