"""The front of the web server, from outside: real sockets that send nothing, and a real process that hangs."""

import http.client
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from http.client import HTTPException
from time import monotonic, sleep

import pytest

from config.env import ROOT
from tests.serving.conftest import watch
from tests.serving.test_serving_processes import free_port

SUPERVISOR = """
import os
from config.env import Env
from memory_app.serving import heartbeat, supervisor, web
from memory_app.serving.child_process import Program
heartbeat.SILENT_SECONDS = 3.0
env = Env.read()
command = [*web.web_server_program(env).command[:-1], "tests.serving.small_app:application"]
small = Program("web server", command, sends_heartbeats=True)
tell = lambda line: os.write(1, f"{line}\\n".encode())
hooks = supervisor.SupervisorHooks(lambda: web.is_answering(env), lambda: tell("all is ready"), lambda: None, tell)
raise SystemExit(supervisor.supervise([small], hooks))
"""
KEY = {"Authorization": "Bearer ks_something"}


@dataclass
class Answer:
    status: int
    text: str
    headers: dict[str, str]
    seconds: float


@dataclass
class Server:
    port: int
    process: subprocess.Popen[str]

    def until(self, words: str) -> str:
        assert self.process.stdout is not None
        lines: list[str] = []
        for line in self.process.stdout:
            lines.append(line)
            if words in line:
                return line
        raise AssertionError("".join(lines))

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)

    def ask(self, path: str, body: bytes | Iterable[bytes] | None = None, headers: dict[str, str] = {}) -> Answer:  # noqa: B006
        with closing(self.connect()) as connection:
            return ask(connection, path, body, headers)

    def stall(self, stack: ExitStack, number: int, head: str) -> list[socket.socket]:
        """So many connections that announce a body, and send a byte of it."""
        opened = [stack.enter_context(socket.create_connection(("127.0.0.1", self.port), 20)) for _ in range(number)]
        for one in opened:
            one.sendall(f"{head}\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{{".encode())
        return opened


def ask(
    connection: http.client.HTTPConnection,
    path: str,
    body: bytes | Iterable[bytes] | None = None,
    headers: dict[str, str] = {},  # noqa: B006
) -> Answer:
    started = monotonic()
    connection.request("GET" if body is None else "POST", path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    return Answer(answer.status, text, {k.lower(): v for k, v in answer.getheaders()}, monotonic() - started)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-c", SUPERVISOR],
        cwd=ROOT,
        env={**os.environ, "PORT": str(port)},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    watch(process, 90)
    started = Server(port, process)
    started.until("all is ready")
    yield started
    process.terminate()
    process.communicate()


def test_stalled_sockets_keep_nobody_from_being_answered(server: Server) -> None:
    with ExitStack() as stack:
        strangers = server.stall(stack, 64, "POST /login/ HTTP/1.1")
        with_key = server.stall(stack, 24, f"POST /api/v1/remember HTTP/1.1\r\nAuthorization: {KEY['Authorization']}")
        answers = [server.ask("/healthz"), server.ask("/anything"), server.ask("/api/v1/search", b"{}", KEY)]
        assert [answer.status for answer in answers] == [200] * 3
        assert max(answer.seconds for answer in answers) < 1
        for one in (strangers[0], with_key[0]):
            told = _all_of(one)
            assert told.startswith(b"HTTP/1.1 408")
            assert b"connection: close" in told
        assert b"application/problem+json" in told


def test_health_is_answered_within_a_second_while_nothing_answers_the_server(server: Server) -> None:
    for _ in range(2):
        ready = server.ask("/readyz")
        assert ready.status == 503
        assert ready.seconds < 1
        assert re.search(r'"database": "(no answer for|its state could not be asked)', ready.text)
    assert server.ask("/healthz").text == "ok"


def test_chunks_are_put_together(server: Server) -> None:
    answer = server.ask("/api/v1/search", iter([b'{"a":', b'"b"}']), KEY)
    assert answer.text.split()[1:3] == ["9", "9"]


def test_a_body_that_is_too_large_is_refused_by_the_application_unread(server: Server) -> None:
    """A client that still sends sees the answer, and no other request on this connection."""
    for body in (b"x" * 700_000, iter([b"x" * 70_000] * 10)):
        answer = server.ask("/api/v1/search", body, KEY)
        _, read, announced, *_ = answer.text.split()
        assert read == "0"
        assert int(announced) > 640 * 1024
        assert answer.headers["connection"] == "close"


def test_a_stranger_may_send_little(server: Server) -> None:
    assert server.ask("/login/", b"x" * 60_000).text.split()[1] == "60000"
    assert server.ask("/login/", b"x" * 66_000).text.split()[1:3] == ["0", "66000"]
    assert server.ask("/people/", b"x" * 66_000, {"Cookie": "sessionid=a"}).text.split()[1] == "66000"


def test_a_connection_is_kept_after_answers_of_each_kind(server: Server) -> None:
    with closing(server.connect()) as connection:
        answers = [ask(connection, "/long"), ask(connection, "/fail", b"x" * 60_000), ask(connection, "/anything")]
    assert [answer.status for answer in answers] == [200, 500, 200]
    assert answers[0].text == "x" * 3_000_000
    assert not any("connection" in answer.headers for answer in answers)


def test_a_header_that_looks_like_that_of_a_proxy_is_none(server: Server) -> None:
    assert server.ask("/", headers={"X_A": "b"}).text.split()[3:] == ["127.0.0.1", "-"]
    assert server.ask("/", headers={"X-A": "b"}).text.split()[4] == "b"


def test_a_process_in_which_a_request_holds_pythons_lock_is_replaced(server: Server) -> None:
    before = server.ask("/").text.split()[0]
    with socket.create_connection(("127.0.0.1", server.port)) as hanging:
        hanging.sendall(b"GET /hold HTTP/1.1\r\nHost: localhost\r\n\r\n")
        said = server.until("is replaced")
        assert f"its process {before} has not answered for 3 s" in said
    after = _eventually(server).text.split()[0]
    assert after != before


def _all_of(one: socket.socket) -> bytes:
    told = b""
    while part := one.recv(4096):
        told += part
    return told


def _eventually(server: Server) -> Answer:
    """The first answer there is from a server that starts again."""
    for _ in range(200):
        with suppress(OSError, HTTPException):
            return server.ask("/")
        sleep(0.1)
    return server.ask("/")
