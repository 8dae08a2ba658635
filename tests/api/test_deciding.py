"""What becomes of statements that follow one another, through the packaged encoder: the same in the first person and by
name, what was refused and is told otherwise, and what holds again."""

import pytest

from memory_app.embedding.encoder import Encoder
from tests.conftest import Api

ALICE = {"display_name": "Alice"}


@pytest.fixture(autouse=True)
def _real(real_encoder: Encoder) -> None:
    """Closeness matters here."""


@pytest.fixture
def alice(api: Api) -> Api:
    assert api.call("PATCH", "/people/alice-7", ALICE).status_code == 200
    return api


def standing(api: Api) -> list[tuple[str, str, float]]:
    items = api.get("/memories?person=alice-7").json()["items"]
    return [(item["content"], item["status"], item["confidence"]) for item in items]


def told(api: Api, *said: str) -> list[tuple[str, str]]:
    """What a conversation of these turns has put up: texts, and what they would do."""
    conversation = api.post("/conversations", {"person": "alice-7"}).json()["id"]
    turns = [
        turn for text in said for turn in ({"role": "user", "content": text}, {"role": "assistant", "content": "Ok."})
    ]
    assert api.post(f"/conversations/{conversation}/turns", {"turns": turns}).status_code == 201
    ended = api.post(f"/conversations/{conversation}/end", {}).json()
    return [(item["content"], item["relation"]) for item in ended["proposals"]]


def refuse_all(api: Api) -> None:
    for item in api.get("/proposals?person=alice-7").json()["items"]:
        assert api.post(f"/proposals/{item['id']}/reject", {}).status_code == 200


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("my dog is called Rex", "Alice's dog is called Rex"),
        ("Alice's dog is called Rex.", "My dog is called Rex."),
        ("I live in Berlin", "Alice lives in Berlin"),
        ("I'm a vegetarian", "Alice is a vegetarian"),
        ("I've got two cats", "Alice has got two cats"),
        ("Bob taught me to swim", "Bob taught Alice to swim"),
    ],
)
def test_what_the_owner_says_and_what_is_said_of_them_is_one(alice: Api, first: str, again: str) -> None:
    kept = alice.remember("alice-7", first)
    assert alice.remember("alice-7", again)["id"] == kept["id"]
    assert [content for content, *_ in standing(alice)] == [first]


def test_so_is_what_was_noticed_in_a_conversation(alice: Api) -> None:
    alice.remember("alice-7", "my dog is called Rex")
    assert told(alice, "My dog is called Rex.", "I play chess with Bob on Sundays.") == [
        ("Alice plays chess with Bob on Sundays.", "new")
    ]


def test_another_name_told_of_the_owner_by_name_contradicts(alice: Api) -> None:
    first = alice.remember("alice-7", "my dog is called Bello")
    second = alice.remember("alice-7", "Alice's dog is called Rex")
    assert second["attributes"]["conflicts_with"] == first["id"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("my dog is called Rex", "Bob's dog is called Rex"),
        ("I live in Berlin", "Bob lives in Berlin"),
        ("I live in Graz", "Bob lives in Vienna"),
        ("my dog is called Rex", "My sister's dog is called Bello"),
    ],
)
def test_what_is_told_of_someone_else_is_another_memory(alice: Api, first: str, second: str) -> None:
    alice.remember("alice-7", first)
    alice.remember("alice-7", second)
    assert standing(alice) == [(second, "active", 1.0), (first, "active", 1.0)]


def test_i_of_another_speaker_is_not_the_owner(alice: Api) -> None:
    alice.remember("alice-7", "I live in Berlin")
    alice.remember("alice-7", "I live in Berlin", source={"type": "api", "speaker": "Bob"})
    assert len(standing(alice)) == 2


def test_what_was_refused_is_put_up_again_only_when_it_says_something_else(alice: Api) -> None:
    assert told(alice, "I live in Berlin.", "I have a parrot called Kiwi.") != []
    refuse_all(alice)
    later = told(alice, "I don't live in Berlin.", "I have a parrot and it's called Kiwi.", "I live in Hamburg.")
    assert sorted(later) == [("Alice doesn't live in Berlin.", "new"), ("Alice lives in Hamburg.", "new")]


def test_what_was_replaced_holds_again_when_it_is_said_again(alice: Api) -> None:
    for said in ("Alice lives in Vienna", "I live in Graz", "Alice lives in Vienna"):
        alice.remember("alice-7", said)
    assert standing(alice) == [
        ("Alice lives in Vienna", "active", 1.0),
        ("I live in Graz", "superseded", 1.0),
        ("Alice lives in Vienna", "superseded", 1.0),
    ]


def test_what_was_contradicted_holds_again_and_what_contradicted_it_ranks_below(alice: Api) -> None:
    first, second, third = (
        alice.remember("alice-7", said)
        for said in ("my dog is called Rex", "my dog is called Bello", "Alice's dog is called Rex")
    )
    assert standing(alice) == [
        ("Alice's dog is called Rex", "active", 1.0),
        ("my dog is called Bello", "active", 0.3),
        ("my dog is called Rex", "superseded", 0.3),
    ]
    assert third["supersedes"] == first["id"]
    found = alice.post("/search", {"person": "alice-7", "query": "What is my dog called?", "kinds": ["memory"]}).json()
    assert found["results"][0]["memory"]["id"] == third["id"]
    chain = alice.get(f"/memories/{third['id']}/history?person=alice-7").json()["chain"]
    assert [item["id"] for item in chain] == [first["id"], third["id"]]
    then = {"query": "What is my dog called?", "kinds": ["memory"], "as_of": second["created_at"]}
    before = alice.post("/search", {"person": "alice-7", **then}).json()
    assert [result["memory"]["id"] for result in before["results"]] == [second["id"]]
