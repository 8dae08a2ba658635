"""The Python client: over a real port, sync and async; and what it tries again, and what it does not."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from keepsake_client import (
    ApiError,
    AsyncKeepsake,
    Call,
    ChangedMeanwhile,
    Conflict,
    ConnectionFailed,
    Invalid,
    Keepsake,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    ServerError,
    calls,
)
from pytest_django.live_server_helper import LiveServer

from memory_app.models import ApiKey
from tests.database import wait_for_threads


@pytest.mark.django_db(transaction=True)
def test_all_that_it_does_is_done_over_a_real_port(live_server: LiveServer) -> None:
    _, token = ApiKey.issue("client", scopes=["read", "write"])
    with ThreadPoolExecutor(1) as thread:
        thread.submit(_use, live_server.url, token).result()
        thread.submit(asyncio.run, _use_async(live_server.url, token)).result()
    wait_for_threads()


def _use(url: str, token: str) -> None:
    with Keepsake(url, token) as keepsake:
        memory = keepsake.add_memory("al/ice", "I like green tea", tags=["tea"])
        assert keepsake.get_memory(memory["id"]) == memory
        assert keepsake.remember("al/ice", "remember that the cat is grey")["outcome"] == "added"
        changed = keepsake.update_memory(memory["id"], version=1, tags=["tea", "drinks"])
        assert changed["version"] == 2
        with pytest.raises(ChangedMeanwhile, match="412"):
            keepsake.update_memory(memory["id"], version=1, tags=[])
        assert [item["id"] for item in keepsake.list_memories("al/ice", tag="drinks")["items"]] == [memory["id"]]
        with pytest.raises(Invalid, match="no such query parameter"):
            keepsake.list_memories("al/ice", tga="drinks")
        made = keepsake.add_memory("al/ice", "The lamp is red", type="fact", attributes={"project": "x"})["id"]
        for filters in ({"attributes": {"project": "x"}}, {"tags": ["drinks"]}, {"type": "task"}):
            found = [item["id"] for item in keepsake.list_memories("al/ice", **filters)["items"]]
            assert found == {"attributes": [made], "tags": [memory["id"]], "type": []}[next(iter(filters))]
        assert keepsake.search("al/ice", "green tea", limit=1)["results"][0]["memory"] == changed
        assert "green tea" in keepsake.context("al/ice", "What do you remember about green tea?")["text"]
        talk = keepsake.open_conversation("al/ice", external_id="thread")["id"]
        keepsake.add_turns(talk, [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Good day"}])
        assert keepsake.remove_last_turn(talk)["content"] == "Good day"
        assert [turn["content"] for turn in keepsake.list_turns(talk)["items"]] == ["Hello"]
        assert keepsake.get_conversation(talk)["turns"] == 1
        assert "green tea" in keepsake.get_profile("al/ice")
        assert keepsake.put_profile("al/ice", keepsake.get_profile("al/ice") + "- I row\n")["added"]
        keepsake.add_note("al/ice", "2026-11-20", "It rained")
        assert "It rained" in keepsake.get_notes("al/ice", "2026-11-20")["text"]
        assert keepsake.propose("al/ice", [{"content": "I sing in a choir"}])[0]["proposal"]
        assert len(keepsake.list_proposals("al/ice")["items"]) == 1
        put = {"op": "put", "namespace": ["a"], "key": "k", "value": {"n": 1}}
        assert keepsake.run_items([put, {"op": "search"}], person="al/ice")[1]["items"][0]["value"] == {"n": 1}  # type: ignore[index]
        keepsake.delete_memory(memory["id"])
        with pytest.raises(NotFound):
            keepsake.get_memory(memory["id"])
        with pytest.raises(Invalid, match="content") as refused:
            keepsake.add_memory("al/ice", "")
        assert refused.value.errors[0]["field"] == "content"
        assert refused.value.request_id
        with pytest.raises(NotAllowed, match="scope"):
            keepsake.run(Call("GET", "/admin/jobs"))
    with Keepsake(url, "ks_wrong") as stranger, pytest.raises(NotAuthenticated):
        stranger.get_profile("al/ice")


async def _use_async(url: str, token: str) -> None:
    async with AsyncKeepsake(url, token) as keepsake:
        await keepsake.add_memory("bob", "I like black tea")
        found = await asyncio.gather(*[keepsake.search("bob", "tea") for _ in range(3)])
        assert [one["total_found"] for one in found] == [1, 1, 1]
        with pytest.raises(NotFound):
            await keepsake.get_conversation("0196f0a0-0000-7000-8000-000000000001")


class Server:
    """Answers as it was told to, one answer for each request, and notes what was sent."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers, self.requests = list(answers), list[httpx.Request]()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


DONE = httpx.Response(200, json={"done": True})


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long it would have waited."""
    waited: list[float] = []
    monkeypatch.setattr("keepsake_client.client.time", SimpleNamespace(sleep=waited.append))
    return waited


def called(server: Server, method: str = "POST", retries: int = 3) -> Any:
    with Keepsake("http://keepsake.test", "k", retries=retries, transport=httpx.MockTransport(server)) as keepsake:
        return keepsake.run(Call(method, "/memories", {} if method == "POST" else None))


def test_what_creates_is_tried_again_under_one_idempotency_key(pauses: list[float]) -> None:
    server = Server(httpx.ReadTimeout("slow"), httpx.Response(503, headers={"Retry-After": "7"}), DONE)
    assert called(server) == {"done": True}
    assert len({request.headers["Idempotency-Key"] for request in server.requests}) == 1
    assert 0 < pauses[0] < 1
    assert pauses[1] == 7
    called(other := Server(DONE))
    assert other.requests[0].headers["Idempotency-Key"] != server.requests[0].headers["Idempotency-Key"]


def in_flight() -> httpx.Response:
    return httpx.Response(409, headers={"Retry-After": "2"}, json={"title": "Conflict", "detail": "still in flight"})


def test_the_answer_to_a_try_that_got_none_is_waited_for(pauses: list[float]) -> None:
    server = Server(httpx.ReadTimeout("slow"), *[in_flight() for _ in range(10)], DONE)
    assert called(server, retries=1) == {"done": True}
    assert len({request.headers["Idempotency-Key"] for request in server.requests}) == 1
    assert len(pauses) == 11
    assert pauses[1:3] == [2, 2]


def test_it_is_not_waited_for_without_end_and_no_other_conflict_is(pauses: list[float]) -> None:
    with pytest.raises(Conflict, match="still in flight"):
        called(Server(httpx.ReadTimeout("slow"), *[in_flight() for _ in range(100)]))
    assert 200 < sum(pauses) <= 301
    for first in ([], [httpx.ReadTimeout("slow")]):
        taken = Server(*first, httpx.Response(409, json={"title": "Conflict", "detail": "taken"}))
        with pytest.raises(Conflict, match="taken"):
            called(taken)
        assert not taken.answers


@pytest.mark.parametrize("name", ["", ".", "..", "...", "../x", "x/history"])
def test_what_would_be_another_address_is_no_id(name: str) -> None:
    with pytest.raises(ValueError, match="is no id"):
        calls.get_memory(name, None)
    with pytest.raises(ValueError, match="is no id"):
        calls.get_document("cli", name)


@pytest.mark.parametrize("name", ["", ".", "..", "a/../b", "./a"])
def test_what_would_be_another_address_is_no_name(name: str) -> None:
    with pytest.raises(ValueError, match="is no name"):
        calls.get_profile(name)


def test_any_other_name_is_a_part_of_the_address() -> None:
    assert calls.get_profile("a/b..c").path == "/people/a%2Fb..c/profile.md"


def test_what_is_no_use_to_try_again_is_not() -> None:
    refused = Server(httpx.Response(422, json={"title": "Bad input", "detail": "content: is missing"}))
    with pytest.raises(Invalid, match="content: is missing"):
        called(refused)
    long = Server(httpx.Response(429, headers={"Retry-After": "3600"}))
    with pytest.raises(ApiError, match="429"):
        called(long)
    assert len(refused.requests) == len(long.requests) == 1


@pytest.mark.parametrize(
    ("outcome", "tries"),
    [
        (lambda: httpx.ReadTimeout("slow"), 1),
        (lambda: httpx.ConnectError("refused"), 2),
        (lambda: httpx.Response(502), 1),
        (lambda: httpx.Response(503), 2),
    ],
)
def test_what_changes_something_is_tried_again_only_where_nothing_happened(
    outcome: Callable[[], httpx.Response | Exception], tries: int
) -> None:
    server = Server(outcome(), DONE)
    try:
        called(server, "DELETE")
    except (ConnectionFailed, ServerError):
        assert tries == 1
    assert len(server.requests) == tries


def test_it_gives_up_and_says_so() -> None:
    server = Server(*[httpx.ConnectError("refused") for _ in range(3)])
    with pytest.raises(ConnectionFailed, match="POST /memories: refused"):
        called(server, retries=2)
    with pytest.raises(ServerError, match="500"):
        called(Server(httpx.Response(500, text="oops")))
