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
    assert sorted(later) == [("I don't live in Berlin.", "new"), ("I live in Hamburg.", "new")]


def test_what_was_replaced_holds_again_when_it_is_said_again(alice: Api) -> None:
    for said in ("Alice lives in Vienna", "I live in Graz", "Alice lives in Vienna"):
        alice.remember("alice-7", said)
    assert standing(alice) == [
        ("Alice lives in Vienna", "active", 1.0),
        ("I live in Graz", "superseded", 1.0),
        ("Alice lives in Vienna", "superseded", 1.0),
    ]


@pytest.mark.parametrize("again", ["Home  City", "home_city", "HOME-CITY"])
def test_a_key_is_one_whatever_its_case_and_spacing(alice: Api, again: str) -> None:
    old = alice.remember("alice-7", "Ghent", key="home city")
    new = alice.remember("alice-7", "Lyon", key=again)
    assert (new["supersedes"], new["key"]) == (old["id"], again)
    other = alice.remember("alice-7", "forty two", key="shoe size")
    taken = alice.call("PATCH", f"/memories/{other['id']}", {"key": "Home City"})
    assert taken.status_code == 409


def test_keys_of_one_batch_are_one_whatever_their_case_and_spacing(alice: Api) -> None:
    items = [
        {"person": "alice-7", "content": "Ghent", "key": "home city"},
        {"person": "alice-7", "content": "Lyon", "key": "Home  City"},
    ]
    made = alice.post("/memories/batch", {"items": items}).json()["items"]
    assert [item["outcome"] for item in made] == ["added", "superseded"]
