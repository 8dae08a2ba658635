"""Questions to the person while a tool is called: asked by a client that can, answered once, and by nobody else."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import httpx2
import pytest
import time_machine
from django.core import signing
from django.utils import timezone
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import INVALID_PARAMS, ElicitResult
from pytest_django.live_server_helper import LiveServer

from memory_app.mcp.questions import SALT
from memory_app.models import ApiKey
from tests.database import wait_for_threads
from tests.mcp.conftest import Mcp, mcp_with

ASKING: dict[str, Any] = {"elicitation": {}}
WORDS = {"utterance": "forget about the blue tile"}


def _call(mcp: Mcp, capabilities: dict[str, Any], arguments: dict[str, Any], **params: Any) -> dict[str, Any]:
    return mcp.ask_modern(
        "tools/call", {"name": "delete_memory", "arguments": arguments, **params}, capabilities=capabilities
    )


def _asked(mcp: Mcp) -> dict[str, Any]:
    result: dict[str, Any] = _call(mcp, ASKING, WORDS)["result"]
    return result


def _answer(mcp: Mcp, state: str, said: object, action: str = "accept") -> dict[str, Any]:
    response = {"action": action, **({"content": {"answer": said}} if action == "accept" else {})}
    return _call(mcp, ASKING, WORDS, requestState=state, inputResponses={"answer": response})


def _memories(mcp: Mcp) -> list[str]:
    return [one["content"] for one in mcp.call("get_memories")["memories"]]


@pytest.fixture
def alice(db: None) -> Mcp:
    mcp = mcp_with("alice")
    for place in ("kitchen", "bathroom"):
        mcp.call("add_memory", content=f"The blue tile is in the {place}")
    return mcp


def test_which_of_two_is_asked_and_the_chosen_one_goes(alice: Mcp) -> None:
    asked = _asked(alice)
    assert asked["resultType"] == "input_required"
    request = asked["inputRequests"]["answer"]
    assert request["method"] == "elicitation/create"
    assert request["params"]["message"].startswith("Which of these should I forget?")
    options = request["params"]["requestedSchema"]["properties"]["answer"]["oneOf"]
    assert [option["const"] for option in options] == ["1", "2", "all", "none"]
    assert len(_memories(alice)) == 2
    chosen = next(option for option in options if "kitchen" in option["title"])
    done = _answer(alice, asked["requestState"], chosen["const"])["result"]
    assert (done["resultType"], done["structuredContent"]["status"]) == ("complete", "done")
    assert _memories(alice) == ["The blue tile is in the bathroom"]
    again = _answer(alice, asked["requestState"], chosen["const"])["result"]
    assert "no longer open" in again["content"][0]["text"]
    [one] = [_asked(alice)["inputRequests"]["answer"]["params"]]
    assert [option["const"] for option in one["requestedSchema"]["properties"]["answer"]["oneOf"]] == ["yes", "no"]


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_who_does_not_answer_keeps_all_and_closes_the_question(alice: Mcp, action: str) -> None:
    state = _asked(alice)["requestState"]
    kept = _answer(alice, state, None, action)["result"]["structuredContent"]
    assert (kept["status"], kept["message"]) == ("none", "Okay, I'll keep that.")
    assert "no longer open" in _answer(alice, state, "all")["result"]["content"][0]["text"]
    assert len(_memories(alice)) == 2


def test_what_is_no_answer_deletes_nothing_and_may_be_given_again(alice: Mcp) -> None:
    state = _asked(alice)["requestState"]
    for said in (None, "7", "everything", True, ["1"]):
        assert _answer(alice, state, said)["error"]["code"] == INVALID_PARAMS
    empty = _call(alice, ASKING, WORDS, requestState=state, inputResponses={"answer": {"action": "accept"}})
    assert "must be one of: 1, 2, all, none" in empty["error"]["message"]
    for responses in ({}, {"other": {"action": "accept"}}):
        again = _call(alice, ASKING, WORDS, requestState=state, inputResponses=responses)["result"]
        assert again["inputRequests"] == _asked(alice)["inputRequests"]
    assert len(_memories(alice)) == 2
    assert _answer(alice, state, "all")["result"]["structuredContent"]["status"] == "done"


def test_a_client_that_cannot_ask_has_a_token(alice: Mcp) -> None:
    unable: list[dict[str, Any]] = [{}, {"elicitation": {"url": {}}}, {"elicitation": None}]
    for capabilities in unable:
        told = _call(alice, capabilities, WORDS)["result"]
        assert (told["resultType"], told["structuredContent"]["status"]) == ("complete", "choose")
        assert told["structuredContent"]["token"]
    assert _call(alice, {"elicitation": {"form": {}, "url": {}}}, WORDS)["result"]["resultType"] == "input_required"


def test_a_question_is_answered_where_it_was_asked_and_in_time(alice: Mcp) -> None:
    state = _asked(alice)["requestState"]
    forged = signing.dumps({**signing.loads(state, salt=SALT), "key": "x"}, salt="other")
    refused = {
        "another key": _answer(mcp_with("alice"), state, "all"),
        "changed": _answer(alice, state[:-1] + ("A" if state[-1] != "A" else "B"), "all"),
        "signed for something else": _answer(alice, forged, "all"),
        "another tool": alice.ask_modern(
            "tools/call", {"name": "add_memory", "arguments": {}, "requestState": state}, capabilities=ASKING
        ),
    }
    assert {how: told["error"]["code"] for how, told in refused.items()} == dict.fromkeys(refused, INVALID_PARAMS)
    bob = Mcp.__new__(Mcp)
    bob.client, bob.path = alice.client, "/mcp/bob"  # the same key, at another person's address
    assert "no longer open" in _answer(bob, state, "all")["result"]["content"][0]["text"]
    with time_machine.travel(timezone.now() + timedelta(minutes=11)):
        assert "no longer open" in _answer(alice, state, "all")["error"]["message"]
    assert len(_memories(alice)) == 2


def test_a_key_that_may_only_write_asks_without_their_words(alice: Mcp) -> None:
    assert "kitchen" not in json.dumps(_asked(mcp_with("alice", scopes=["write"])))


@pytest.mark.django_db(transaction=True)
def test_the_official_client_puts_the_question_to_the_person(live_server: LiveServer) -> None:
    _, token = ApiKey.issue("client", scopes=["read", "write"], people=["alice"])
    with ThreadPoolExecutor(1) as thread:
        questions, left = thread.submit(asyncio.run, _talk(f"{live_server.url}/mcp", token)).result()
    wait_for_threads()
    assert [question.splitlines()[0] for question in questions] == ["Which of these should I forget?"]
    assert left == []


async def _talk(address: str, token: str) -> tuple[list[str], list[Any]]:
    questions: list[str] = []

    async def asks(context: Any, params: Any) -> ElicitResult:
        questions.append(params.message)
        return ElicitResult(action="accept", content={"answer": "all"})

    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http,
        Client(streamable_http_client(address, http_client=http), elicitation_callback=asks) as client,
    ):
        for place in ("kitchen", "bathroom"):
            await client.call_tool("add_memory", {"content": f"The blue tile is in the {place}"})
        deleted = await client.call_tool("delete_memory", WORDS)
        assert deleted.structured_content
        assert deleted.structured_content["status"] == "done"
        left = await client.call_tool("get_memories", {})
        assert left.structured_content
        return questions, left.structured_content["memories"]
