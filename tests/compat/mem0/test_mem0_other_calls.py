"""What else mem0's clients ask: events, batches, owners, documents, the account, and the self-hosted server's paths."""

from typing import Any

import pytest

from memory_app.models import ApiKey, Operation
from memory_app.models.row_security import every_space
from tests.compat.conftest import Compat
from tests.conftest import Api

pytestmark = pytest.mark.django_db

ALICE = {"user_id": "alice"}
PROJECT = "/api/v1/orgs/organizations/keepsake/projects/default/"
STORY = (
    "I moved from Ghent to Lyon last week.",
    "I work as a nurse at the children's hospital.",
    "My sister Anna plays the cello.",
    "I prefer window seats on trains.",
)


def keep(mem0: Compat, text: str, **fields: object) -> str:
    body = {"messages": [{"role": "user", "content": text}], "infer": False, **(fields or ALICE)}
    [one] = mem0.call("POST", "/v3/memories/add/", body)["results"]
    identifier: str = one["id"]
    return identifier


def listen(mem0: Compat, *texts: str, **fields: object) -> Any:
    messages = [{"role": "user", "content": text} for text in texts]
    return mem0.call("POST", "/v3/memories/add/", {"messages": messages, **ALICE, **fields})


def test_what_is_inferred_waits_for_the_person(mem0: Compat, api: Api) -> None:
    """Until they decide, the event is pending; then it tells what was kept."""
    told = listen(mem0, *STORY)
    assert (told["status"], "results" in told) == ("PENDING", False)
    event = f"/v1/event/{told['event_id']}/"
    assert mem0.call("GET", event)["status"] == "PENDING"
    assert mem0.call("POST", "/v3/memories/", {"filters": ALICE})["count"] == 0
    proposals = api.get("/proposals?person=alice").json()["items"]
    assert proposals
    accepted = [api.post(f"/proposals/{one['id']}/accept", {}).json()["memory"]["id"] for one in proposals]
    done = mem0.call("GET", event)
    assert (done["status"], {one["id"] for one in done["results"]}) == ("SUCCEEDED", set(accepted))


def test_a_single_message_is_read_too(mem0: Compat, api: Api) -> None:
    told = listen(mem0, STORY[3])
    assert told["status"] == "PENDING"
    assert [one["content"] for one in api.get("/proposals?person=alice").json()["items"]] == [STORY[3]]


def test_with_the_policy_auto_what_is_sure_is_kept(mem0: Compat, api: Api) -> None:
    api.call("PATCH", "/people/alice", {"extraction_policy": "auto"})
    told = listen(mem0, *STORY, run_id="r1", metadata={"a": 1})
    assert told["status"] == "SUCCEEDED"
    assert told["results"]
    for one in told["results"]:
        read = mem0.call("GET", f"/v1/memories/{one['id']}/")
        assert (read["run_id"], read["metadata"], read["user_id"]) == ("r1", {"a": 1}, "alice")
    key = Compat(ApiKey.issue("alice", scopes=["read", "write"], people=["alice"])[1])
    assert key.call("GET", "/v1/ping/")["infer"]["policy"] == "auto"


def test_with_the_policy_off_only_a_request_is_kept(mem0: Compat, api: Api) -> None:
    api.call("PATCH", "/people/alice", {"extraction_policy": "off"})
    told = listen(mem0, *STORY, "Remember that the spare key is under the mat.")
    assert [one["memory"] for one in told["results"]] == ["the spare key is under the mat."]
    assert "wants nothing noticed" in told["message"]


def test_days_and_times_are_the_persons_own(mem0: Compat, api: Api) -> None:
    api.call("PATCH", "/people/alice", {"timezone": "Asia/Tokyo"})
    path = f"/v1/memories/{keep(mem0, 'I rent a car', **ALICE, expiration_date='2090-01-01', timestamp=1700000000)}/"
    assert mem0.call("GET", path)["expiration_date"] == "2090-01-01"
    kept = api.get(path.replace("/v1", "").rstrip("/")).json()
    assert (kept["expires_at"], kept["event_time"]) == ("2090-01-01T15:00:00Z", "2023-11-14T22:13:20Z")
    assert mem0.call("PUT", path, {"expiration_date": None})["expiration_date"] is None


def test_batches_are_done_whole_or_not_at_all(mem0: Compat) -> None:
    one, two = keep(mem0, "I like tea"), keep(mem0, "My bike is red")
    missing = {"memory_id": "01990000-0000-7000-8000-00000000dead", "text": "x"}
    changes = [{"memory_id": one, "text": "I like coffee"}, {"memory_id": two, "metadata": {"b": 1}}]
    assert mem0.refused(404, "PUT", "/v1/batch/", {"memories": [*changes, missing]})
    assert mem0.call("GET", f"/v1/memories/{one}/")["memory"] == "I like tea"
    assert "2 memories" in mem0.call("PUT", "/v1/batch/", {"memories": changes})["message"]
    assert mem0.call("GET", f"/v1/memories/{one}/")["memory"] == "I like coffee"
    assert mem0.call("GET", f"/v1/memories/{two}/")["metadata"] == {"b": 1}
    ids = [{"memory_id": one}, {"memory_id": two}]
    assert mem0.refused(404, "DELETE", "/v1/batch/", {"memories": [*ids, {"memory_id": "nope"}]})
    assert "2 memories" in mem0.call("DELETE", "/v1/batch/", {"memories": ids})["message"]
    assert mem0.call("POST", "/v3/memories/", {"filters": ALICE})["count"] == 0


def test_owners_are_counted_and_deleted_softly(mem0: Compat, api: Api) -> None:
    keep(mem0, "I like tea", user_id="alice", agent_id="bot")
    keep(mem0, "My bike is red", user_id="alice")
    keep(mem0, "The build is green", agent_id="bot/1 x")
    told = mem0.call("GET", "/v1/entities/")
    found = {(one["type"], one["name"]): one["total_memories"] for one in told["results"]}
    assert found == {("agent", "bot/1 x"): 1, ("user", "alice"): 2}
    assert (told["count"], told["total_users"], told["total_agents"]) == (2, 1, 1)
    assert [one["id"] for one in mem0.call("GET", "/entities")] == ["bot/1 x", "alice"]
    mem0.call("DELETE", "/v2/entities/agent/bot%2F1%20x/")
    mem0.call("DELETE", "/v1/entities/user/alice/")
    assert mem0.call("GET", "/v1/entities/")["results"] == []
    assert mem0.refused(404, "DELETE", "/v2/entities/user/nobody/")
    assert mem0.refused(422, "DELETE", "/v2/entities/robot/alice/")
    assert len(api.get("/memories?person=alice&status=deleted").json()["items"]) == 2


def test_documents(mem0: Compat) -> None:
    kept = keep(mem0, "I like tea")
    made = mem0.send("POST", "/v1/exports/", {"schema": {}, "filters": ALICE})
    assert made.status_code == 201
    identifier = made.json()["id"]  # type: ignore[attr-defined]
    for asked in ({"memory_export_id": identifier}, {"filters": ALICE}):
        assert [one["id"] for one in mem0.call("POST", "/v1/exports/get/", asked)["memories"]] == [kept]
    other = Compat(ApiKey.issue("other", scopes=["read"])[1])
    assert other.refused(404, "POST", "/v1/exports/get/", {"memory_export_id": identifier})
    assert mem0.refused(404, "POST", "/v1/exports/get/", {"memory_export_id": "x1"})
    assert "I like tea" in mem0.call("POST", "/v1/summary/", {"filters": ALICE})["summary"]
    profile = mem0.call("GET", "/v2/entities/user/alice/profile/")
    assert (profile["status"], "I like tea" in profile["profile"]) == ("succeeded", True)
    job = mem0.call("POST", "/v2/profiles/jobs/", {"operation": "trigger", "entity_id": "alice"})
    assert mem0.call("GET", job["status_url"])["job"]["status"] == "succeeded"
    assert mem0.refused(404, "GET", "/v2/profiles/jobs/j1/")
    assert mem0.call("POST", "/v2/profiles/settings/", {"enabled": True})["enabled"] is True
    assert mem0.refused(403, "POST", "/v2/profiles/settings/", {"enabled": False})


def test_feedback_is_in_the_log_without_its_reason(mem0: Compat) -> None:
    kept = keep(mem0, "I like tea")
    mem0.call("POST", "/v1/feedback/", {"memory_id": kept, "feedback": "NEGATIVE", "feedback_reason": "my secret"})
    with every_space():
        [noted] = Operation.objects.filter(name="feedback")
    assert (str(noted.memory_id), noted.detail) == (kept, {"feedback": "NEGATIVE"})
    assert mem0.refused(404, "POST", "/v1/feedback/", {"memory_id": "nope", "feedback": None})
    assert mem0.refused(422, "POST", "/v1/feedback/", {"memory_id": kept, "feedback": "MEH"})


def test_the_account_is_fixed(mem0: Compat) -> None:
    assert mem0.call("GET", f"{PROJECT}?fields=custom_instructions")["name"] == "Keepsake"
    assert mem0.call("GET", f"{PROJECT}members/") == {"members": []}
    assert mem0.call("GET", "/api/v1/webhooks/projects/default/") == []
    for method, path in (
        ("PATCH", PROJECT),
        ("DELETE", PROJECT),
        ("POST", f"{PROJECT}members/"),
        ("POST", "/api/v1/webhooks/projects/default/"),
        ("POST", "/reset"),
        ("POST", "/configure"),
    ):
        assert mem0.refused(403, method, path, {})
    assert mem0.refused(404, "DELETE", "/api/v1/webhooks/3/")
    assert mem0.call("GET", "/configure")["server"] == "keepsake"


def test_the_self_hosted_servers_paths(key: str) -> None:
    mem0 = Compat(key, scheme="X-API-Key")
    body = {"messages": [{"role": "user", "content": "I like tea"}], "infer": False}
    assert "user_id" in mem0.refused(400, "POST", "/memories", body)
    [kept] = mem0.call("POST", "/memories", {**body, **ALICE})["results"]
    assert (kept["memory"], kept["event"]) == ("I like tea", "ADD")
    path = f"/memories/{kept['id']}"
    [listed] = mem0.call("GET", "/memories?user_id=alice&top_k=5")["results"]
    [found] = mem0.call("POST", "/search", {"query": "tea", "filters": ALICE})["results"]
    assert kept["id"] == listed["id"] == found["id"] == mem0.call("GET", path)["id"]
    assert mem0.call("PUT", path, {"text": "I like coffee"})["memory"] == "I like coffee"
    assert len(mem0.call("GET", f"{path}/history")) == 2
    assert [one["id"] for one in mem0.call("GET", "/memories")["results"]] == [kept["id"]]
    limited = Compat(ApiKey.issue("limited", scopes=["read", "write"])[1])
    assert limited.refused(400, "GET", "/memories")
    assert mem0.refused(400, "DELETE", "/memories")
    mem0.call("DELETE", path)
    mem0.call("DELETE", "/memories?user_id=alice")
    mem0.call("DELETE", "/entities/user/alice")
    assert mem0.call("GET", "/memories?user_id=alice")["results"] == []
