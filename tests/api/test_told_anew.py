"""The older of two that contradict each other, given other words: what its person says last is the newer, if they claim
something else by it."""

from typing import Any

import pytest
from django.utils import timezone

from memory_app.engine.author import Author
from memory_app.engine.forgetting.undo import undo
from memory_app.models import Operation
from memory_app.models.scope import every_space
from tests.conftest import Api

OLD, NEW, CORRECTED = (f"Our plumber is called {name}" for name in ("Marek", "Henning", "Henrik"))


@pytest.fixture
def pair(api: Api, real_encoder: object) -> dict[str, Any]:
    """What was kept first, what says otherwise, and what is put up of the two."""
    old, new = api.remember("alice", OLD), api.remember("alice", NEW)
    (proposal,) = waiting(api)
    return {"old": old, "new": new, "proposal": proposal}


def waiting(api: Api) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = api.get("/proposals?person=alice&status=pending").json()["items"]
    return items


def standing(api: Api) -> list[tuple[str, str, float, bool]]:
    items = api.get("/memories?person=alice&order=oldest").json()["items"]
    return [
        (item["content"], item["status"], item["confidence"], "conflicts_with" in item["attributes"]) for item in items
    ]


SLIP = "Our plumber is called Mraek"


@pytest.mark.parametrize("how", ["edit", "correct"])
@pytest.mark.parametrize(
    ("said", "mended"),
    [(SLIP, OLD), (OLD, "our plumber is called Marek."), (OLD, "Our plumber is called Marek Nowak")],
)
def test_what_says_the_same_as_before_stays_the_older(
    api: Api, real_encoder: object, how: str, said: str, mended: str
) -> None:
    old, new = api.remember("alice", said), api.remember("alice", NEW)
    at = f"/memories/{old['id']}"
    if how == "edit":
        kept = api.call("PATCH", at, {"content": mended}).json()
    else:
        kept = api.post(f"{at}/correct", {"content": mended}).json()
    (asked,) = waiting(api)
    assert (asked["target"], asked["folds"], asked["content"]) == (kept["id"], new["id"], NEW)
    now = {item["content"]: item for item in api.get("/memories?person=alice").json()["items"]}
    assert (now[mended]["confidence"], now[mended]["contradicted_by"]) == (0.3, new["id"])
    assert (now[NEW]["confidence"], now[NEW]["contradicts"]) == (1.0, kept["id"])
    assert api.post(f"/proposals/{asked['id']}/accept", {"keep": "both"}).status_code == 200
    assert {(text, worth) for text, status, worth, _ in standing(api) if status == "active"} == {
        (mended, 1.0),
        (NEW, 1.0),
    }


@pytest.mark.parametrize("decision", ["newest", "both", "reject"])
def test_which_holds_is_chosen_of_the_one_told_anew_and_undone(api: Api, pair: dict[str, Any], decision: str) -> None:
    assert api.call("PATCH", f"/memories/{pair['old']['id']}", {"content": CORRECTED}).status_code == 200
    before, at = standing(api), f"/proposals/{pair['proposal']['id']}"
    assert before == [(CORRECTED, "active", 1.0, True), (NEW, "active", 0.3, True)]
    chosen = api.post(f"{at}/reject", {}) if decision == "reject" else api.post(f"{at}/accept", {"keep": decision})
    assert chosen.status_code == 200
    assert (
        standing(api)
        == {
            "newest": [(CORRECTED, "active", 1.0, False), (NEW, "superseded", 0.3, True)],
            "both": [(CORRECTED, "active", 1.0, False), (NEW, "active", 1.0, False)],
            "reject": [(NEW, "active", 1.0, False)],
        }[decision]
    )
    assert api.post(f"{at}/reopen", {}).status_code == 200
    assert standing(api) == before


def test_so_is_it_found_and_forgotten(api: Api, pair: dict[str, Any]) -> None:
    assert api.call("PATCH", f"/memories/{pair['old']['id']}", {"content": CORRECTED}).status_code == 200
    asked = {"person": "alice", "query": "What is our plumber called?", "kinds": ["memory"]}
    found = [result["memory"]["content"] for result in api.post("/search", asked).json()["results"]]
    assert found[0] == CORRECTED
    third = api.remember("alice", "Our plumber is called Eve")
    assert third["contradicts"] == pair["old"]["id"]
    assert api.call("DELETE", f"/memories/{third['id']}?person=alice").status_code in (200, 204)
    assert standing(api) == [(CORRECTED, "active", 1.0, True), (NEW, "active", 0.3, True)]
    assert api.call("DELETE", f"/memories/{pair['old']['id']}?person=alice").status_code in (200, 204)
    assert standing(api) == [(NEW, "active", 1.0, False)]
    assert api.post(f"/admin/memories/{pair['old']['id']}/restore", {}).status_code == 200
    assert standing(api) == [(CORRECTED, "active", 1.0, True), (NEW, "active", 0.3, True)]


@pytest.mark.parametrize("how", ["edit", "correct"])
@pytest.mark.parametrize("before", ["We have a new plumber.", "Our carpenter is called Marek."])
def test_what_a_memory_contradicts_only_by_its_new_words_is_the_older(
    api: Api, real_encoder: object, how: str, before: str
) -> None:
    first, other = api.remember("alice", before), api.remember("alice", NEW)
    at = f"/memories/{first['id']}"
    if how == "edit":
        told = api.call("PATCH", at, {"content": CORRECTED}).json()
    else:
        told = api.post(f"{at}/correct", {"content": CORRECTED}).json()
    assert (told["contradicts"], told["confidence"]) == (other["id"], 1.0)
    assert (NEW, "active", 0.3, True) in standing(api)


def test_what_was_misspelt_held_at_no_time(api: Api, real_encoder: object) -> None:
    said = api.remember("alice", SLIP)
    mended = api.post(f"/memories/{said['id']}/correct", {"content": OLD}, X_Request_ID="mended").json()
    then = {"person": "alice", "query": "plumber", "kinds": ["memory"], "as_of": mended["created_at"]}
    held = [result["memory"]["content"] for result in api.post("/search", then).json()["results"]]
    assert (mended["valid_from"], held) == (said["valid_from"], [OLD])


def test_a_correction_that_is_undone_gives_its_question_back(api: Api, pair: dict[str, Any]) -> None:
    at = f"/memories/{pair['old']['id']}/correct"
    assert api.post(at, {"content": "Our carpenter is called Marek."}, X_Request_ID="moved").status_code == 201
    assert waiting(api) == []
    with every_space():
        operations = list(Operation.objects.filter(request_id="moved"))
    undo(operations=operations, author=Author("user", "alice"), now=timezone.now())
    assert [item["id"] for item in waiting(api)] == [pair["proposal"]["id"]]
    assert standing(api) == [(OLD, "active", 0.3, True), (NEW, "active", 1.0, True)]


def test_what_comes_back_after_the_other_was_told_anew_is_the_older(api: Api, pair: dict[str, Any]) -> None:
    old, new = pair["old"]["id"], pair["new"]["id"]
    assert api.call("DELETE", f"/memories/{new}?person=alice").status_code in (200, 204)
    assert api.call("PATCH", f"/memories/{old}", {"content": CORRECTED}).status_code == 200
    assert api.post(f"/admin/memories/{new}/restore", {}).status_code == 200
    assert standing(api) == [(CORRECTED, "active", 1.0, True), (NEW, "active", 0.3, True)]
    assert api.get(f"/memories/{new}").json()["contradicted_by"] == old


def test_what_comes_back_contradicts_nothing_that_says_something_else_by_now(api: Api, pair: dict[str, Any]) -> None:
    old, new = pair["old"]["id"], pair["new"]["id"]
    assert api.call("DELETE", f"/memories/{new}?person=alice").status_code in (200, 204)
    assert api.call("PATCH", f"/memories/{old}", {"content": "Our carpenter is called Marek"}).status_code == 200
    assert api.post(f"/admin/memories/{new}/restore", {}).status_code == 200
    assert [item[1:] for item in standing(api)] == [("active", 1.0, False), ("active", 1.0, False)]


def test_what_was_replaced_contradicts_nothing_that_is_reverted(api: Api, pair: dict[str, Any]) -> None:
    old, new = pair["old"]["id"], pair["new"]["id"]
    assert api.call("PATCH", f"/memories/{old}", {"content": CORRECTED}).status_code == 200
    assert api.post(f"/memories/{new}/correct", {"content": f"{OLD}."}).status_code == 201
    assert api.post(f"/memories/{old}/revert", {"version": 1}).status_code == 200
    assert (OLD, "active", 1.0, False) in standing(api)


def test_what_comes_back_is_contradicted_by_nothing_that_says_something_else_by_now(
    api: Api, pair: dict[str, Any]
) -> None:
    old, new = pair["old"]["id"], pair["new"]["id"]
    assert api.call("DELETE", f"/memories/{old}?person=alice").status_code in (200, 204)
    assert api.call("PATCH", f"/memories/{new}", {"content": "Our carpenter is called Henning"}).status_code == 200
    assert api.post(f"/admin/memories/{old}/restore", {}).status_code == 200
    assert [item[1:] for item in standing(api)] == [("active", 1.0, False), ("active", 1.0, False)]
