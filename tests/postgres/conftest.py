"""Data folders for servers of the tests' own, and processes that use them."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from config.env import ROOT
from memory_app.postgres.cluster import server_folder
from memory_app.postgres.embedded import EmbeddedDatabase, embedded_database
from memory_app.postgres.server import Server

# Uses the server until its input ends; prints the server's process id when it is ready.
USER = """
import sys
from config.env import Env
from memory_app.postgres import running_database
with running_database(Env.read()) as database:
    print(database.server.postmaster(), flush=True)
    sys.stdin.read()
"""


def _folder() -> Iterator[Path]:
    """Not pytest's own temporary folder: under root that is closed to the user who runs the server."""
    folder = Path(tempfile.mkdtemp(prefix="keepsake-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def place() -> Iterator[Path]:
    """An empty folder that every user may pass through."""
    for folder in _folder():
        folder.chmod(0o711)
        yield folder


@pytest.fixture(scope="session")
def made() -> Iterator[Path]:
    """A data folder with a server that was made once, to copy: making one takes seconds on a busy machine."""
    for folder in _folder():
        with embedded_database(folder):
            pass
        yield folder


@pytest.fixture
def data(made: Path) -> Iterator[Path]:
    """A data folder of the test's own, whose server does not run yet."""
    yield from _copy(made)


def _copy(made: Path) -> Iterator[Path]:
    for folder in _folder():
        subprocess.run(["cp", "-a", "--reflink=auto", f"{made}/.", folder], check=True)
        (server_folder(folder) / "address").unlink()
        yield folder


@pytest.fixture(scope="module")
def shared(made: Path) -> Iterator[Server]:
    """A running server for the tests of one file."""
    for folder in _copy(made):
        with embedded_database(folder) as used:
            yield used.server


@pytest.fixture
def server(data: Path) -> Iterator[EmbeddedDatabase]:
    """A running server for one test that is going to hurt it."""
    with embedded_database(data) as used:
        yield used


@pytest.fixture
def user(data: Path) -> Iterator[Callable[[], tuple[subprocess.Popen[str], int]]]:
    """Starts another process that uses the server of `data`; answers it and the server's process id."""
    started: list[subprocess.Popen[str]] = []

    def start() -> tuple[subprocess.Popen[str], int]:
        environment = {**os.environ, "KEEPSAKE_DATA": str(data), "DATABASE_URL": ""}
        process = subprocess.Popen(
            [sys.executable, "-c", USER],
            cwd=ROOT,
            env=environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            preexec_fn=_hear_hangups,
        )
        started.append(process)
        assert process.stdout is not None
        return process, int(process.stdout.readline())

    yield start
    for process in started:
        process.communicate()


def _hear_hangups() -> None:
    """What is started under `nohup`, as tests may be, ignores them, and so do its children."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def connect(data: Path, password: str | None = None) -> psycopg.Connection[tuple[object, ...]]:
    """A connection as the ordinary role, as the application makes it."""
    home = server_folder(data)
    host, port = (home / "address").read_text().split("\n")
    return psycopg.connect(
        host=host,
        port=port,
        user="keepsake",
        password=password,
        dbname="keepsake",
        passfile=str(home / "pgpass"),
        autocommit=True,
    )
