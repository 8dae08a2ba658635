"""Told one thing, then another, then the first again: what was told last is what holds."""

from typing import Any

import pytest

from tests.conftest import Api

TOLD = [
    ("I work at Bosch.", "I work at Siemens now.", "supersede"),
    ("Our plumber is called Marek.", "Our plumber is called Henning.", "conflict"),
]


def talk(api: Api, told: str) -> list[dict[str, Any]]:
    """What a conversation in which that is told puts up."""
    said = [("user", told), ("assistant", "I see."), ("user", "Thanks!"), ("assistant", "You're welcome.")]
    conversation = api.post("/conversations", {"person": "alice"}).json()["id"]
    turns = [{"role": role, "content": content} for role, content in said]
    assert api.post(f"/conversations/{conversation}/turns", {"turns": turns}).status_code == 201
    proposals: list[dict[str, Any]] = api.post(f"/conversations/{conversation}/end", {}).json()["proposals"]
    return proposals


def accept(api: Api, proposals: list[dict[str, Any]]) -> None:
    for proposal in proposals:
        assert api.post(f"/proposals/{proposal['id']}/accept", {}).status_code == 200


def holding(api: Api) -> list[str]:
    items = api.get("/memories?person=alice&order=oldest").json()["items"]
    return [item["content"] for item in items if item["status"] == "active" and item["confidence"] > 0.3]


def waiting(api: Api) -> list[str]:
    items = api.get("/proposals?person=alice&status=pending").json()["items"]
    return [item["content"] for item in sorted(items, key=lambda item: str(item["id"]))]


@pytest.mark.parametrize(("first", "second", "relation"), TOLD)
def test_what_gave_way_is_put_up_again_once_it_is_told_again(
    api: Api, real_encoder: object, first: str, second: str, relation: str
) -> None:
    accept(api, talk(api, first))
    (held,) = holding(api)
    accept(api, talk(api, second))
    assert holding(api) != [held]
    (again,) = talk(api, first)
    assert (again["content"], again["relation"]) == (held, relation)
    accept(api, [again])
    assert holding(api) == [held]
    assert talk(api, first) == []


@pytest.mark.parametrize(("first", "second", "relation"), TOLD)
def test_what_still_waits_is_asked_once_as_the_last(
    api: Api, real_encoder: object, first: str, second: str, relation: str
) -> None:
    (one,), (other,) = talk(api, first), talk(api, second)
    (again,) = talk(api, first)
    assert again["content"] == one["content"]
    assert waiting(api) == [other["content"], one["content"]]
    assert talk(api, first) == []


def test_what_was_refused_or_forgotten_is_not_put_up_again(api: Api, real_encoder: object) -> None:
    first, second, _ = TOLD[0]
    (refused,) = talk(api, first)
    assert api.post(f"/proposals/{refused['id']}/reject", {}).status_code == 200
    accept(api, talk(api, second))
    assert talk(api, first) == []
    (kept,) = api.get("/memories?person=alice").json()["items"]
    assert api.call("DELETE", f"/memories/{kept['id']}?person=alice").status_code in (200, 204)
    assert talk(api, second) == []


@pytest.mark.parametrize("how", ["memories", "batch"])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I live in Berlin", "I live in Hamburg"),
        ("My sister lives in Berlin", "My sister lives in Hamburg"),
        ("I'm single", "I'm engaged"),
    ],
)
def test_so_it_is_of_what_one_asks_to_be_kept(
    api: Api, real_encoder: object, how: str, first: str, second: str
) -> None:
    said = [first, second, first]
    if how == "memories":
        for text in said:
            api.remember("alice", text)
    else:
        api.post("/memories/batch", {"items": [{"person": "alice", "content": text} for text in said]})
    assert holding(api) == [first]
