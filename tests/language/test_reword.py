"""Claims in words that stand alone: who is named, when is dated."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memory_app.language.extract.dates import with_dates
from memory_app.language.extract.reword import Reworder

FRIDAY = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("said", "stands_alone"),
    [
        ("I love tea", "Alice loves tea."),
        ("I'm a nurse.", "Alice is a nurse."),
        ("im a nurse", "Alice is a nurse."),
        ("I’ve moved to Rome!", "Alice has moved to Rome!"),
        ("I don't eat fish.", "Alice doesn't eat fish."),
        ("I'd love to sail.", "Alice would love to sail."),
        ("I'd already left.", "Alice had already left."),
        ("I also study law.", "Alice also studies law."),
        ("I went home.", "Alice went home."),
        ("I can swim.", "Alice can swim."),
        ("My dog is called Rex.", "Alice's dog is called Rex."),
        ("I walk my dog when I wake up.", "Alice walks their dog when they wake up."),
        ("I ran and I was tired.", "Alice ran and they were tired."),
        ("Bob and I are friends.", "Bob and Alice are friends."),
        ("We bought a boat.", "Alice and others bought a boat."),
        ("Tom gave me his bike.", "Tom gave Alice his bike."),
        ("I built it myself in the US.", "Alice built it themselves in the US."),
        ("Just got a puppy.", "Alice just got a puppy."),
        ("Working on a novel.", "Alice is working on a novel."),
        ("Working here is hard.", "Working here is hard."),
        ("The cats sleep all day.", "The cats sleep all day."),
    ],
)
def test_the_person_is_named_where_they_said_i(said: str, stands_alone: str) -> None:
    assert Reworder("Alice", None, BERLIN)(said) == stands_alone


def test_a_name_that_ends_in_s_has_an_apostrophe_alone() -> None:
    assert Reworder("James", None, BERLIN)("My cat sleeps.") == "James' cat sleeps."


@pytest.mark.parametrize(
    ("said", "dated"),
    [
        ("We met last Friday.", "We met on 13 November 2026."),
        ("I leave tomorrow.", "I leave on 21 November 2026."),
        ("It has rained since yesterday.", "It has rained since 19 November 2026."),
        ("We met on Monday.", "We met on 16 November 2026."),
        ("We will meet on Monday.", "We will meet on 23 November 2026."),
        ("We sailed last week.", "We sailed in the week of 9 November 2026."),
        ("We moved last month.", "We moved in October 2026."),
        ("He was born in 1990.", "He was born in 1990."),
        ("I swim every Monday.", "I swim every Monday."),
        ("Nothing is said of time.", "Nothing is said of time."),
    ],
)
def test_what_depends_on_the_day_is_dated(said: str, dated: str) -> None:
    assert with_dates(said, FRIDAY, BERLIN) == dated


@pytest.mark.parametrize(
    ("said", "dated"),
    [
        ("I work here since March.", "I work here since March."),
        ("Dana is getting married on June 5th.", "Dana is getting married on 5 June 2027."),
        ("Dana got married on June 5th.", "Dana got married on 5 June 2026."),
    ],
)
def test_a_date_without_a_year_goes_where_the_verb_points(said: str, dated: str) -> None:
    assert with_dates(said, datetime(2026, 11, 20, 12, tzinfo=UTC), ZoneInfo("UTC")) == dated
