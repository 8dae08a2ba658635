"""Forgetting by words: what goes at once, what is asked about, and what a token is good for."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine

from memory_app.engine.audit.log import Author
from memory_app.engine.memories.delete_and_restore import restore
from memory_app.engine.memories.edit import MemoryRef
from memory_app.models import ApiKey, Memory, Operation, Version
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("encoder")]

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def _said(api: Api, utterance: str, person: str = "alice", **fields: object) -> dict[str, Any]:
    answer = api.post("/forget", {"person": person, "utterance": utterance, **fields})
    assert answer.status_code == 200, answer.content
    told: dict[str, Any] = answer.json()
    return told


def _confirm(api: Api, token: str, person: str = "alice", **fields: object) -> Any:
    return api.post("/forget/confirm", {"person": person, "token": token, **fields})


def _kept(api: Api, person: str = "alice") -> set[str]:
    return {item["content"] for item in api.get(f"/memories?person={person}&limit=200").json()["items"]}


def _opened(api: Api, person: str = "alice") -> str:
    conversation: str = api.post("/conversations", {"person": person}).json()["id"]
    return conversation


def test_the_memory_just_saved_is_deleted_at_once(api: Api) -> None:
    conversation = _opened(api)
    for content in ("the tile is blue", "the tap is brass"):
        api.post(
            "/remember", {"person": "alice", "utterance": f"Remember that {content}", "conversation": conversation}
        )
    told = _said(api, "Forget that", conversation=conversation)
    assert (told["status"], told["message"], told["token"]) == ("done", "I've forgotten “the tap is brass”.", None)
    assert _kept(api) == {"the tile is blue"}


@pytest.mark.parametrize("utterance", ["forget that", "forget what I just told you", "Delete the last one, please."])
def test_without_a_conversation_recent_saves_are_meant(api: Api, utterance: str) -> None:
    api.remember("alice", "The tile is blue")
    api.remember("alice", "The tap is brass")
    assert _said(api, utterance)["status"] == "done"
    assert _kept(api) == {"The tile is blue"}


def test_a_repeated_memory_counts_as_the_last_saved(api: Api) -> None:
    for content in ("The tile is blue", "The tap is brass", "The tile is blue"):
        api.remember("alice", content)
    _said(api, "forget that")
    assert _kept(api) == {"The tap is brass"}


def test_a_memory_saved_long_ago_is_not_meant(api: Api) -> None:
    with time_machine.travel(NOON - timedelta(minutes=11), tick=False):
        api.remember("alice", "The tile is blue")
    with time_machine.travel(NOON, tick=False):
        told = _said(api, "forget that")
    assert (told["status"], told["message"]) == ("none", "I'm not sure what you want me to forget.")
    assert _kept(api) == {"The tile is blue"}


def test_memories_of_another_conversation_are_not_deleted(api: Api) -> None:
    here, there = _opened(api), _opened(api)
    api.post("/remember", {"person": "alice", "utterance": "remember that the tile is blue", "conversation": there})
    assert _said(api, "forget that", conversation=here)["status"] == "none"
    assert _kept(api) == {"the tile is blue"}


@pytest.mark.parametrize("path", ["/forget", "/commands"])
def test_in_a_foreign_conversation_nothing_is_deleted(api: Api, path: str) -> None:
    api.remember("alice", "The tile is blue")
    said = {"person": "alice", "utterance" if path == "/forget" else "text": "/forget that"}
    for unknown in (_opened(api, "bob"), str(uuid4())):
        answer = api.post(path, {**said, "conversation": unknown})
        assert answer.status_code == 404, answer.content
        assert "no such conversation" in answer.json()["detail"]
    assert _kept(api) == {"The tile is blue"}


def test_a_second_request_asks_before_deleting_the_previous_memory(api: Api) -> None:
    api.remember("alice", "The tile is blue")
    api.remember("alice", "The tap is brass")
    assert _said(api, "forget that")["status"] == "done"
    told = _said(api, "forget that")
    assert (told["status"], told["message"]) == ("confirm", "Do you want me to forget “The tile is blue”?")
    assert _kept(api) == {"The tile is blue"}


def test_memories_saved_elsewhere_meanwhile_change_nothing(api: Api) -> None:
    api.remember("alice", "Soup is on Tuesdays", venue={"space": "kitchen"})
    api.remember("alice", "The tile is blue")
    told = _said(api, "forget that", venue={"space": "kitchen"})
    assert (told["status"], told["message"]) == ("done", "I've forgotten “Soup is on Tuesdays”.")


def test_forget_that_never_means_a_foreign_memory(api: Api) -> None:
    api.remember("bob", "The saw is blunt", venue={"space": "garage"})
    assert _said(api, "forget that", venue={"space": "garage"})["status"] == "none"
    assert _said(api, "forget about the saw", venue={"space": "garage"})["status"] == "none"
    assert _kept(api, "bob") == {"The saw is blunt"}


def test_memories_mentioned_in_a_brief_are_asked_about(api: Api) -> None:
    conversation = _opened(api)
    with time_machine.travel(NOON - timedelta(days=1), tick=False):
        api.remember("alice", "The blue tile is chosen for the kitchen floor")
    with time_machine.travel(NOON, tick=False):
        briefed = api.post(
            "/context",
            {
                "person": "alice",
                "query": "Is the blue tile chosen for the kitchen floor?",
                "conversation": conversation,
            },
        ).json()
        assert len(briefed["memories"]) == 1
        told = _said(api, "forget that", conversation=conversation)
        assert told["status"] == "confirm"
        assert told["message"] == "Do you want me to forget “The blue tile is chosen for the kitchen floor”?"
        assert _said(api, "forget what I just told you", conversation=conversation)["status"] == "none"
        assert _confirm(api, told["token"]).json()["status"] == "done"
    assert _kept(api) == set()


def test_memories_found_by_a_search_are_offered(api: Api) -> None:
    with time_machine.travel(NOON - timedelta(days=1), tick=False):
        for content in ("The blue tile is for the bath", "The blue tile cost 40 pounds"):
            api.remember("alice", content)
    with time_machine.travel(NOON, tick=False):
        api.post("/searches", {"person": "alice", "query": "blue tile"})
        assert _said(api, "forget that")["status"] == "choose"
        assert _said(api, "forget that", venue={"space": "kitchen"})["status"] == "none"


def test_one_match_is_deleted_after_a_yes(api: Api) -> None:
    api.remember("alice", "We chose the blue tile for the bath")
    api.remember("alice", "The tap is brass")
    told = _said(api, "Forget about the blue tile.")
    assert told["status"] == "confirm"
    assert [item["summary"] for item in told["candidates"]] == ["We chose the blue tile for the bath"]
    assert len(_kept(api)) == 2
    assert _confirm(api, told["token"]).json()["status"] == "done"
    assert _kept(api) == {"The tap is brass"}


def test_several_matches_are_numbered_and_one_is_chosen(api: Api) -> None:
    for content in ("The blue tile is for the bath", "The blue tile cost 40 pounds", "The tap is brass"):
        api.remember("alice", content)
    told = _said(api, "delete the memory about the blue tile")
    assert told["status"] == "choose"
    assert [item["number"] for item in told["candidates"]] == [1, 2]
    first, second = (item["summary"] for item in told["candidates"])
    assert told["message"] == f"Which of these should I forget?\n1. {first}\n2. {second}"
    assert _confirm(api, told["token"], choice=2).json()["message"] == f"I've forgotten “{second}”."
    assert _kept(api) == {first, "The tap is brass"}


@pytest.mark.parametrize(
    ("choice", "left"),
    [([1, 2], 1), ("all of them", 1), ("forget the first", 2), ("the last one", 2), ("none", 3), ("no", 3)],
)
def test_choices_are_read_as_people_say_them(api: Api, choice: object, left: int) -> None:
    for content in ("The blue tile is for the bath", "The blue tile cost 40 pounds", "The tap is brass"):
        api.remember("alice", content)
    token = _said(api, "forget about the blue tile")["token"]
    assert _confirm(api, token, choice=choice).status_code == 200
    assert len(_kept(api)) == left


@pytest.mark.parametrize("choice", [None, "7", "keep the first", "the yellow one", "what?", 0, ""])
def test_an_unclear_choice_deletes_nothing_and_can_be_repeated(api: Api, choice: object) -> None:
    for content in ("The blue tile is for the bath", "The blue tile cost 40 pounds"):
        api.remember("alice", content)
    token = _said(api, "forget about the blue tile")["token"]
    assert _confirm(api, token, choice=choice).status_code == 422
    assert len(_kept(api)) == 2
    assert _confirm(api, token, choice=1).json()["status"] == "done"


def test_no_match_says_so(api: Api) -> None:
    api.remember("alice", "The tap is brass")
    told = _said(api, "forget about the football game")
    assert (told["status"], told["candidates"], told["token"]) == ("none", [], None)
    assert told["message"] == "I couldn't find a memory of yours about that."


@pytest.mark.parametrize(
    "utterance", ["Don't forget that I like tea", "I forgot my keys", "forget it", "What is that?"]
)
def test_an_utterance_without_a_request_deletes_nothing(api: Api, utterance: str) -> None:
    api.remember("alice", "The keys are in the drawer")
    assert _said(api, utterance)["status"] == "none"
    assert _kept(api) == {"The keys are in the drawer"}


def test_a_token_works_once(api: Api) -> None:
    api.remember("alice", "We chose the blue tile")
    token = _said(api, "forget about the blue tile")["token"]
    assert _confirm(api, token).status_code == 200
    assert _confirm(api, token).status_code == 404


def test_a_token_works_only_for_its_person(api: Api) -> None:
    api.remember("alice", "We chose the blue tile")
    api.remember("bob", "The saw is blunt")
    conversation = _opened(api)
    token = _said(api, "forget about the blue tile", conversation=conversation)["token"]
    assert _confirm(api, token, person="bob").status_code == 404
    assert _confirm(api, token, person="nobody").status_code == 404
    assert _confirm(api, token, conversation=str(uuid4())).status_code == 404
    _, other = ApiKey.issue("bob's", scopes=["write"], people=["bob"])
    refused, unknown = (_confirm(Api(other), one) for one in (token, "x" * len(token)))
    assert (refused.status_code, refused.content) == (404, unknown.content)
    assert _kept(api) == {"We chose the blue tile"}
    assert _confirm(api, token, conversation=conversation).json()["status"] == "done"


def test_a_token_lasts_ten_minutes(api: Api) -> None:
    with time_machine.travel(NOON, tick=False):
        api.remember("alice", "We chose the blue tile")
        token = _said(api, "forget about the blue tile")["token"]
    with time_machine.travel(NOON + timedelta(minutes=10), tick=False):
        assert _confirm(api, token).status_code == 404
    with time_machine.travel(NOON + timedelta(minutes=9, seconds=59), tick=False):
        assert _confirm(api, token).status_code == 200


def test_memories_deleted_meanwhile_are_reported(api: Api) -> None:
    memory = api.remember("alice", "We chose the blue tile")
    token = _said(api, "forget about the blue tile")["token"]
    api.call("DELETE", f"/memories/{memory['id']}")
    told = _confirm(api, token).json()
    assert (told["status"], told["message"]) == ("none", "That was forgotten already.")


def test_a_memory_changed_meanwhile_is_asked_about_again(api: Api) -> None:
    memory = api.remember("alice", "The tile is blue")
    token = _said(api, "forget the blue tile")["token"]
    assert api.call("PATCH", f"/memories/{memory['id']}", {"content": "The tap is brass"}).status_code == 200
    assert _confirm(api, token).status_code == 404
    assert _kept(api) == {"The tap is brass"}
    assert _confirm(api, _said(api, "forget the brass tap")["token"]).json()["status"] == "done"


def test_a_recall_meanwhile_counts_as_no_change(api: Api) -> None:
    api.remember("alice", "The tile is blue")
    token = _said(api, "forget the blue tile")["token"]
    assert api.post("/context", {"person": "alice", "query": "which tile is blue?"}).json()["memories"]
    assert _confirm(api, token).json()["status"] == "done"


def test_excluded_memories_are_not_offered(api: Api) -> None:
    api.remember("alice", "My address is Elm Street")
    api.remember("alice", "My phone number is in the book")
    told = _said(api, "forget my address but keep the phone number")
    assert [one["summary"] for one in told["candidates"]] == ["My address is Elm Street"]
    unclear = _confirm(api, told["token"], choice="3")
    assert (unclear.status_code, unclear.json()["detail"]) == (422, "Say yes or no.")


def test_the_number_of_further_matches_is_reported(api: Api) -> None:
    for room in ("kitchen", "hall", "bath", "attic", "cellar", "garage", "study"):
        api.remember("alice", f"The tile of the {room} is blue")
    told = _said(api, "forget the blue tile")
    assert (told["status"], len(told["candidates"])) == ("choose", 5)
    assert told["message"].endswith("There are 2 more like these.")


def test_everything_reachable_is_deleted_after_a_yes(api: Api) -> None:
    api.remember("alice", "The tile is blue")
    api.remember("alice", "Soup is on Tuesdays", venue={"space": "kitchen"})
    api.remember("bob", "The saw is blunt", venue={"space": "kitchen"})
    told = _said(api, "forget everything", venue={"space": "kitchen"})
    assert (told["status"], told["message"]) == (
        "confirm",
        "Do you want me to forget the one memory I have of you here?",
    )
    assert _confirm(api, told["token"], choice="no").json()["status"] == "none"
    assert _kept(api) == {"The tile is blue", "Soup is on Tuesdays"}
    told = _said(api, "Forget everything you know about me")
    assert told["message"] == "Do you want me to forget all 2 memories I have of you here?"
    assert _confirm(api, told["token"], choice="yes").json()["message"] == "I've forgotten 2 memories."
    assert _kept(api) == set()
    assert _kept(api, "bob") == {"The saw is blunt"}
    assert _said(api, "forget everything")["message"] == "There is nothing of yours here to forget."


def test_cleared_memories_can_be_restored(api: Api) -> None:
    memory = api.remember("alice", "The tile is blue")
    _confirm(api, _said(api, "forget everything")["token"])
    with every_space():
        row = Memory.objects.get(id=memory["id"])
        assert (row.tier, row.status, row.delete_reason, row.version) == ("deleted", "deleted", "asked", 2)
        assert Version.objects.get(memory_id=row.id).state["status"] == "active"
        assert Operation.objects.filter(memory_id=row.id, name="forget").count() == 1
    restore(at=MemoryRef(row.space_id, row.id), author=Author("command", "tests"), now=NOON)
    assert _kept(api) == {"The tile is blue"}
