"""Replaced: where what holds no longer stands among what was found, below what took its place."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Protocol

REPLACED = 0.6
"""What is left of a superseded memory's score; it never ranks above the one that replaced it."""

CONTRADICTED = 0.9
"""Of the score of what contradicts it, the most that an older memory has: both are told, the newer one first."""


class Replaceable(Protocol):
    """Of a candidate: what took its place, and how; as `fusion.Signals` has it."""

    @property
    def id(self) -> Hashable: ...
    @property
    def replaced_by(self) -> Hashable | None: ...
    @property
    def superseded(self) -> bool: ...
    @property
    def contradicted(self) -> bool: ...


def with_replaced_below(candidates: Sequence[Replaceable], scores: Sequence[float]) -> list[float]:
    """The scores with what was replaced under what replaced it. Which of two that contradict each other holds, nobody
    has said: what finds the older one finds the newer before it, though its own words be far from the question's."""
    lowered = [score * REPLACED if one.superseded else score for one, score in zip(candidates, scores, strict=True)]
    replaced = [index for index, one in enumerate(candidates) if one.superseded or one.contradicted]
    placed = {one.id: index for index, one in enumerate(candidates)} if replaced else {}
    above = {index: placed[by] for index in replaced if (by := candidates[index].replaced_by) in placed}
    # What is contradicted by one that is contradicted in its turn comes before that one.
    upwards = sorted(above, key=lambda index: _height(index, above), reverse=True)
    for index in upwards:
        if candidates[index].contradicted:
            lowered[above[index]] = max(lowered[above[index]], lowered[index])
    for index in reversed(upwards):
        part = REPLACED if candidates[index].superseded else CONTRADICTED
        lowered[index] = min(lowered[index], lowered[above[index]] * part)
    return lowered


def _height(index: int, above: Mapping[int, int]) -> int:
    """How many stand above one another over it. Marks are free to write, and may go round."""
    passed = {index}
    while (index := above.get(index, index)) not in passed:
        passed.add(index)
    return len(passed)
