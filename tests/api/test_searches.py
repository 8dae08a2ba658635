"""Narrowing over the API: three at a time, until the person points at one."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from memory_app.models import ApiKey
from tests.conftest import Api

pytestmark = pytest.mark.django_db

RECIPES = [
    "Recipe for red lentil soup with lemon",
    "Recipe for blue cheese tart with walnuts",
    "Recipe for green pea risotto with mint",
    "Recipe for yellow curry with rice noodles",
    "Recipe for brown bread with seeds",
]


@pytest.fixture
def started(api: Api) -> dict:  # type: ignore[type-arg]
    for recipe in RECIPES:
        api.remember("alice", recipe)
    answer = api.post("/searches", {"person": "alice", "query": "recipe with"})
    assert answer.status_code == 201, answer.content
    search: dict = answer.json()  # type: ignore[type-arg]
    return search


def said(api: Api, search: dict, text: str) -> dict:  # type: ignore[type-arg]
    answer: dict = api.post(f"/searches/{search['id']}/reply", {"text": text}).json()  # type: ignore[type-arg]
    return answer


def test_three_are_shown_at_a_time(api: Api, started: dict) -> None:  # type: ignore[type-arg]
    assert started["message"].startswith("I found 5 memories. Here are the top matches:\n1. ")
    assert started["message"].endswith("Is it one of these, or would you like to hear more?")
    assert (len(started["batch"]), started["has_more"], started["complete"]) == (3, True, False)
    more = said(api, started, "not those, tell me more")
    assert (len(more["batch"]), more["has_more"]) == (2, False)
    shown = {memory["content"] for memory in started["batch"] + more["batch"]}
    assert shown == set(RECIPES)
    assert said(api, started, "more")["message"] == "That's all I found for that search."


@pytest.mark.parametrize(
    ("reply", "place"), [("2", 1), ("the second one", 1), ("the last one", 2), ("number 1", 0), ("first", 0)]
)
def test_a_number_means_one_of_those_shown(api: Api, started: dict, reply: str, place: int) -> None:  # type: ignore[type-arg]
    chosen = said(api, started, reply)
    assert chosen["selected"]["id"] == started["batch"][place]["id"]
    assert chosen["message"] == f"Here's what I have: {started['batch'][place]['content']}"
    assert chosen["complete"] is True


def test_numbers_after_more_mean_the_new_ones(api: Api, started: dict) -> None:  # type: ignore[type-arg]
    more = said(api, started, "more")
    assert said(api, started, "1")["selected"]["id"] == more["batch"][0]["id"]


def test_a_word_of_the_text_points_too(api: Api, started: dict) -> None:  # type: ignore[type-arg]
    one = started["batch"][1]
    word = one["content"].split()[2]
    assert said(api, started, f"the {word} one")["selected"]["id"] == one["id"]


def test_back_shows_the_ones_before(api: Api, started: dict) -> None:  # type: ignore[type-arg]
    said(api, started, "more")
    assert said(api, started, "go back")["batch"] == started["batch"]


def test_never_mind_ends_it(api: Api, started: dict) -> None:  # type: ignore[type-arg]
    assert said(api, started, "never mind")["complete"] is True
    assert api.post(f"/searches/{started['id']}/reply", {"text": "1"}).status_code == 409


def test_an_unclear_reply_is_asked_again(api: Api, started: dict) -> None:  # type: ignore[type-arg]
    unclear = said(api, started, "hmm")
    assert (unclear["awaiting_clarification"], unclear["complete"]) == (True, False)
    assert said(api, started, "2")["selected"]["id"] == started["batch"][1]["id"]


def test_what_was_forgotten_meanwhile_is_not_shown(api: Api, started: dict) -> None:  # type: ignore[type-arg]
    more = said(api, started, "more")
    said(api, started, "back")
    api.call("DELETE", f"/memories/{more['batch'][0]['id']}")
    assert [memory["id"] for memory in said(api, started, "more")["batch"]] == [more["batch"][1]["id"]]


def test_nothing_found_says_so(api: Api) -> None:
    answer = api.post("/searches", {"person": "alice", "query": "anything"}).json()
    assert (answer["message"], answer["complete"]) == ("I couldn't find anything about “anything”.", True)


def test_a_search_is_bound_to_its_key_and_expires(api: Api, started: dict) -> None:  # type: ignore[type-arg]
    other = Api(ApiKey.issue("other", scopes=["read"])[1])
    assert other.post(f"/searches/{started['id']}/reply", {"text": "1"}).status_code == 404
    with time_machine.travel(timezone.now() + timedelta(minutes=31)):
        assert api.post(f"/searches/{started['id']}/reply", {"text": "1"}).status_code == 404


def test_forget_that_means_the_one_pointed_at_or_those_shown(api: Api, started: dict) -> None:  # type: ignore[type-arg]
    asked = api.post("/forget", {"person": "alice", "utterance": "forget these"}).json()
    assert [one["id"] for one in asked["candidates"]] == [memory["id"] for memory in started["batch"]]
    said(api, started, "2")
    token = asked["token"]
    assert api.post("/forget/confirm", {"person": "alice", "token": token, "choice": "none"}).status_code == 200
    asked = api.post("/forget", {"person": "alice", "utterance": "forget that"}).json()
    assert [one["id"] for one in asked["candidates"]] == [started["batch"][1]["id"]]
    assert asked["status"] == "confirm"


def test_what_has_nothing_to_do_with_the_query_is_not_shown_and_not_counted(api: Api, started: dict) -> None:  # type: ignore[type-arg]
    answer = api.post("/searches", {"person": "alice", "query": "the dentist appointment"}).json()
    assert answer["message"] == "I couldn't find anything about “the dentist appointment”."
    assert (answer["batch"], answer["complete"]) == ([], True)
    found = api.post("/search", {"person": "alice", "query": "the dentist appointment"}).json()
    assert found["total_found"] == 0
    assert not any(result["relevant"] for result in found["results"])
    said = api.post("/commands", {"person": "alice", "text": "/memory search dentist"}).json()
    assert (said["message"], said["data"]["results"]) == ("I couldn't find anything about “dentist”.", [])


def test_a_new_question_keeps_the_filters(api: Api) -> None:
    for recipe, tag in (("Recipe for red soup", "soup"), ("Recipe for blue bread", "bread")):
        api.post("/memories", {"person": "alice", "content": recipe, "tags": [tag]})
    begun = api.post("/searches", {"person": "alice", "query": "recipe", "tags": ["soup"]}).json()
    assert [one["content"] for one in begun["batch"]] == ["Recipe for red soup"]
    other = said(api, begun, "search for blue bread instead")
    assert (other["message"], other["complete"]) == ("I couldn't find anything about “blue bread”.", True)
