"""What is kept at a level that is not seen from where it is said: kept, and what is there stays unseen."""

from typing import Any

import pytest

from tests.conftest import Api

pytestmark = pytest.mark.django_db

KITCHEN = {"space": "kitchen"}
COOKS = {"space": "kitchen", "channel": "cooks", "restricted": True}


@pytest.fixture
def known(api: Api) -> dict[str, Any]:
    """What Alice told in private, twice, and has made sure of."""
    api.remember("alice", "The safe is behind the blue tile", tags=["safe"], protected=True)
    return api.remember("alice", "The safe is behind the blue tile!")


@pytest.mark.parametrize("venue", [KITCHEN, COOKS])
def test_the_same_said_in_a_space_is_answered_as_new(api: Api, known: dict[str, Any], venue: dict[str, Any]) -> None:
    said = api.remember("alice", "The safe is behind the blue tile", venue=venue, visibility="private")
    assert said["id"] != known["id"]
    told = ("source_count", "supersedes", "tags", "protected", "version", "created_at")
    assert [said[name] for name in told] == [1, None, [], False, 1, said["updated_at"]]


def test_it_takes_the_place_of_the_one_that_says_the_same(api: Api, known: dict[str, Any]) -> None:
    said = api.remember("alice", "The safe is behind the blue tile", venue=KITCHEN, visibility="private")
    kept = api.get(f"/memories/{said['id']}?person=alice").json()
    assert (kept["source_count"], kept["protected"], kept["tags"]) == (3, True, ["safe"])
    assert kept["supersedes"] == known["id"]
    active = api.get("/memories?person=alice&status=active").json()["items"]
    assert [item["id"] for item in active] == [said["id"]]


def test_a_key_that_is_taken_in_private_is_answered_as_free(api: Api) -> None:
    api.remember("alice", "Alice lives in Paris", key="home")
    said = api.remember("alice", "Alice lives in Rome", key="home", venue=KITCHEN, visibility="private")
    assert said["supersedes"] is None
    before = api.get("/memories?person=alice&status=superseded").json()["items"]
    assert [(item["content"], item["superseded_by"]) for item in before] == [("Alice lives in Paris", said["id"])]


def test_a_batch_says_of_each_that_it_was_added(api: Api, known: dict[str, Any]) -> None:
    item = {"person": "alice", "content": known["content"], "venue": KITCHEN, "visibility": "private"}
    answers = api.post("/memories/batch", {"items": [item, item]}).json()["items"]
    assert [answer["outcome"] for answer in answers] == ["added", "added"]
    assert len({known["id"], *(answer["memory"]["id"] for answer in answers)}) == 3
    assert len(api.get("/memories?person=alice&status=active").json()["items"]) == 1
