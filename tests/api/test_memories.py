"""Memories over the API: kept, read, changed, taken back."""

from uuid import uuid4

import pytest

from memory_app.models import ApiKey
from tests.conftest import Api

pytestmark = pytest.mark.django_db


def test_a_memory_is_kept_and_read_back(api: Api) -> None:
    kept = api.remember(
        "alice", "The kitchen gets blue tiles", tags=["kitchen"], event_time="2026-03-15T09:00:00+01:00"
    )
    assert kept["person"] == "alice"
    assert kept["visibility"] == "private"
    assert kept["space"] is None
    assert kept["tier"] == "active"
    assert kept["version"] == 1
    assert kept["tags"] == ["kitchen"]
    assert kept["event_time"] == "2026-03-15T08:00:00Z"
    assert kept["embedding_model"] == "test-hashing-64"
    assert api.get(f"/memories/{kept['id']}").json() == kept


def test_remember_that_keeps_what_was_said(api: Api) -> None:
    said = {"person": "alice", "utterance": "Barnabee, remember that we decided to go with the blue tile"}
    answer = api.post("/remember", said)
    assert answer.status_code == 201
    assert answer.json()["outcome"] == "added"
    assert answer.json()["message"] == "Got it, I'll remember that."
    assert answer.json()["memory"]["content"] == "we decided to go with the blue tile"
    assert answer.json()["memory"]["source"]["type"] == "explicit"


def test_one_thing_asked_to_be_remembered_in_two_sentences_is_one_memory(api: Api) -> None:
    told = "remember that I got a new dog. He's called Rex, and we walk him in the dunes."
    answer = api.post("/remember", {"person": "alice", "utterance": told})
    assert answer.json()["memory"]["content"] == "I got a new dog. He's called Rex, and we walk him in the dunes."
    assert answer.json()["others"] == []


def test_an_utterance_that_asks_for_nothing_is_refused(api: Api) -> None:
    answer = api.post("/remember", {"person": "alice", "utterance": "I don't remember that film"})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "utterance"


def test_the_same_again_is_counted_and_not_kept_twice(api: Api) -> None:
    first = api.remember("alice", "The kitchen gets blue tiles")
    again = api.post("/remember", {"person": "alice", "utterance": "remember that the kitchen gets BLUE tiles!"})
    assert again.json()["outcome"] == "duplicate"
    assert again.json()["memory"]["id"] == first["id"]
    assert again.json()["memory"]["source_count"] == 2
    assert len(api.get("/memories?person=alice").json()["items"]) == 1


def test_a_new_value_of_a_key_supersedes_the_old_one(api: Api) -> None:
    old = api.remember("alice", "Alice lives in Paris", key="home")
    new = api.remember("alice", "Alice lives in Berlin", key="home")
    assert new["supersedes"] == old["id"]
    before = api.get(f"/memories/{old['id']}").json()
    assert (before["status"], before["superseded_by"]) == ("superseded", new["id"])
    assert before["valid_to"] is not None
    chain = api.get(f"/memories/{new['id']}/history").json()["chain"]
    assert [link["id"] for link in chain] == [old["id"], new["id"]]


def test_a_batch_answers_each_item_in_order(api: Api) -> None:
    items = [
        {"person": "alice", "content": "Alice plays the cello"},
        {"person": "alice", "content": ""},
        {"person": "bob", "content": "Bob grows tomatoes"},
        {"person": "alice", "content": "alice plays the cello."},
        {"person": "alice", "content": "Alice visited Rome", "visibility": "space"},
        "nonsense",
    ]
    answer = api.post("/memories/batch", {"items": items})
    assert answer.status_code == 201
    got = answer.json()["items"]
    assert [item["outcome"] for item in got] == ["added", None, "added", "duplicate", None, None]
    assert got[1]["error"]["errors"][0]["field"] == "content"
    assert got[4]["error"]["status"] == 422
    assert got[3]["memory"]["id"] == got[0]["memory"]["id"]


def test_an_edit_makes_a_version_and_finds_by_the_new_words(api: Api) -> None:
    kept = api.remember("alice", "The dentist is on Monday")
    changed = api.call("PATCH", f"/memories/{kept['id']}", {"content": "The dentist is on Friday"})
    assert changed.status_code == 200
    assert changed.json()["version"] == 2
    assert changed.json()["summary"] == "The dentist is on Friday"
    past = api.get(f"/memories/{kept['id']}/history").json()["items"]
    assert [(item["version"], item["state"]["content"], item["current"]) for item in past] == [
        (1, "The dentist is on Monday", False),
        (2, "The dentist is on Friday", True),
    ]
    found = api.post("/search", {"person": "alice", "query": "friday", "method": "text"}).json()
    assert [result["memory"]["id"] for result in found["results"]] == [kept["id"]]


def test_an_edit_of_an_older_version_is_refused(api: Api) -> None:
    kept = api.remember("alice", "The dentist is on Monday")
    path = f"/memories/{kept['id']}"
    assert api.call("PATCH", path, {"tags": ["health"]}, If_Match='"1"').status_code == 200
    late = api.call("PATCH", path, {"tags": ["work"]}, If_Match='"1"')
    assert late.status_code == 412
    assert late.headers["Content-Type"] == "application/problem+json"
    assert api.get(path).json()["tags"] == ["health"]


def test_a_correction_supersedes(api: Api) -> None:
    old = api.remember("alice", "Anna is Alice's cousin")
    new = api.post(f"/memories/{old['id']}/correct", {"content": "Anna is Alice's sister"})
    assert new.status_code == 201
    assert new.json()["supersedes"] == old["id"]
    assert api.get(f"/memories/{old['id']}").json()["status"] == "superseded"
    again = api.post(f"/memories/{old['id']}/correct", {"content": "Anna is Alice's aunt"})
    assert again.status_code == 409


def test_a_confirmed_memory_does_not_fade(api: Api) -> None:
    kept = api.remember("alice", "Alice is allergic to bees", confidence=0.6)
    assert kept["fades_on"] is not None
    confirmed = api.post(f"/memories/{kept['id']}/confirm", {}).json()
    assert (confirmed["protected"], confirmed["confidence"], confirmed["fades_on"]) == (True, 1.0, None)


def test_a_forgotten_memory_is_hidden_everywhere(api: Api) -> None:
    kept = api.remember("alice", "The kitchen gets blue tiles")
    assert api.call("DELETE", f"/memories/{kept['id']}").status_code == 204
    assert api.get(f"/memories/{kept['id']}").status_code == 404
    assert api.get("/memories?person=alice").json()["items"] == []
    assert api.post("/search", {"person": "alice", "query": "blue tiles"}).json()["results"] == []
    assert api.call("DELETE", f"/memories/{kept['id']}").status_code == 404


def test_what_was_forgotten_is_listed_for_admin_keys_alone(api: Api) -> None:
    gone = api.remember("alice", "The plumber comes on Friday.")
    theirs = api.remember("bob", "Soup is on Tuesdays.", venue={"space": "kitchen"})
    api.remember("alice", "Anna plays the cello.", venue={"space": "kitchen"})
    for memory in (gone, theirs):
        api.call("DELETE", f"/memories/{memory['id']}")
    [listed] = api.get("/memories?person=alice&status=deleted").json()["items"]
    assert (listed["id"], listed["tier"], listed["status"]) == (gone["id"], "deleted", "deleted")
    assert api.get("/memories?space=kitchen&status=deleted").status_code == 422
    assistant = Api(ApiKey.issue("assistant", scopes=["read", "write"])[1])
    answer = assistant.get("/memories?person=alice&status=deleted")
    assert answer.status_code == 403
    assert "/deleted/" in answer.json()["detail"]
    assert "POST /admin/search" in answer.json()["detail"]


def test_a_missing_and_a_foreign_memory_look_alike(api: Api) -> None:
    kept = api.remember("alice", "Alice's diary is under the bed")
    api.remember("bob", "Bob grows tomatoes")
    foreign, missing = (api.get(f"/memories/{id}?person=bob") for id in (kept["id"], uuid4()))
    assert foreign.status_code == missing.status_code == 404
    assert foreign.content == missing.content


def test_only_the_owner_changes_what_a_space_sees(api: Api) -> None:
    kitchen = {"space": "kitchen"}
    kept = api.remember("alice", "Soup is on Tuesdays", venue=kitchen)
    api.remember("bob", "Bob cooks", venue=kitchen)
    path = f"/memories/{kept['id']}?person=bob&space=kitchen"
    assert api.get(path).status_code == 200
    assert api.call("DELETE", path).status_code == 403
    assert api.get(f"/memories/{kept['id']}?person=bob").status_code == 404


def test_lists_are_paged_by_cursor(api: Api) -> None:
    for number in range(5):
        api.remember("alice", f"Number {number} of the lot is {number * 7}")
    first = api.get("/memories?person=alice&limit=2&order=oldest").json()
    second = api.get(f"/memories?person=alice&limit=2&order=oldest&cursor={first['next_cursor']}").json()
    third = api.get(f"/memories?person=alice&limit=2&order=oldest&cursor={second['next_cursor']}").json()
    shown = [item["content"] for page in (first, second, third) for item in page["items"]]
    assert shown == [f"Number {number} of the lot is {number * 7}" for number in range(5)]
    assert third["next_cursor"] is None


@pytest.mark.parametrize("cursor", ["rubbish", "e30=", "WyIxIiwgIjIiXQ=="])
def test_a_cursor_that_is_none_is_refused(api: Api, cursor: str) -> None:
    api.remember("alice", "Alice plays the cello")
    assert api.get(f"/memories?person=alice&cursor={cursor}").status_code == 422


def test_the_same_idempotency_key_gives_the_same_answer(api: Api) -> None:
    body = {"person": "alice", "content": "Alice plays the cello"}
    first = api.post("/memories", body, Idempotency_Key="one")
    again = api.post("/memories", body, Idempotency_Key="one")
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert again.json()["source_count"] == 1
    other = api.post("/memories", {**body, "content": "Alice sings"}, Idempotency_Key="one")
    assert other.status_code == 422
    assert other.json()["errors"][0]["field"] == "Idempotency-Key"


def test_a_key_reaches_only_what_it_was_granted(db: None) -> None:
    everything = Api(ApiKey.issue("all", scopes=["read", "write"])[1])
    private = everything.remember("alice", "Alice's diary is under the bed")
    shared = everything.remember("alice", "Soup is on Tuesdays", venue={"space": "kitchen"})
    kitchen = Api(ApiKey.issue("kitchen", scopes=["read", "write"], spaces=["kitchen"])[1])
    assert kitchen.get(f"/memories/{shared['id']}").status_code == 200
    assert kitchen.get(f"/memories/{private['id']}").status_code == 404
    assert kitchen.get("/memories?person=alice").status_code == 403
    assert kitchen.post("/memories", {"person": "alice", "content": "x"}).status_code == 403
    bobs = Api(ApiKey.issue("bob", scopes=["read", "write"], people=["bob"])[1])
    assert bobs.get("/memories?person=alice").status_code == 403
    assert bobs.get(f"/memories/{private['id']}").status_code == 404
    reader = Api(ApiKey.issue("reader", scopes=["read"])[1])
    assert reader.post("/memories", {"person": "alice", "content": "x"}).status_code == 403
    assert reader.get("/memories?person=alice").status_code == 200


def test_no_key_or_a_wrong_one_is_told_how_to_send_one(db: None) -> None:
    for token in ("", "ks_wrong_key"):
        answer = Api(token).get("/memories?person=alice")
        assert answer.status_code == 401
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert "Bearer" in answer.headers["WWW-Authenticate"]
