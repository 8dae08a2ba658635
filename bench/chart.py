"""A chart in plain text, as it goes into `bench/README.md`: a bar for each point, on a scale from nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 50


@dataclass(frozen=True)
class Chart:
    """What is shown, of what, in which unit, and the points from left to right."""

    title: str
    of: str
    unit: str
    points: Sequence[tuple[int, float]]

    def __str__(self) -> str:
        longest = max(value for _, value in self.points) or 1.0
        names = [f"{at:,}" for at, _ in self.points]
        wide = max(map(len, [*names, self.of]))
        bars = [
            f"{name:>{wide}}  {'█' * max(1, round(WIDTH * value / longest))} {value:,.1f}"
            for name, (_, value) in zip(names, self.points, strict=True)
        ]
        return "\n".join([self.title, "", f"{self.of:>{wide}}  {self.unit}", *bars])
