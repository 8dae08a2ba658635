"""Replaced: where what holds no longer stands among what was found, below what took its place."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Protocol

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
