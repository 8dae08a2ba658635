"""A proposal that is accepted after something else was told: what was said last holds, not what was accepted last."""

from typing import Any

import pytest
from django.utils import timezone

from memory_app.engine.audit.log import Author
from memory_app.engine.deletion.undo import undo_operations
from memory_app.models import Operation
from memory_app.models.row_security import every_space
from tests.conftest import Api
from tests.dashboard.factories import create_proposal as proposed

PLUMBERS = ("Our plumber is called Marek.", "Our plumber is called Henning.")


@pytest.fixture(autouse=True)
def _real(real_encoder: object) -> None:
    """Closeness matters here."""


def noticed(api: Api, told: str) -> dict[str, Any]:
    """What a conversation in which that is told puts up."""
    said = [("user", told), ("assistant", "I see."), ("user", "Thanks!"), ("assistant", "You're welcome.")]
    conversation = api.post("/conversations", {"person": "alice"}).json()["id"]
    turns = [{"role": role, "content": content} for role, content in said]
    assert api.post(f"/conversations/{conversation}/turns", {"turns": turns}).status_code == 201
    (proposal,) = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"]
    found: dict[str, Any] = proposal
    return found


def accept(api: Api, proposal: dict[str, Any], **choice: str) -> dict[str, Any]:
    answer = api.post(f"/proposals/{proposal['id']}/accept", choice)
    assert answer.status_code == 200, answer.content
    memory: dict[str, Any] = answer.json()["memory"]
    return memory


def standing(api: Api) -> set[tuple[str, str, float]]:
    items = api.get("/memories?person=alice").json()["items"]
    return {(item["content"], item["status"], item["confidence"]) for item in items}


def test_what_was_told_since_under_its_key_stays(api: Api) -> None:
    proposal = noticed(api, "I work at Bosch.")
    since = api.remember("alice", "I work at Siemens now.")
    late = accept(api, proposal)
    assert standing(api) == {("I work at Siemens now.", "active", 1.0), (late["content"], "superseded", 1.0)}
    assert (late["superseded_by"], late["valid_to"]) == (since["id"], since["valid_from"])
    assert late["valid_from"] < since["valid_from"]
    assert api.post(f"/proposals/{proposal['id']}/reopen", {}).status_code == 200
    assert standing(api) == {("I work at Siemens now.", "active", 1.0)}


def test_what_was_said_before_gives_way_as_ever(api: Api) -> None:
    api.remember("alice", "I work at Siemens.")
    late = accept(api, noticed(api, "I work at Bosch now."))
    assert standing(api) == {("I work at Siemens.", "superseded", 1.0), (late["content"], "active", 1.0)}


def test_what_the_person_made_of_it_they_tell_now(api: Api) -> None:
    proposal = noticed(api, "I work at Bosch.")
    api.remember("alice", "I work at Siemens now.")
    late = accept(api, proposal, content="I work at Bosch again.")
    assert standing(api) == {("I work at Siemens now.", "superseded", 1.0), (late["content"], "active", 1.0)}


def test_nobody_is_asked_about_what_they_told_otherwise_since(api: Api) -> None:
    said = [("user", "I work at Bosch."), ("assistant", "I see."), ("user", "Thanks!"), ("assistant", "Welcome.")]
    conversation = api.post("/conversations", {"person": "alice"}).json()["id"]
    turns = [{"role": role, "content": content} for role, content in said]
    assert api.post(f"/conversations/{conversation}/turns", {"turns": turns}).status_code == 201
    api.remember("alice", "I work at Siemens now.")
    assert api.post(f"/conversations/{conversation}/end", {}).json()["proposals"] == []


@pytest.mark.parametrize("told", ["I work at Bosch.", PLUMBERS[0]])
def test_what_is_kept_unasked_is_as_old_as_its_turns(api: Api, told: str) -> None:
    assert api.call("PATCH", "/people/alice", {"extraction_policy": "auto"}).status_code == 200
    said = [("user", told), ("assistant", "I see."), ("user", "I have two cats."), ("assistant", "Nice.")]
    conversation = api.post("/conversations", {"person": "alice"}).json()["id"]
    turns = [{"role": role, "content": content} for role, content in said]
    assert api.post(f"/conversations/{conversation}/turns", {"turns": turns}).status_code == 201
    since = api.remember("alice", "I work at Siemens now." if "Bosch" in told else PLUMBERS[1])
    api.post(f"/conversations/{conversation}/end", {}, X_Request_ID="an-end")
    assert (since["content"], "active", 1.0) in standing(api)
    with every_space():
        operations = list(Operation.objects.filter(request_id="an-end"))
    undo_operations(operations=operations, author=Author("user", "alice"), now=timezone.now())
    assert standing(api) == {(since["content"], "active", 1.0)}


def test_what_it_replaces_held_until_it_was_said(api: Api) -> None:
    old = api.remember("alice", "I work at Siemens.")
    proposal = noticed(api, "I work at Bosch now.")
    late = accept(api, proposal)
    then = {"person": "alice", "query": "Where do I work?", "kinds": ["memory"], "as_of": late["valid_from"]}
    held = api.post("/search", then).json()["results"]
    assert [result["memory"]["id"] for result in held] == [late["id"]]
    assert api.get(f"/memories/{old['id']}").json()["valid_to"] == late["valid_from"]


def test_what_was_said_since_is_the_newer_of_two_in_conflict(api: Api) -> None:
    proposal = proposed("alice", PLUMBERS[0])
    since = api.remember("alice", PLUMBERS[1])
    late = accept(api, {"id": proposal.id})
    [conflict] = api.get("/conflicts?person=alice").json()["items"]
    assert (conflict["older"]["id"], conflict["newer"]["id"]) == (late["id"], since["id"])
    assert standing(api) == {(PLUMBERS[1], "active", 1.0), (late["content"], "active", 1.0)}


@pytest.mark.parametrize(("keep", "status"), [("newest", "superseded"), ("both", "active")])
def test_what_the_person_chooses_on_accepting_is_not_asked_again(api: Api, keep: str, status: str) -> None:
    kept = api.remember("alice", PLUMBERS[1])
    proposal = proposed("alice", PLUMBERS[0], relation="conflict", target_id=kept["id"])
    late = accept(api, {"id": proposal.id}, keep=keep)
    assert standing(api) == {(kept["content"], status, 1.0), (late["content"], "active", 1.0)}
    assert api.get("/conflicts?person=alice").json()["items"] == []


def test_who_rewords_a_memory_says_it_now(api: Api) -> None:
    older = api.remember("alice", "Our plumber is called Eve.")
    newer = api.remember("alice", "We hired a gardener.")
    api.call("PATCH", f"/memories/{older['id']}", {"content": PLUMBERS[0]})
    api.call("PATCH", f"/memories/{newer['id']}", {"content": PLUMBERS[1]})
    api.call("PATCH", f"/memories/{older['id']}", {"content": "Our plumber is called Ida."})
    [conflict] = api.get("/conflicts?person=alice").json()["items"]
    assert (conflict["older"]["id"], conflict["newer"]["id"]) == (newer["id"], older["id"])
