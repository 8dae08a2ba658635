"""The list of briefs: what a person's assistants were told, narrowed to a conversation, a memory or a time."""

import pytest

from memory_app.models import ApiKey
from tests.conftest import Api

pytestmark = pytest.mark.django_db


def _ids(api: Api, query: str) -> list[str]:
    answer = api.get(f"/briefs?{query}")
    assert answer.status_code == 200, answer.content
    return [item["id"] for item in answer.json()["items"]]


def test_briefs_are_listed_and_narrowed(api: Api) -> None:
    memory = api.remember("alice", "We chose the blue tile")["id"]
    talk = api.post("/conversations", {"person": "alice"}).json()["id"]
    asked = {"person": "alice", "query": "What do you remember about the tile?", "conversation": talk}
    told = api.post("/context", asked).json()["receipt"]
    empty = api.post("/context", {"person": "alice", "query": "set a timer"}).json()["receipt"]
    in_space = {"person": "alice", "query": "Who cooks?", "venue": {"space": "kitchen"}}
    shared = api.post("/context", in_space).json()["receipt"]
    assert _ids(api, "person=alice") == [shared, empty, told]
    assert _ids(api, "person=alice&limit=1") == [shared]
    assert _ids(api, f"person=alice&memory={memory}") == [told]
    assert _ids(api, f"person=alice&conversation={talk}") == [told]
    assert _ids(api, "person=alice&since=2090-01-01T00:00:00Z") == []
    assert (_ids(api, "person=bob"), api.get("/briefs").status_code) == ([], 422)
    brief = api.get(f"/briefs?person=alice&memory={memory}").json()["items"][0]
    assert (brief["query"], brief["memories"], brief["reason"]) == (asked["query"], [memory], None)
    kitchen = Api(ApiKey.issue("limited", scopes=["read"], spaces=["kitchen"])[1])
    bobs = Api(ApiKey.issue("limited", scopes=["read"], people=["bob"])[1])
    assert _ids(kitchen, "person=alice") == [shared]
    assert bobs.get("/briefs?person=alice").status_code == 403
