"""Two memories that may not both hold: opened, listed, answered, and taken back."""

from typing import Any

import pytest

from tests.conftest import Api

pytestmark = pytest.mark.django_db


def keep_two(api: Api) -> tuple[dict[str, Any], dict[str, Any]]:
    older = api.remember("alice", "The budget for the kitchen is 50,000")
    newer = api.remember("alice", "The budget for the kitchen is 60,000")
    return older, newer


def conflicts(api: Api, **query: str) -> list[dict[str, Any]]:
    listed = "&".join(f"{name}={value}" for name, value in {"person": "alice", **query}.items())
    found: list[dict[str, Any]] = api.get(f"/conflicts?{listed}").json()["items"]
    return found


def answer(api: Api, conflict: dict[str, Any], **body: object) -> Any:
    return api.post(f"/conflicts/{conflict['id']}/answer", body)


def statuses(api: Api, *memories: dict[str, Any]) -> list[str]:
    return [api.get(f"/memories/{memory['id']}").json()["status"] for memory in memories]


def test_both_stand_as_they_are_until_the_person_answers(api: Api) -> None:
    older, newer = keep_two(api)
    (conflict,) = conflicts(api)
    assert (conflict["older"]["id"], conflict["newer"]["id"]) == (older["id"], newer["id"])
    assert conflict["answer"] is None
    assert statuses(api, older, newer) == ["active", "active"]
    assert [api.get(f"/memories/{one['id']}").json()["confidence"] for one in (older, newer)] == [1.0, 1.0]


def test_who_remembers_is_told_what_it_may_replace(api: Api) -> None:
    api.remember("alice", "The budget for the kitchen is 50,000")
    said = {"person": "alice", "utterance": "remember that the budget for the kitchen is 60,000"}
    answered = api.post("/remember", said).json()
    assert "I also have “The budget for the kitchen is 50,000”, of" in answered["message"]
    assert [memory["content"] for memory in answered["conflicts"]] == ["The budget for the kitchen is 50,000"]


def test_the_newest_replaces_the_old_one(api: Api) -> None:
    older, newer = keep_two(api)
    assert answer(api, conflicts(api)[0], keep="newest").json()["memory"]["id"] == newer["id"]
    assert statuses(api, older, newer) == ["superseded", "active"]
    assert conflicts(api) == []
    assert [one["answer"] for one in conflicts(api, status="answered")] == ["newest"]


def test_the_old_one_holds_and_the_newest_can_be_restored(api: Api) -> None:
    older, newer = keep_two(api)
    assert answer(api, conflicts(api)[0], keep="oldest").json()["memory"]["id"] == older["id"]
    assert api.get(f"/memories/{newer['id']}").status_code == 404
    assert api.post(f"/admin/memories/{newer['id']}/restore", {}).status_code == 200
    assert statuses(api, older, newer) == ["active", "active"]


def test_both_hold_and_nobody_asks_again(api: Api) -> None:
    older, newer = keep_two(api)
    answer(api, conflicts(api)[0], keep="both")
    assert statuses(api, older, newer) == ["active", "active"]
    assert conflicts(api) == []


def test_one_text_for_both(api: Api) -> None:
    older, newer = keep_two(api)
    merged = answer(api, conflicts(api)[0], keep="merged", content="The kitchen budget went from 50,000 to 60,000")
    assert merged.json()["memory"]["content"] == "The kitchen budget went from 50,000 to 60,000"
    assert statuses(api, older, newer) == ["superseded", "active"]


@pytest.mark.parametrize("keep", ["newest", "oldest", "merged"])
def test_an_answer_is_taken_back(api: Api, keep: str) -> None:
    older, newer = keep_two(api)
    (conflict,) = conflicts(api)
    answer(api, conflict, keep=keep, **({"content": "It rose to 60,000"} if keep == "merged" else {}))
    assert api.post(f"/conflicts/{conflict['id']}/reopen", {}).json()["answer"] is None
    assert statuses(api, older, newer) == ["active", "active"]
    assert api.get(f"/memories/{newer['id']}").json()["content"] == "The budget for the kitchen is 60,000"
    assert [one["id"] for one in conflicts(api)] == [conflict["id"]]


def test_a_merge_needs_its_text_and_nothing_else_takes_one(api: Api) -> None:
    keep_two(api)
    (conflict,) = conflicts(api)
    assert answer(api, conflict, keep="merged").status_code == 422
    assert answer(api, conflict, keep="newest", content="60,000").status_code == 422
    assert answer(api, conflict, keep="none").status_code == 422


def test_what_was_answered_is_not_answered_again(api: Api) -> None:
    keep_two(api)
    (conflict,) = conflicts(api)
    answer(api, conflict, keep="both")
    assert answer(api, conflict, keep="newest").status_code == 409


def test_what_is_deleted_is_in_no_conflict_until_it_is_back(api: Api) -> None:
    older, _ = keep_two(api)
    api.call("DELETE", f"/memories/{older['id']}")
    assert conflicts(api) == []
    api.post(f"/admin/memories/{older['id']}/restore", {})
    assert len(conflicts(api)) == 1


def test_another_text_is_another_question(api: Api) -> None:
    _, newer = keep_two(api)
    api.call("PATCH", f"/memories/{newer['id']}", {"content": "Our dog is called Rex"})
    assert conflicts(api) == []
    api.call("PATCH", f"/memories/{newer['id']}", {"content": "The budget for the kitchen is 70,000"})
    assert [one["newer"]["content"] for one in conflicts(api)] == ["The budget for the kitchen is 70,000"]


def test_a_correction_is_compared_too(api: Api) -> None:
    api.remember("alice", "The wedding is in Rome")
    other = api.remember("alice", "We hired a band")
    api.post(f"/memories/{other['id']}/correct", {"content": "The wedding is in Oslo"})
    assert [one["newer"]["content"] for one in conflicts(api)] == ["The wedding is in Oslo"]


def test_erasing_one_leaves_no_conflict_behind(api: Api) -> None:
    older, newer = keep_two(api)
    erased = api.post(f"/admin/memories/{older['id']}/erase", {"confirm": older["id"]}).json()
    assert erased["removed"]["conflict"] == 1
    assert conflicts(api) == []
    assert statuses(api, newer) == ["active"]


def test_a_conflict_of_somebody_else_looks_as_if_it_were_not_there(api: Api) -> None:
    keep_two(api)
    (conflict,) = conflicts(api)
    api.remember("bob", "I like tea")
    assert conflicts(api, person="bob") == []
    assert api.post("/conflicts/01890000-0000-7000-8000-000000000000/answer", {"keep": "both"}).status_code == 404
    assert conflict["person"] == "alice"
