"""Of two memories that say the same, or hold one key, the newer stands; each gives way once."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from memory_app.rules.merge_people_rows import ComparedMemory, clashing_pairs

OLD, NEW = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 11, 1, tzinfo=UTC)


def held(number: int, text: str, at: datetime = OLD, key: str = "", slot: str = "home") -> ComparedMemory:
    return ComparedMemory(UUID(int=number), slot, key, text.encode(), at)


def found(passing: list[ComparedMemory], staying: list[ComparedMemory]) -> list[tuple[int, int, bool]]:
    """Older, newer, and whether they are the same text."""
    return [(pair.older.id.int, pair.newer.id.int, pair.same_text) for pair in clashing_pairs(passing, staying)]


@pytest.mark.parametrize(
    ("passing", "staying", "expected"),
    [
        ([held(1, "a", OLD)], [held(2, "a", NEW)], [(1, 2, True)]),
        ([held(1, "a", NEW)], [held(2, "a", OLD)], [(2, 1, True)]),
        ([held(1, "a", OLD)], [held(2, "a", OLD)], [(1, 2, True)]),
        ([held(1, "a", OLD, "home")], [held(2, "b", NEW, "home")], [(1, 2, False)]),
        ([held(1, "a", NEW, "home")], [held(2, "b", OLD, "home")], [(2, 1, False)]),
        ([held(1, "a")], [held(2, "b")], []),
        ([held(1, "a", slot="home")], [held(2, "a", slot="kitchen")], []),
        ([held(1, "a", key="home", slot="home")], [held(2, "b", key="home", slot="kitchen")], []),
        ([], [held(2, "a")], []),
    ],
)
def test_which_of_two_stands(
    passing: list[ComparedMemory], staying: list[ComparedMemory], expected: list[tuple[int, int, bool]]
) -> None:
    assert found(passing, staying) == expected


def test_what_gave_way_by_its_text_does_not_give_way_by_its_key_again() -> None:
    assert found([held(1, "a", OLD, "home")], [held(2, "a", NEW, "home")]) == [(1, 2, True)]


def test_what_stands_by_its_text_may_give_way_by_its_key() -> None:
    passing = [held(1, "a", NEW, "home")]
    staying = [held(2, "a", OLD), held(3, "b", datetime(2026, 12, 1, tzinfo=UTC), "home")]
    assert found(passing, staying) == [(2, 1, True), (1, 3, False)]


def test_two_that_are_the_same_give_way_to_one_once() -> None:
    assert found([held(1, "a", NEW), held(4, "a", NEW)], [held(2, "a", OLD)]) == [(2, 1, True)]
    assert found([held(1, "a", OLD), held(4, "a", OLD)], [held(2, "a", NEW)]) == [(1, 2, True), (4, 2, True)]
