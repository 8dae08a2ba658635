"""The whole table of who sees what from where, cell by cell."""

from uuid import UUID

import pytest

from memory_app.rules.visibility import Placed, Venue, VenueClass, Visibility, sees

ALICE, BOB = UUID(int=1), UUID(int=2)
HERS, HIS, COMMONS, KITCHEN, GARAGE = (UUID(int=n) for n in (11, 12, 13, 14, 15))
COOKS, SECRET = UUID(int=21), UUID(int=22)

private = Venue(person=ALICE, home=HERS, commons=COMMONS, own=frozenset({KITCHEN}), member=frozenset({KITCHEN}))
asking = Venue(
    person=ALICE, home=HERS, commons=COMMONS, own=frozenset({KITCHEN}), member=frozenset({KITCHEN}), named=KITCHEN
)
left = Venue(person=ALICE, home=HERS, commons=COMMONS, own=frozenset({KITCHEN}), named=KITCHEN)
channel = Venue(person=ALICE, home=HERS, commons=COMMONS, space=KITCHEN, channel=COOKS, restricted=True)
space = Venue(person=ALICE, home=HERS, commons=COMMONS, space=KITCHEN)

PRIVATE, GLOBAL, EVERYONE = Visibility.PRIVATE, Visibility.GLOBAL, Visibility.EVERYONE
CHANNEL, SPACE = Visibility.CHANNEL, Visibility.SPACE

ROWS = {
    "own private": Placed(HERS, ALICE, PRIVATE),
    "other's private": Placed(HIS, BOB, PRIVATE),
    "own channel": Placed(KITCHEN, ALICE, CHANNEL, COOKS),
    "own, another channel": Placed(KITCHEN, ALICE, CHANNEL, SECRET),
    "other's channel": Placed(KITCHEN, BOB, CHANNEL, COOKS),
    "own space": Placed(KITCHEN, ALICE, SPACE),
    "other's space": Placed(KITCHEN, BOB, SPACE),
    "other's, another space": Placed(GARAGE, BOB, SPACE),
    "own global": Placed(HERS, ALICE, GLOBAL),
    "other's global": Placed(HIS, BOB, GLOBAL),
    "other's, for everyone": Placed(COMMONS, BOB, EVERYONE),
}

SEEN = {
    "private": (private, {"own private", "own channel", "own, another channel", "own space", "own global"}),
    "private, asking of a space": (
        asking,
        {"own private", "own channel", "own, another channel", "own space", "other's space", "own global"},
    ),
    "private, asking of a space one left": (
        left,
        {"own private", "own channel", "own, another channel", "own space", "own global"},
    ),
    "restricted channel": (channel, {"own channel", "own space", "other's space", "own global"}),
    "space": (space, {"own space", "other's space", "own global"}),
}


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("venue", SEEN)
def test_each_cell_of_the_table(venue: str, row: str) -> None:
    at, seen = SEEN[venue]
    assert sees(at, ROWS[row]) == (row in seen | {"other's, for everyone"})


@pytest.mark.parametrize(("venue", "level"), [(private, PRIVATE), (channel, CHANNEL), (space, SPACE)])
def test_a_memory_is_born_at_the_level_of_its_venue(venue: Venue, level: Visibility) -> None:
    assert venue.level is level


def test_an_open_channel_is_the_space_itself() -> None:
    open_channel = Venue(person=ALICE, home=HERS, commons=COMMONS, space=KITCHEN, channel=COOKS)
    assert open_channel.kind is VenueClass.SPACE


def test_a_request_touches_only_the_spaces_of_its_venue() -> None:
    assert space.spaces == {HERS, COMMONS, KITCHEN}
    assert private.spaces == {HERS, COMMONS, KITCHEN}


def test_a_channel_memory_cannot_be_made_in_the_open() -> None:
    assert space.lives_in(CHANNEL) is None
    assert private.lives_in(SPACE) is None
    assert channel.lives_in(CHANNEL) == KITCHEN
