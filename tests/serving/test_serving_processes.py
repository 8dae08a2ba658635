"""`manage.py serve` and the commands beside it, from outside: real processes, real signals, a real port."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

import psutil
import pytest
from django.conf import settings

from config.env import ROOT
from memory_app.embedding.model_files import prepare_model
from memory_app.postgres.cluster import server_folder
from tests.serving.conftest import gone, watch

KEY = re.compile(r"ks_[\w-]+")
SERVE = """
import manage
from memory_app.serving import heartbeat
heartbeat.SILENT_SECONDS = 4.0  # no test is to wait for longer
manage.main(["manage.py", "serve"])
"""


class Served:
    """A running `manage.py serve` that has greeted."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.port = free_port()
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVE],
            cwd=ROOT,
            env=_environment(data, PORT=str(self.port)),
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        watch(self.process, 120)
        self.greeting = self.until(r"curl |key create")

    def until(self, pattern: str) -> str:
        """What it prints up to and with the next line like that."""
        assert self.process.stdout is not None
        said = ""
        for line in self.process.stdout:
            said += line
            if re.search(pattern, line):
                return said
        raise AssertionError(said)

    def database(self) -> int:
        return int((server_folder(self.data) / "data-18" / "postmaster.pid").read_text().split()[0])

    def web(self) -> psutil.Process:
        children = psutil.Process(self.process.pid).children()
        return next(child for child in children if "granian" in child.cmdline())

    def worker(self) -> psutil.Process:
        children = psutil.Process(self.process.pid).children()
        return next(child for child in children if "worker" in child.cmdline())

    def family(self) -> set[int]:
        """The processes of the web server and the worker."""
        return {child.pid for child in psutil.Process(self.process.pid).children(recursive=True)}

    def finds(self, query: str, key: str) -> list[str]:
        """What a search of Alice's memories answers."""
        found = self.ask(key, "/search", {"person": "alice", "query": query})
        return [result["memory"]["content"] for result in found["results"]]

    def health(self, path: str) -> tuple[int, float]:
        """The status, and in how many seconds it came."""
        started = monotonic()
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=20)) as connection:
            connection.request("GET", path)
            return connection.getresponse().status, monotonic() - started

    def ask(self, key: str, path: str, body: object = None) -> dict[str, Any]:
        """What the API answers: to a POST, if there is a body."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/v1{path}",
            None if body is None else json.dumps(body).encode(),
            {"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            told: dict[str, Any] = json.load(answer)
            return told

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        if self.process.returncode is None:
            self.process.communicate()
        return self.process.returncode


@pytest.fixture
def data() -> Iterator[Path]:
    """A data folder with nothing in it but the prepared model, which takes long to make."""
    prepare_model(settings.KEEPSAKE_EMBEDDING_MODEL, settings.KEEPSAKE_DATA)
    folder = Path(tempfile.mkdtemp(prefix="keepsake-"))
    (folder / "models").symlink_to(settings.KEEPSAKE_DATA / "models")
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def serve(data: Path) -> Iterator[Callable[[], Served]]:
    started: list[Served] = []

    def start() -> Served:
        started.append(Served(data))
        return started[-1]

    yield start
    for served in started:
        served.end(signal.SIGINT)


def test_the_first_start_hands_out_a_line_that_works_and_parts_that_were_killed_start_again(
    serve: Callable[[], Served],
) -> None:
    served = serve()
    [key] = set(KEY.findall(served.greeting))
    [line] = re.findall(r"^ +(curl .*)$", served.greeting, re.MULTILINE)
    answer = json.loads(subprocess.run(line, shell=True, check=True, capture_output=True, text=True).stdout)
    kept = answer["memory"]["content"]
    assert "blue tile" in kept

    served.web().kill()
    served.until("The web server .* was killed by SIGKILL; it starts again")
    os.kill(served.database(), signal.SIGKILL)
    served.until("The database had been killed; it runs again")
    assert _eventually(lambda: served.finds("which tile did we choose?", key)) == [kept]

    with _stopped(psutil.Process(served.database())):
        health = [served.health(path) for path in ("/healthz", "/readyz")]
    assert [status for status, _ in health] == [200, 503]
    assert max(seconds for _, seconds in health) < 1

    everyone = served.family() | {served.database()}
    assert served.end(signal.SIGINT) == 0
    assert gone(everyone)


class Writers:
    """People who keep telling things, each on a thread, and what of it was acknowledged: id to content."""

    def __init__(self, served: Served, key: str) -> None:
        self.served, self.key, self.acknowledged = served, key, dict[str, str]()
        self._stopped = Event()
        self._threads = [Thread(target=self._tell, args=(person,)) for person in ("alice", "bob", "charlie")]
        for thread in self._threads:
            thread.start()

    def _tell(self, person: str) -> None:
        for number in count():
            if self._stopped.is_set():
                return
            try:
                body = {"person": person, "content": f"Parcel {uuid4().hex} of {person} lies on shelf {number}"}
                kept = self.served.ask(self.key, "/memories", body)
                self.acknowledged[kept["id"]] = kept["content"]
            except (OSError, HTTPException, ValueError):  # refused, cut off, or cut short: not acknowledged
                sleep(0.05)

    def tell_more(self, number: int) -> None:
        """Waits until so many more were acknowledged."""
        wanted, deadline = len(self.acknowledged) + number, monotonic() + 60
        while len(self.acknowledged) < wanted:
            assert monotonic() < deadline, "nobody was answered for a minute"
            sleep(0.02)

    def stop(self) -> None:
        self._stopped.set()
        for thread in self._threads:
            thread.join()


def test_a_key_is_printed_alone_and_what_was_acknowledged_while_everything_hung_and_was_killed_is_there(
    data: Path, serve: Callable[[], Served]
) -> None:
    """A key of before the first start, and one made beside a server that then hangs, is killed and starts again."""
    alone = _manage(data, "key", "create", "first")
    assert KEY.fullmatch(alone.stdout.strip()), alone
    assert not (server_folder(data) / "data-18" / "postmaster.pid").exists()
    served = serve()
    assert "user create NAME --super" in served.greeting
    beside = _manage(data, "key", "create", "second")
    assert KEY.fullmatch(beside.stdout.strip()), beside
    key = beside.stdout.strip()
    assert served.finds("anything", alone.stdout.strip()) == served.finds("anything", key) == []
    writers = Writers(served, key)
    try:
        writers.tell_more(30)
        hung = [served.web().children()[0], served.worker().children(recursive=True)[-1]]
        for process in hung:
            process.suspend()  # as one looks from outside in which something holds Python's lock
        said = served.until("is replaced") + served.until("is replaced")
        assert all(f"its process {process.pid} has not answered for 4 s" in said for process in hung)
        writers.tell_more(30)
        os.kill(served.database(), signal.SIGKILL)
        writers.tell_more(30)
        family = served.family()
        served.end(signal.SIGKILL)
        assert gone(family)
    finally:
        writers.stop()
    again = serve()
    assert "sign in as" not in again.greeting
    assert len(writers.acknowledged) >= 90
    there = {memory: again.ask(key, f"/memories/{memory}")["content"] for memory in writers.acknowledged}
    assert there == writers.acknowledged
    told = [content for content in writers.acknowledged.values() if "of alice" in content]
    assert [again.finds(content, key)[0] for content in told[-3:]] == told[-3:]


def test_a_port_that_is_taken_is_named_and_nothing_is_left_running(data: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        refused = _manage(data, "serve", PORT=port)
    assert refused.returncode == 1
    assert f"cannot listen on 127.0.0.1 port {port}: Address already in use" in refused.stderr
    assert not server_folder(data).exists()


def _manage(data: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=_environment(data, **variables),
        text=True,
        capture_output=True,
        check=False,
    )


def _environment(data: Path, **variables: str) -> dict[str, str]:
    return {**os.environ, "KEEPSAKE_DATA": str(data), **variables}


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


@contextmanager
def _stopped(server: psutil.Process) -> Iterator[None]:
    """As a database whose disk does not answer: connections are taken, and nobody speaks."""
    processes = [server, *server.children(recursive=True)]
    for process in processes:
        process.suspend()
    try:
        yield
    finally:
        for process in processes:
            process.resume()


def _eventually(ask: Callable[[], list[str]]) -> list[str]:
    """The first answer there is: a web server that was killed is away for a moment."""
    for _ in range(100):
        with suppress(OSError):
            return ask()
        sleep(0.1)
    return ask()
