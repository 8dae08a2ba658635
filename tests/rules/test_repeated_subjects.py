"""Groups of vectors near each other."""

import numpy as np

from memory_app.rules.repeated_subjects import centre, clusters


def unit(*angles: float) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
    radians = np.radians(np.array(angles))
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


def test_near_ones_are_together_and_the_largest_group_is_first() -> None:
    assert clusters(unit(0, 120, 10, 130, 20, 240)) == [[0, 2, 4], [1, 3], [5]]


def test_nothing_near_leaves_each_alone() -> None:
    assert clusters(unit(0, 90, 180)) == [[0], [1], [2]]


def test_no_vectors_are_no_groups() -> None:
    assert clusters(np.zeros((0, 3), dtype=np.float32)) == []


def test_the_one_in_the_middle_stands_for_the_others() -> None:
    assert centre(unit(0, 40, 18), [0, 1, 2]) == 2
