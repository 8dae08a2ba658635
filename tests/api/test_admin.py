"""What super users do over the API: search all tiers, bring back, read the log."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from memory_app.models import ApiKey
from tests.conftest import Api

NOBODYS = UUID(int=1)

pytestmark = pytest.mark.django_db


@pytest.fixture
def rows(api: Api) -> dict[str, Any]:
    """A memory kept, one forgotten, and one of someone else."""
    kept = api.remember("alice", "The blue tiles are for the bath")
    gone = api.remember("alice", "A blue tile broke on the stairs")
    other = api.remember("bob", "The saw is blunt", venue={"space": "garage"})
    api.call("DELETE", f"/memories/{gone['id']}")
    return {"kept": kept["id"], "gone": gone["id"], "other": other["id"]}


def _search(api: Api, **body: object) -> dict[str, Any]:
    answer = api.post("/admin/search", body)
    assert answer.status_code == 200, answer.content
    told: dict[str, Any] = answer.json()
    return told


def _memories(told: dict[str, Any]) -> list[tuple[str, str]]:
    return [(item["tier"], item["memory"]["id"]) for item in told["items"] if item["memory"]]


def test_all_three_tiers_are_searched_at_once(api: Api, rows: dict[str, Any]) -> None:
    told = _search(api, query="tile blue")
    assert _memories(told) == [("deleted", rows["gone"]), ("active", rows["kept"])]
    logged = [item["operation"] for item in told["items"] if item["tier"] == "logs"]
    assert [(entry["operation"], entry["memory"]) for entry in logged] == [
        ("forget", rows["gone"]),
        ("remember", rows["gone"]),
        ("remember", rows["kept"]),
    ]
    assert told["totals"] == {"active": 1, "deleted": 1, "logs": 3}


def test_tiers_may_be_named(api: Api, rows: dict[str, Any]) -> None:
    assert _memories(_search(api, query="tile", tiers=["deleted"])) == [("deleted", rows["gone"])]
    assert _memories(_search(api, query="tile", tiers=["active"])) == [("active", rows["kept"])]
    assert [item["tier"] for item in _search(api, query="forget", tiers=["logs"])["items"]] == ["logs"]


@pytest.mark.parametrize("query", ["roke on the st", "STAIRS", "stair broke"])
def test_parts_and_forms_of_words_are_found(api: Api, rows: dict[str, Any], query: str) -> None:
    assert _memories(_search(api, query=query, tiers=["deleted"])) == [("deleted", rows["gone"])]


def test_an_id_finds_its_memory_and_its_trail(api: Api, rows: dict[str, Any]) -> None:
    told = _search(api, query=rows["gone"])
    assert [item["tier"] for item in told["items"]] == ["logs", "logs", "deleted"]


@pytest.mark.parametrize("query", ["%", "_", "\\", "' OR 1=1 --", "a & | !", "ti:*"])
def test_signs_of_patterns_mean_themselves(api: Api, rows: dict[str, Any], query: str) -> None:
    assert _memories(_search(api, query=query)) == []


def test_pages_show_everything_once(api: Api, rows: dict[str, Any]) -> None:
    seen, cursor = [], None
    while True:
        told = _search(api, query="tile", limit=2, cursor=cursor)
        seen += [(item["memory"] or item["operation"])["id"] for item in told["items"]]
        cursor = told["next_cursor"]
        if cursor is None:
            break
    assert (len(seen), len(set(seen))) == (5, 5)
    assert seen == sorted(seen, reverse=True)
    assert api.post("/admin/search", {"query": "tile", "cursor": "nonsense"}).status_code == 422


def test_a_search_is_logged_without_its_words(api: Api, rows: dict[str, Any]) -> None:
    _search(api, query="stairs")
    entries = api.get("/admin/logs?operation=admin_search").json()["items"]
    assert [entry["detail"]["found"] for entry in entries] == [{"active": 0, "deleted": 1, "logs": 2}]
    assert "stairs" not in str(entries)
    assert entries[0]["author"].startswith("key:")


def test_a_forgotten_memory_is_brought_back(api: Api, rows: dict[str, Any]) -> None:
    restored = api.post(f"/admin/memories/{rows['gone']}/restore", {})
    assert (restored.status_code, restored.json()["tier"]) == (200, "active")
    assert api.get(f"/memories/{rows['gone']}?person=alice").status_code == 200
    assert api.post(f"/admin/memories/{rows['gone']}/restore", {}).status_code == 409
    assert api.post(f"/admin/memories/{uuid4()}/restore", {}).status_code == 404


def test_what_comes_back_gives_way_to_the_value_its_key_has_by_now(api: Api) -> None:
    old = api.remember("alice", "I live in Rome", key="home")
    api.call("DELETE", f"/memories/{old['id']}")
    api.remember("alice", "I live in Berlin", key="home")
    assert api.post(f"/admin/memories/{old['id']}/restore", {}).json()["key"] is None


def test_the_log_is_narrowed_and_paged(api: Api, rows: dict[str, Any]) -> None:
    entries = api.get("/admin/logs?operation=remember&person=alice").json()["items"]
    assert [entry["memory"] for entry in entries] == [rows["gone"], rows["kept"]]
    assert {entry["person"] for entry in entries} == {"alice"}
    assert entries[0]["detail"]["decision"] == "add"
    assert [e["operation"] for e in api.get(f"/admin/logs?memory={rows['gone']}").json()["items"]] == [
        "forget",
        "remember",
    ]
    assert api.get("/admin/logs?person=nobody").json()["items"] == []
    assert len(api.get("/admin/logs?q=garage-or-nothing").json()["items"]) == 0
    assert len(api.get("/admin/logs?q=asked&operation=forget").json()["items"]) == 1
    first = api.get("/admin/logs?operation=remember&limit=2").json()
    rest = api.get(f"/admin/logs?operation=remember&limit=2&cursor={first['next_cursor']}").json()
    assert [len(first["items"]), len(rest["items"]), rest["next_cursor"]] == [2, 1, None]


def test_the_log_is_narrowed_by_time(api: Api, rows: dict[str, Any]) -> None:
    middle = (
        api.get(f"/admin/logs?operation=remember&memory={rows['gone']}").json()["items"][0]["at"].replace("+", "%2B")
    )
    assert len(api.get(f"/admin/logs?operation=remember&since={middle}").json()["items"]) == 2
    assert len(api.get(f"/admin/logs?operation=remember&until={middle}").json()["items"]) == 1


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/admin/search"), ("POST", f"/admin/memories/{NOBODYS}/restore"), ("GET", "/admin/logs")],
)
def test_only_the_scope_admin_will_do(api: Api, method: str, path: str) -> None:
    _, token = ApiKey.issue("assistant", scopes=["read", "write"])
    assert Api(token).call(method, path, {"query": "x"}).status_code == 403


def test_an_admin_key_of_some_people_does_not_look_at_others(rows: dict[str, Any]) -> None:
    _, token = ApiKey.issue("bob's own", scopes=["admin"], people=["bob"])
    assert Api(token).post("/admin/search", {"query": "tile"}).status_code == 403
    assert Api(token).get("/admin/logs").status_code == 403
    assert Api(token).post(f"/admin/memories/{rows['gone']}/restore", {}).status_code == 404
