"""The order of a brief's lines: subject by subject, the most relevant first, and within a subject the newest first.

Replaced: where what holds no longer stands among what was found, below what took its place.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol, TypeVar

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


REPLACED = 0.6
"""What is left of a superseded memory's score; it never ranks above the one that replaced it."""


class Replaceable(Protocol):
    """Of a candidate: what took its place, and how; as `fusion.Signals` has it."""

    @property
    def id(self) -> Hashable: ...
    @property
    def replaced_by(self) -> Hashable | None: ...
    @property
    def superseded(self) -> bool: ...


def with_replaced_below(candidates: Sequence[Replaceable], scores: Sequence[float]) -> list[float]:
    """The scores with what was replaced under what replaced it."""
    lowered = [score * REPLACED if one.superseded else score for one, score in zip(candidates, scores, strict=True)]
    replaced = [index for index, one in enumerate(candidates) if one.superseded]
    placed = {one.id: index for index, one in enumerate(candidates)} if replaced else {}
    above = {index: placed[by] for index in replaced if (by := candidates[index].replaced_by) in placed}
    for index in sorted(above, key=lambda index: _height(index, above)):
        lowered[index] = min(lowered[index], lowered[above[index]] * REPLACED)
    return lowered


def _height(index: int, above: Mapping[int, int]) -> int:
    """How many stand above one another over it."""
    passed = {index}
    while (index := above.get(index, index)) not in passed:
        passed.add(index)
    return len(passed)
