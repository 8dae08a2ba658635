"""Two memories that are much alike become one by the language model; with no good answer the person is asked."""

from typing import Any

import pytest

from memory_app.models import Operation, Proposal
from memory_app.models.scope import every_space
from tests.conftest import Api
from tests.engine.queued import queued, run_queued
from tests.model_server import ModelServer, answers, fails, says

pytestmark = pytest.mark.django_db

OLD = "The one thing that Alice likes to drink is oat milk again and again"
NEW = "The thing that Alice likes to drink is oat milk again and again, she said"
BOTH = "Alice said that the one thing she likes to drink again and again is oat milk"


@pytest.fixture
def pair(api: Api) -> tuple[dict[str, Any], dict[str, Any]]:
    return api.remember("alice", OLD), api.remember("alice", NEW)


def waiting() -> list[str]:
    with every_space():
        return list(Proposal.objects.values_list("status", flat=True))


def test_two_much_alike_are_merged_by_the_model(api: Api, server: ModelServer, pair: tuple[Any, Any]) -> None:
    old, _new = pair
    assert (waiting(), server.requests) == (["pending"], [])
    server.will(answers({"content": BOTH, "summary": "Alice likes oat milk"}))
    run_queued("merge_kept_memories")
    merged = api.get(f"/memories/{old['id']}").json()
    assert (merged["content"], merged["summary"], merged["source_count"]) == (BOTH, "Alice likes oat milk", 2)
    assert waiting() == ["merged"]
    listed = api.get("/memories?person=alice").json()["items"]
    assert [item["id"] for item in listed] == [old["id"]]


def test_the_person_can_undo_it(api: Api, server: ModelServer, pair: tuple[Any, Any]) -> None:
    server.will(answers({"content": BOTH, "summary": ""}))
    run_queued("merge_kept_memories")
    with every_space():
        proposal = Proposal.objects.get()
    assert proposal.decided_by == "model:merge-1 openai:small"
    assert api.post(f"/proposals/{proposal.id}/reopen", {}).status_code == 200
    listed = api.get("/memories?person=alice&order=oldest").json()["items"]
    assert [item["content"] for item in listed] == [OLD, NEW]


@pytest.mark.parametrize(
    "reply", [fails(404), says(b"no JSON"), answers({"content": "Alice drinks with Charlie", "summary": ""})]
)
def test_without_a_good_answer_the_person_is_asked(
    api: Api, server: ModelServer, pair: tuple[Any, Any], reply: Any
) -> None:
    server.will(reply)
    run_queued("merge_kept_memories")
    assert waiting() == ["pending"]
    assert [api.get(f"/memories/{memory['id']}").json() for memory in pair] == list(pair)
    with every_space():
        assert Operation.objects.get(name="refine").detail["error"]


def test_what_was_decided_or_changed_meanwhile_is_left_alone(
    api: Api, server: ModelServer, pair: tuple[Any, Any]
) -> None:
    server.will(answers({"content": BOTH, "summary": ""}))
    api.call("DELETE", f"/memories/{pair[1]['id']}")
    assert run_queued("merge_kept_memories") == ["decided already"]
    assert server.requests == []
    assert api.get(f"/memories/{pair[0]['id']}").json()["content"] == OLD


def test_with_no_model_the_person_is_asked(api: Api, pair: tuple[Any, Any]) -> None:
    assert waiting() == ["pending"]
    assert queued("merge_kept_memories") == []
