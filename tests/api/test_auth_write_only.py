"""A key without the scope read is told nothing that was there before, whatever it writes; one without admin carries
away nothing that is sensitive or was forgotten."""

import json
from typing import Any

import pytest

from memory_app.models import ApiKey
from tests.conftest import Api
from tests.dashboard.factories import CONVERSATION, create_conversation, create_memory, create_proposal

pytestmark = pytest.mark.django_db

OLD = "periwinkle"
"""A word of what was there before."""

LAMP = "The lamp in the hall is green"


@pytest.fixture
def writer(db: None) -> Api:
    return Api(ApiKey.issue("writer", scopes=["write"])[1])


@pytest.fixture
def lamp(writer: Api) -> str:
    return str(create_memory("alice", LAMP, tags=[OLD], summary=f"A lamp, {OLD}").id)


def _told(writer: Api, path: str, body: dict[str, Any], method: str = "POST") -> dict[str, Any]:
    answer = writer.call(method, path, body)
    assert answer.status_code in (200, 201), answer.content
    assert OLD not in answer.content.decode()
    told: dict[str, Any] = answer.json()
    return told


def test_what_is_there_already_is_told_by_its_id_alone(writer: Api, lamp: str) -> None:
    again = _told(writer, "/memories", {"person": "alice", "content": LAMP})
    assert (again["id"], again["content"], again["tags"]) == (lamp, "", [])
    batch = _told(writer, "/memories/batch", {"items": [{"person": "alice", "content": LAMP}]})
    assert batch["items"][0]["outcome"] == "duplicate"
    said_again = _told(writer, "/remember", {"person": "alice", "utterance": f"remember that {LAMP}"})
    assert (said_again["memory"]["id"], said_again["memory"]["content"]) == (lamp, "")


def test_what_it_has_just_had_kept_is_told_in_full(writer: Api) -> None:
    made = _told(writer, "/memories", {"person": "alice", "content": "The cat sleeps in the garden", "tags": ["cat"]})
    assert (made["content"], made["tags"]) == ("The cat sleeps in the garden", ["cat"])
    asked = _told(writer, "/remember", {"person": "alice", "utterance": "remember that Anna plays the cello"})
    assert "Anna plays the cello" in asked["memory"]["content"]


def test_changing_a_memory_tells_nothing_of_it(writer: Api, lamp: str) -> None:
    for path, body in (("", {"confidence": 0.5}), ("/confirm", {}), ("/revert", {"version": 1})):
        told = _told(writer, f"/memories/{lamp}{path}", body, "POST" if path else "PATCH")
        assert (told["id"], told["content"], told["summary"]) == (lamp, "", "")
    assert _told(writer, f"/memories/{lamp}/correct", {"content": "The lamp is red"})["supersedes"] == lamp


def test_forgetting_names_memories_by_their_day(writer: Api, lamp: str) -> None:
    asked = _told(writer, "/forget", {"person": "alice", "utterance": "forget about the lamp in the hall"})
    assert (asked["status"], [one["id"] for one in asked["candidates"]]) == ("confirm", [lamp])
    assert "a memory of" in asked["message"]
    done = _told(writer, "/forget/confirm", {"person": "alice", "token": asked["token"], "choice": "yes"})
    assert done["status"] == "done"


def test_what_contradicts_is_not_told_in_words(writer: Api) -> None:
    create_memory("alice", f"My sister lives in {OLD.capitalize()}")
    answer = writer.post("/remember", {"person": "alice", "utterance": "remember that my sister lives in Rome"})
    assert OLD not in answer.content.decode().lower()


def test_deciding_on_what_was_noticed_tells_nothing_of_it(writer: Api) -> None:
    talk = create_conversation("alice")
    proposal = create_proposal("alice", f"I like {OLD}", of=talk, quoting=[CONVERSATION[2][1]])
    told = _told(writer, f"/proposals/{proposal.id}/snooze", {"until": "2090-01-01T00:00:00Z"})
    assert (told["id"], told["content"], told["quotes"]) == (str(proposal.id), "", [])
    accepted = _told(writer, f"/proposals/{proposal.id}/accept", {})
    assert accepted["memory"]["content"] == ""
    _told(writer, f"/proposals/{proposal.id}/reopen", {})
    ended = _told(writer, f"/conversations/{talk.id}/end", {})
    assert ended["message"] == ""
    assert "budget" not in json.dumps(ended)


def test_a_profile_that_is_put_back_tells_no_line_that_was_there(writer: Api, lamp: str) -> None:
    answer = writer.client.generic(
        "PUT", "/api/v1/people/alice/profile.md?dry_run=true", "## Key Facts\n", "text/markdown"
    )
    assert answer.status_code == 200, answer.content
    assert OLD not in answer.content.decode()


def test_only_an_admin_key_carries_away_what_is_sensitive_or_was_forgotten(api: Api) -> None:
    create_memory("alice", "My blood pressure medication is lisinopril")
    gone = create_memory("alice", "I used to play chess")
    create_memory("alice", "I grow tomatoes")
    api.call("DELETE", f"/memories/{gone.id}")
    reader = Api(ApiKey.issue("reader", scopes=["read"])[1])
    told = b"".join(reader.get("/people/alice/export").streaming_content).decode()
    assert "tomatoes" in told
    assert "lisinopril" not in told
    assert "chess" not in told
    whole = b"".join(api.get("/people/alice/export").streaming_content).decode()
    assert "lisinopril" in whole
    assert "chess" in whole
