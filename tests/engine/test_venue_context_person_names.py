"""Which names a person may have: all that can be met under their own address."""

import pytest

from memory_app.engine.venue_context import is_addressable
from tests.addresses import API, addresses

PEOPLE = f"{API}people/<text:person>"


@pytest.mark.parametrize(
    "name",
    [
        "alice",
        "team/alice",
        "stats",
        "/stats",
        "x/stats/",
        "x/Stats",
        "x/stats/y",
        "...",
        "a.b/.c",
        "x/..y",
        "notes/2026",
        "x/merged",
        "merge/undo",
    ],
)
def test_a_name_of_ones_own_may_be_anything(name: str) -> None:
    assert is_addressable(name) is True


def test_a_name_that_ends_like_an_address_below_a_person_is_none() -> None:
    below = {address.route.removeprefix(PEOPLE) for address in addresses() if address.route.startswith(PEOPLE)} - {""}
    assert {"/stats", "/merge/undo", "/notes/<entry>"} <= below
    taken = {end: is_addressable(f"team/alice{end.replace('<day>', '2026-11-20')}") for end in below}
    assert taken == dict.fromkeys(below, False)


@pytest.mark.parametrize("name", [".", "..", "../b", "a/..", "a/./b", "a/../b"])
def test_a_name_that_clients_take_for_another_is_none(name: str) -> None:
    assert is_addressable(name) is False
