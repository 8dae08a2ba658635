"""The order of a brief's lines, and of results after a second opinion."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

Id = TypeVar("Id", bound=Hashable)


def by_subject(lines: Sequence[Id], pairs: Iterable[tuple[Id, Id]], said_at: Mapping[Id, datetime]) -> list[Id]:
    """lines: the most relevant first. pairs: two of them that are about the same; what is about the same as one of a
    subject belongs to it too."""
    subject = {line: line for line in lines}
    for one, other in pairs:
        if one in subject and other in subject:
            joined, into = subject[one], subject[other]
            subject = {line: into if of == joined else of for line, of in subject.items()}
    place = {of: index for index, of in reversed(list(enumerate(subject.values())))}
    return sorted(lines, key=lambda line: (place[subject[line]], -said_at[line].timestamp()))


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
