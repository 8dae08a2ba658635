"""The limits of the front that take long to reach: of a request under way, of waiting for a thread, of all bodies."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any, cast

import pytest

from memory_app.serving import gateway, request_body
from memory_app.serving.gateway import Gateway
from memory_app.serving.request_body import BodyBytes, TooSlow, read_body
from memory_app.serving.rsgi import Header, HTTPProtocol, Scope


class Request:
    """What granian would give: the head, the parts of the body as they come, and room for the answer."""

    http_version, scheme, method, query_string, authority = "1.1", "http", "POST", "", None
    server, client = "127.0.0.1:8000", "127.0.0.1:5000"

    def __init__(self, path: str = "/", headers: dict[str, str] | None = None, parts: Iterable[bytes] = ()) -> None:
        self.path, self.headers, self.parts = path, headers or {}, iter(parts)
        self.status, self.sent, self.answer = 0, list[Header](), b""

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._coming()

    async def _coming(self) -> AsyncIterator[bytes]:
        for part in self.parts:
            yield part

    def response_bytes(self, status: int, headers: list[Header], body: bytes) -> None:
        if not self.status:
            self.status, self.sent, self.answer = status, headers, body


def finish(coroutine: Coroutine[Any, Any, None]) -> None:
    """In a thread of its own, as in production: in that of the tests the loop of a browser may be running."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, coroutine).result()


def asked(application: Any, *requests: Request) -> list[int]:
    """The status of each, all asked at once."""

    async def together() -> None:
        made = Gateway(application, dict)
        await asyncio.gather(*(made.__rsgi__(cast(Scope, one), cast(HTTPProtocol, one)) for one in requests))

    finish(together())
    return [one.status for one in requests]


def hello(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    start_response("200 OK", [])
    return [environ["wsgi.input"].read()]


@pytest.fixture
def sends_heartbeats(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A number for each heartbeat of the front."""
    told: list[int] = []
    monkeypatch.setattr(gateway, "send_heartbeat", lambda: told.append(len(told)))
    monkeypatch.setattr(gateway, "HEARTBEAT_SECONDS", 0.001)
    return told


def test_a_request_that_runs_for_too_long_is_given_up_and_its_process_is_to_be_replaced(
    sends_heartbeats: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "WAITING_SECONDS", 0.02)
    monkeypatch.setattr(gateway, "REQUEST_SECONDS", 0.02)
    released, request, after = Event(), Request("/api/v1/memories"), list[int]()

    def endless(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        released.wait(20)
        return hello(environ, start_response)

    async def run() -> None:
        made = Gateway(endless, dict)
        made.__rsgi_init__(asyncio.get_running_loop())
        await made.__rsgi__(cast(Scope, request), cast(HTTPProtocol, request))
        after.append(len(sends_heartbeats))
        await asyncio.sleep(0.02)
        released.set()

    finish(run())
    assert (request.status, dict(request.sent)["retry-after"], dict(request.sent)["connection"]) == (503, "2", "close")
    assert after[0] >= 1
    assert len(sends_heartbeats) == after[0]


def test_who_waits_for_a_thread_for_too_long_is_asked_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "WAITING_SECONDS", 0.05)
    released = Event()

    def slow(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        if environ["PATH_INFO"] == "/last":
            raise AssertionError("this was given up")
        released.wait(0.2)
        return hello(environ, start_response)

    assert asked(slow, *[Request() for _ in range(gateway.THREADS)], Request("/last")) == [200] * 4 + [503]


def test_more_requests_than_may_wait_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "MAX_WAITING", 2)
    assert sorted(asked(hello, *[Request() for _ in range(3)])) == [200, 200, 503]


def test_all_bodies_together_are_held_within_a_size_that_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_body, "MAX_TOTAL_BYTES", 1000)
    sent = [Request(headers={"content-length": "600"}, parts=[b"x" * 600]) for _ in range(2)]
    assert sorted(asked(hello, *sent)) == [200, 503]
    assert asked(hello, Request(headers={"content-length": "900"}, parts=[b"x" * 900])) == [200]


@pytest.mark.parametrize(
    ("headers", "parts"),
    [({"content-length": "9"}, [b"abc", b""]), ({"transfer-encoding": "chunked"}, [b"abc", b"", b""])],
    ids=["announced", "chunked"],
)
def test_a_body_that_was_cut_short_reaches_nobody(headers: dict[str, str], parts: list[bytes]) -> None:
    def unreachable(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        raise AssertionError("half a body was taken for a whole one")

    assert asked(unreachable, Request(headers=headers, parts=parts)) == [400]


def test_a_body_that_trickles_is_given_up_in_the_end() -> None:
    class Trickle(Request):
        async def _coming(self) -> AsyncIterator[bytes]:
            while True:
                await asyncio.sleep(0.005)
                yield b"x"

    async def read(request: Request) -> None:
        scope, protocol = cast(Scope, request), cast(HTTPProtocol, request)
        await read_body(scope, protocol, limit=10**6, seconds=0.05, body_bytes=BodyBytes())

    with pytest.raises(TooSlow):
        finish(read(Trickle(headers={"content-length": "100000"})))
