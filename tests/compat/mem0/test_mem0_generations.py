"""The same acts as each generation of mem0's clients asks for them: paths and shapes are theirs."""

import pytest

from tests.compat.conftest import Compat
from tests.conftest import Api

pytestmark = pytest.mark.django_db

ALICE = {"user_id": "alice"}
BY_FILTER = {"filters": ALICE}
ACCOUNT = "org_id=keepsake&project_id=default"


def _said(text: str, **fields: object) -> dict[str, object]:
    return {"messages": [{"role": "user", "content": text}], "infer": False, **fields}


def test_a_client_finds_out_who_it_is(mem0: Compat) -> None:
    told = mem0.call("GET", "/v1/ping/")
    assert (told["status"], told["org_id"], told["project_id"]) == ("ok", "keepsake", "default")
    assert told["infer"]["policy"] == "each person's own"


def test_the_third_generation_adds_finds_changes_and_deletes(mem0: Compat) -> None:
    added = mem0.call("POST", "/v3/memories/add/", _said("I like green tea", **ALICE, metadata={"cup": 1}))
    assert added["status"] == "SUCCEEDED"
    [kept] = added["results"]
    assert (kept["event"], kept["data"]) == ("ADD", {"memory": "I like green tea"})
    path = f"/v1/memories/{kept['id']}/"
    read = mem0.call("GET", path)
    assert {name: read[name] for name in ("id", "memory", "user_id", "agent_id", "metadata")} == {
        "id": kept["id"],
        "memory": "I like green tea",
        "user_id": "alice",
        "agent_id": None,
        "metadata": {"cup": 1},
    }
    listed = mem0.call("POST", "/v3/memories/?page=1&page_size=50", BY_FILTER)
    assert (listed["count"], listed["next"], [one["id"] for one in listed["results"]]) == (1, None, [kept["id"]])
    [found] = mem0.call("POST", "/v3/memories/search/", {"query": "green tea", **BY_FILTER})["results"]
    assert found["id"] == kept["id"]
    assert found["score"] > 0.3
    assert set(found["score_breakdown"]) == {"semantic", "bm25", "entity"}
    changed = mem0.call("PUT", path, {"text": "I like black tea", "metadata": {"cup": 2}})
    assert (changed["memory"], changed["metadata"]) == ("I like black tea", {"cup": 2})
    past = mem0.call("GET", f"{path}history/")
    assert [(one["event"], one["old_memory"], one["new_memory"]) for one in past] == [
        ("ADD", None, "I like green tea"),
        ("UPDATE", "I like green tea", "I like black tea"),
    ]
    assert mem0.call("DELETE", path)["cascade_count"] == 0
    assert mem0.refused(404, "GET", path)
    assert mem0.call("POST", "/v3/memories/", BY_FILTER)["results"] == []


def test_the_second_generation_is_answered_bare_lists(mem0: Compat) -> None:
    added = mem0.call("POST", "/v1/memories/", {**_said("I like tea", **ALICE), "output_format": "v1.1"})
    [kept] = added["results"]
    [listed] = mem0.call("POST", "/v2/memories/", {**ALICE, "org_id": "keepsake"})
    assert listed["id"] == kept["id"]
    paged = mem0.call("POST", "/v2/memories/?page=1&page_size=5", {"version": "v2", **BY_FILTER})
    assert (paged["count"], len(paged["results"])) == (1, 1)
    for asked in ({**ALICE, "limit": 5}, {**BY_FILTER, "top_k": 5}):
        [found] = mem0.call("POST", "/v2/memories/search/", {"query": "tea", **asked})
        assert found["id"] == kept["id"]


def test_the_first_generation_asks_in_addresses(mem0: Compat) -> None:
    mem0.call("POST", "/v1/memories/", _said("I like tea", **ALICE))
    [listed] = mem0.call("GET", f"/v1/memories/?user_id=alice&{ACCOUNT}")
    [in_python] = mem0.call("GET", f"/v1/memories/?filters=%7B%27user_id%27%3A+%27alice%27%7D&{ACCOUNT}")
    [found] = mem0.call("POST", "/v1/memories/search/", {"query": "tea", **ALICE})
    with_relations = mem0.call("POST", "/v1/memories/search/", {"query": "tea", **ALICE, "output_format": "v1.1"})
    assert listed["id"] == in_python["id"] == found["id"] == with_relations["results"][0]["id"]
    assert with_relations["relations"] == []
    mem0.call("PUT", f"/v1/memories/{listed['id']}/?{ACCOUNT}", {"text": "I like coffee"})
    assert mem0.call("GET", f"/v1/memories/{listed['id']}/?{ACCOUNT}")["memory"] == "I like coffee"


def test_deleting_all_is_soft_and_needs_somebody(mem0: Compat, api: Api) -> None:
    for person in ("alice", "bob"):
        mem0.call("POST", "/v3/memories/add/", _said("I like tea", user_id=person))
    assert "user_id" in mem0.refused(400, "DELETE", "/v1/memories/")
    mem0.call("DELETE", f"/v1/memories/?user_id=alice&{ACCOUNT}")
    assert mem0.call("POST", "/v3/memories/", BY_FILTER)["count"] == 0
    assert mem0.call("POST", "/v3/memories/", {"filters": {"user_id": "bob"}})["count"] == 1
    deleted = api.get("/memories?person=alice&status=deleted").json()["items"]
    assert [one["content"] for one in deleted] == ["I like tea"]


@pytest.mark.parametrize("scheme", ["Token", "Bearer", "X-API-Key"])
def test_a_key_is_shown_in_three_ways(key: str, scheme: str) -> None:
    assert Compat(key, scheme=scheme).call("GET", "/v1/ping/")["status"] == "ok"
    assert "key" in Compat("ks_wrong", scheme=scheme).refused(401, "GET", "/v1/ping/")
