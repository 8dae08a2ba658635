"""Starting, adopting, healing and stopping the embedded server, with real processes and real kills."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen
from time import sleep

import psutil
import psycopg
import pytest

from memory_app.postgres.cluster import server_folder
from memory_app.postgres.embedded import EmbeddedDatabase, embedded_database
from memory_app.postgres.installation import PostgresError
from memory_app.postgres.server import Server
from tests.postgres.conftest import connect

User = Callable[[], tuple[Popen[str], int]]


def test_what_was_written_is_there_after_a_stop_and_a_second_start(data: Path) -> None:
    with embedded_database(data), connect(data) as connection:
        connection.execute("CREATE TABLE kept (word text)")
        connection.execute("INSERT INTO kept VALUES ('blue tile')")
    with pytest.raises(psycopg.OperationalError, match="Is the server running"), connect(data):
        pass
    with embedded_database(data), connect(data) as connection:
        assert connection.execute("SELECT word FROM kept").fetchall() == [("blue tile",)]


def test_acknowledged_rows_survive_a_kill_of_the_server(data: Path) -> None:
    with embedded_database(data) as used:
        with connect(data) as connection:
            connection.execute("CREATE TABLE kept (number int)")
            for number in range(50):
                connection.execute("INSERT INTO kept VALUES (%s)", [number])
            _kill(used.server)
        assert used.restart_if_dead()
        with connect(data) as connection:
            assert connection.execute("SELECT count(*), sum(number) FROM kept").fetchone() == (50, 1225)


def test_a_server_that_runs_needs_no_healing(server: EmbeddedDatabase) -> None:
    before = server.server.postmaster()
    assert not server.restart_if_dead()
    assert server.server.postmaster() == before


def test_the_server_stops_with_the_last_of_two_users(data: Path, user: User) -> None:
    first, pid = user()
    second, adopted = user()
    assert adopted == pid
    first.communicate()
    assert psutil.pid_exists(pid)
    with connect(data) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    second.communicate()
    assert not _alive(pid)


def test_a_killed_user_neither_stops_nor_holds_the_server(data: Path, user: User) -> None:
    killed, pid = user()
    killed.kill()
    killed.wait()
    assert _alive(pid)
    with embedded_database(data) as used:
        assert used.server.postmaster() == pid
    assert not _alive(pid)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_stops_the_server_with_its_user(number: signal.Signals, user: User) -> None:
    process, pid = user()
    process.send_signal(number)
    process.wait(120)
    assert not _alive(pid)


def test_a_process_id_that_another_program_has_now_is_cleared(data: Path) -> None:
    with embedded_database(data):
        pass
    stale = server_folder(data) / "data-18" / "postmaster.pid"
    stale.write_text(f"{os.getpid()}\n{stale.parent}\n1700000000\n5432\n/nowhere\n\n  123  456\nready\n")
    with embedded_database(data) as used:
        assert used.server.is_running()
        assert used.server.postmaster() != os.getpid()


def test_a_start_that_was_cut_short_leaves_nothing_that_counts(data: Path) -> None:
    with embedded_database(data):
        pass
    home = server_folder(data)
    (home / "data-18").rename(home / "data-18.new")
    (home / "data-18.new" / "PG_VERSION").unlink()
    with embedded_database(data) as used:
        assert used.server.is_running()
    assert not (home / "data-18.new").exists()


def test_data_of_a_newer_server_is_left_alone(data: Path) -> None:
    newer = server_folder(data) / "data-99"
    newer.mkdir(parents=True)
    with (
        pytest.raises(PostgresError, match="was made by PostgreSQL 99, which is newer than the installed 18"),
        embedded_database(data),
    ):
        pass
    assert list(newer.iterdir()) == []


def _kill(server: Server) -> None:
    """Returns when the kernel has ended it."""
    pid = server.postmaster()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    while server.postmaster() is not None:
        sleep(0.01)


def _alive(pid: int) -> bool:
    """A process that ended but was not yet collected by its parent is not alive."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
