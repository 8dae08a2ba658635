"""Memories each of which contradicts the one before it: what becomes of the others when one is chosen, or goes."""

import pytest

from tests.api.test_contradictions import NEW, OLD, standing, waiting
from tests.conftest import Api

MAREK, HENNING, EVE = OLD, NEW, "Our plumber is called Eve"
THREE = [(MAREK, "active", 0.3, True), (HENNING, "active", 0.3, True), (EVE, "active", 1.0, True)]


@pytest.fixture
def three(api: Api, real_encoder: object) -> list[str]:
    """Each contradicts the one before it."""
    ids = [api.remember("alice", text)["id"] for text in (MAREK, HENNING, EVE)]
    assert standing(api) == THREE
    return ids


def asked_about(api: Api) -> set[tuple[str, str]]:
    return {(asked["target"], asked["folds"]) for asked in waiting(api)}


def test_what_holds_by_the_answer_is_asked_about_with_what_the_other_contradicted(api: Api, three: list[str]) -> None:
    marek, henning, eve = three
    (asked,) = [asked for asked in waiting(api) if asked["folds"] == eve]
    assert api.post(f"/proposals/{asked['id']}/accept", {"keep": "newest"}).status_code == 200
    assert standing(api) == [THREE[0], (HENNING, "superseded", 0.3, True), THREE[2]]
    assert asked_about(api) == {(marek, eve)}
    assert api.post(f"/proposals/{asked['id']}/reopen", {}).status_code == 200
    assert standing(api) == THREE
    assert asked_about(api) == {(marek, henning), (henning, eve)}


def test_told_again_it_contradicts_what_holds_by_the_answer(api: Api, three: list[str]) -> None:
    (asked,) = [asked for asked in waiting(api) if asked["folds"] == three[2]]
    assert api.post(f"/proposals/{asked['id']}/accept", {"keep": "newest"}).status_code == 200
    again = api.remember("alice", MAREK)
    assert again["contradicts"] == three[2]
    assert asked_about(api) == {(three[2], again["id"])}


@pytest.mark.parametrize("how", ["forgotten", "edited", "corrected", "erased"])
def test_what_stands_between_two_goes_and_they_are_asked_about(api: Api, three: list[str], how: str) -> None:
    marek, henning, eve = three
    other = {"content": "Our gardener is called Henning"}
    if how == "forgotten":
        api.call("DELETE", f"/memories/{henning}?person=alice")
    elif how == "edited":
        api.call("PATCH", f"/memories/{henning}", other)
    elif how == "corrected":
        api.post(f"/memories/{henning}/correct", other)
    else:
        api.post(f"/admin/memories/{henning}/erase", {})
    assert (marek, eve) in asked_about(api)
    rows = standing(api)
    assert (rows[0], [row for row in rows if row[0] == EVE]) == (THREE[0], [THREE[2]])
    assert api.get(f"/memories/{marek}?person=alice").json()["contradicted_by"] == eve
