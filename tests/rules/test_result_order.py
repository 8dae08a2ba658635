"""Lines of a brief: subject by subject, and the newest of a subject first."""

from datetime import UTC, datetime

import pytest

from memory_app.rules.result_order import apply_order, by_subject, is_permutation

DAYS = {name: datetime(2026, 1, day, tzinfo=UTC) for name, day in {"ghent": 1, "cat": 2, "lyon": 3, "nice": 4}.items()}


def test_the_newest_of_a_subject_stands_first_and_the_most_relevant_subject_before_others() -> None:
    pairs = [("ghent", "lyon"), ("lyon", "nice"), ("ghent", "elsewhere")]
    assert by_subject(["ghent", "cat", "lyon", "nice"], pairs, DAYS) == ["nice", "lyon", "ghent", "cat"]
    assert by_subject(["cat", "ghent", "lyon"], [], DAYS) == ["cat", "ghent", "lyon"]
    assert by_subject([], [], {}) == []


@pytest.mark.parametrize(
    ("order", "holds"),
    [([2, 0, 1], True), ([0, 1], False), ([0, 0, 1], False), ([1, 2, 3], False), ([0, 1, 2, 3], False)],
)
def test_an_order_names_each_place_once(order: list[int], holds: bool) -> None:
    assert is_permutation(order, 3) is holds


def test_those_looked_at_share_out_their_places() -> None:
    assert apply_order(5, [0, 1, 2], [2, 0, 1], {}) == [2, 0, 1, 3, 4]


def test_what_was_not_looked_at_stays_where_it_is() -> None:
    assert apply_order(4, [0, 2, 3], [2, 1, 0], {}) == [3, 1, 2, 0]


def test_what_was_replaced_never_comes_before_what_replaced_it() -> None:
    assert apply_order(4, [0, 1, 2, 3], [3, 0, 1, 2], {3: 1}) == [0, 1, 3, 2]
    assert apply_order(4, [0, 1, 2, 3], [1, 3, 0, 2], {3: 1}) == [1, 3, 0, 2]
