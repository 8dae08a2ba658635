"""The whole table of who sees what from where, through the real QuerySet on the real database, cell by cell."""

from uuid import UUID

import pytest

from memory_app.engine.venue_context import VenueContext, VenueNames, resolve_venue
from memory_app.models import Memory
from memory_app.models.row_security import allowed_spaces
from tests.worlds import Row, World, seen_by, store

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("ids")]

ROWS = {
    "own private": Row("alice", "private", "private", "a diary"),
    "other's private": Row("bob", "private", "private", "a diary"),
    "own channel": Row("alice", "cooks", "channel", "a recipe"),
    "own, another channel": Row("alice", "chefs", "channel", "a recipe"),
    "other's channel": Row("bob", "cooks", "channel", "a recipe"),
    "other's, another channel": Row("bob", "chefs", "channel", "a recipe"),
    "own space": Row("alice", "kitchen", "space", "a kettle"),
    "other's space": Row("bob", "kitchen", "space", "a kettle"),
    "other's, another space": Row("bob", "garage", "space", "a hammer"),
    "other's, channel of another space": Row("bob", "bench", "channel", "a hammer"),
    "own, of a space left": Row("alice", "attic", "space", "a trunk"),
    "other's, of a space left": Row("bob", "attic", "space", "a trunk"),
    "own global": Row("alice", "private", "global", "speaks French"),
    "other's global": Row("bob", "private", "global", "speaks Dutch"),
    "own, for everyone": Row("alice", "private", "everyone", "the office is shut on Friday"),
    "other's, for everyone": Row("bob", "private", "everyone", "the office is shut on Friday"),
    "own, deleted": Row("alice", "private", "private", "a diary", deleted=True),
}

ALWAYS = {"own global", "own, for everyone", "other's, for everyone"}
IN_PRIVATE = {"own private", "own channel", "own, another channel", "own space", "own, of a space left"}
PRIVATE_OF = {name: VenueNames(named=name) for name in ("kitchen", "garage", "attic")}

SEEN: dict[str, tuple[VenueNames, set[str]]] = {
    "private": (VenueNames(), IN_PRIVATE),
    "private, asking of a space": (PRIVATE_OF["kitchen"], {*IN_PRIVATE, "other's space"}),
    "private, asking of a space one left": (PRIVATE_OF["attic"], IN_PRIVATE),
    "private, asking of a space one never was in": (PRIVATE_OF["garage"], IN_PRIVATE),
    "restricted channel": (
        VenueNames("kitchen", "cooks", restricted=True), {"own channel", "own space", "other's space"},
    ),
    "restricted channel, called open": (VenueNames("kitchen", "cooks"), {"own channel", "own space", "other's space"}),
    "open channel": (VenueNames("kitchen", "hall"), {"own space", "other's space"}),
    "space": (VenueNames("kitchen"), {"own space", "other's space"}),
}  # fmt: skip


@pytest.fixture(scope="module")
def ids(module_rows: None) -> dict[UUID, str]:
    """Every row of the table in the database, by id."""
    world = World.build()
    memories = {name: world.memory(row) for name, row in ROWS.items()}
    store((ROWS[name], memory) for name, memory in memories.items())
    return {memory.id: name for name, memory in memories.items()}


def _alice(place: VenueNames) -> VenueContext:
    return resolve_venue(person="alice", place=place)


@pytest.mark.parametrize("venue", SEEN)
def test_each_cell_of_the_table_by_the_rule_alone(venue: str, ids: dict[UUID, str]) -> None:
    place, seen = SEEN[venue]
    found = {ids[identifier] for identifier in seen_by(_alice(place))}
    assert found == seen | ALWAYS


@pytest.mark.parametrize("venue", SEEN)
def test_row_security_takes_nothing_away_that_may_be_seen(venue: str, ids: dict[UUID, str]) -> None:
    place, seen = SEEN[venue]
    venue_context = _alice(place)
    with allowed_spaces(venue_context.venue.spaces):
        found = Memory.objects.undeleted().visible_from(venue_context.venue).values_list("id", flat=True)
        assert {ids[identifier] for identifier in found} == seen | ALWAYS


@pytest.mark.parametrize("venue", SEEN)
def test_row_security_alone_shows_nothing_of_other_spaces(venue: str, ids: dict[UUID, str]) -> None:
    venue_context = _alice(SEEN[venue][0])
    with allowed_spaces(venue_context.venue.spaces):
        found = {ids[identifier] for identifier in Memory.objects.values_list("id", flat=True)}
    elsewhere = {"other's private", "other's global", "other's, another space", "other's, channel of another space"}
    assert found & elsewhere == set()
