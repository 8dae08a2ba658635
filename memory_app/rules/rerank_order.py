"""Reorder: what a second opinion on the best results may change, and what it may not.

Results are known here by their places in the old order, from 0.
"""

from collections.abc import Mapping, Sequence


def is_permutation(order: Sequence[int], count: int) -> bool:
    """Whether it names each of so many places once."""
    return sorted(order) == list(range(count))


def apply_order(count: int, movable: Sequence[int], order: Sequence[int], replaced: Mapping[int, int]) -> list[int]:
    """The places in their new order.

    movable: those that were looked at, whose places are shared out among them by `order`; the others stay where they
    are. replaced: what was superseded, by what; it never comes before that.
    """
    moved = dict(zip(movable, (movable[place] for place in order), strict=True))
    placed = [moved.get(place, place) for place in range(count)]
    for old, new in sorted(replaced.items()):
        if placed.index(old) < placed.index(new):
            placed.remove(old)
            placed.insert(placed.index(new) + 1, old)
    return placed
