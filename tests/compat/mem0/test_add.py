"""What an addition answers is true of what is stored, and what is sent with it is kept with it."""

from typing import Any

import pytest

from memory_app.models import Version
from memory_app.models.row_security import every_space
from tests.compat.conftest import Compat
from tests.compat.mem0.test_mem0_other_calls import ALICE, STORY, keep, listen
from tests.conftest import Api

pytestmark = pytest.mark.django_db

REQUEST = "Remember that the spare key is under the mat."


def _said(mem0: Compat, *texts: str, **fields: object) -> Any:
    messages = [{"role": "user", "content": text} for text in texts]
    return mem0.call("POST", "/v3/memories/add/", {"messages": messages, "infer": False, **ALICE, **fields})


def test_a_duplicate_is_told_as_one(mem0: Compat) -> None:
    kept = keep(mem0, "I like green tea", **ALICE, metadata={"cup": 1})
    told = _said(mem0, "I like green tea", metadata={"cup": 2}, run_id="r2")
    assert [(one["id"], one["event"]) for one in told["results"]] == [(kept, "NONE")]
    assert "Remembered already" in told["message"]
    assert "Kept as it was said" not in told["message"]
    read = mem0.call("GET", f"/v1/memories/{kept}/")
    assert (read["metadata"], read["run_id"]) == ({"cup": 1}, None)
    both = _said(mem0, "I like green tea", "My bike is red")
    assert [one["event"] for one in both["results"]] == ["NONE", "ADD"]
    assert both["event_id"] == both["results"][1]["id"]
    assert "Remembered already" in both["message"]
    assert "Kept as it was said." in both["message"]


def test_what_replaces_is_told_as_an_update(mem0: Compat) -> None:
    keep(mem0, "I live in Ghent")
    told = _said(mem0, "I live in Lyon now")
    assert [one["event"] for one in told["results"]] == ["UPDATE"]
    assert "in place of" in told["message"]
    [found] = mem0.call("GET", f"/v1/event/{told['event_id']}/")["results"]
    assert found["event"] == "UPDATE"


@pytest.mark.parametrize("policy", ["ask", "auto", "off"])
def test_all_that_is_sent_is_kept_with_what_is_kept_at_once(mem0: Compat, api: Api, policy: str) -> None:
    """In the same act: no version is without it."""
    api.call("PATCH", "/people/alice", {"extraction_policy": policy})
    sent = {"metadata": {"a": 1}, "run_id": "r1", "immutable": True, "expiration_date": "2090-01-01"}
    told = listen(mem0, *STORY, REQUEST, **sent)
    assert len(told["results"]) > (policy == "auto")
    for one in told["results"]:
        read = mem0.call("GET", f"/v1/memories/{one['id']}/")
        assert {name: read[name] for name in sent} == sent
    with every_space():
        assert not Version.objects.exists()


def test_what_was_asked_for_before_is_told_as_a_duplicate(mem0: Compat, api: Api) -> None:
    api.call("PATCH", "/people/alice", {"extraction_policy": "off"})
    [first] = listen(mem0, REQUEST)["results"]
    told = listen(mem0, REQUEST)
    assert [(one["id"], one["event"]) for one in told["results"]] == [(first["id"], "NONE")]
    assert "remembered already" in told["message"]


def test_while_paused_nothing_is_said_to_be_listened_to(mem0: Compat, api: Api) -> None:
    keep(mem0, "I like green tea")
    api.call("PATCH", "/people/alice", {"memory_enabled": False})
    told = listen(mem0, *STORY)
    event = mem0.call("GET", f"/v1/event/{told['event_id']}/")
    for said in (told, event):
        assert (said["status"], said["results"]) == ("SUCCEEDED", [])
        assert "Nothing of it is stored" in said["message"]
        assert "Memory is paused" in said["message"]
        assert "Listened to" not in said["message"]


def test_where_nothing_is_noticed_nothing_is_said_to_wait(mem0: Compat) -> None:
    told = listen(mem0, "Thanks, bye!")
    event = mem0.call("GET", f"/v1/event/{told['event_id']}/")
    assert told["message"] == event["message"] == "Listened to. Nothing new is kept of it."
    assert (told["status"], event["status"]) == ("SUCCEEDED", "SUCCEEDED")


def test_an_event_tells_what_was_decided_whatever_the_policy_is_now(mem0: Compat, api: Api) -> None:
    told = listen(mem0, STORY[3])
    assert "waits for the person" in told["message"]
    [proposal] = api.get("/proposals?person=alice").json()["items"]
    api.post(f"/proposals/{proposal['id']}/accept", {})
    api.call("PATCH", "/people/alice", {"extraction_policy": "off"})
    done = mem0.call("GET", f"/v1/event/{told['event_id']}/")["message"]
    assert "Listened to." in done
    assert "is kept" in done
    assert "waits for the person" not in done
    assert "wants nothing noticed" not in done


def test_an_event_tells_of_a_refusal(mem0: Compat, api: Api) -> None:
    told = listen(mem0, STORY[3])
    [proposal] = api.get("/proposals?person=alice").json()["items"]
    api.post(f"/proposals/{proposal['id']}/reject", {})
    done = mem0.call("GET", f"/v1/event/{told['event_id']}/")
    assert done["results"] == []
    assert done["message"].endswith("is decided on, or has expired. Nothing new is kept of it.")
