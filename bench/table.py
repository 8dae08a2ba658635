"""The table that is printed: what was measured, what it is measured against, the ratio, and the ratio to reach.

A chart in plain text, as it goes into `docs/benchmarks.md`: a bar for each point, on a scale from nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One measurement. ratio: measured ÷ beside. at_most, at_least: what the ratio should be, where that was set."""

    what: str
    measured: float
    unit: str
    compared_with: float | None = None
    compared_label: str = ""
    at_most: float | None = None
    at_least: float | None = None

    @property
    def ratio(self) -> float | None:
        return None if not self.compared_with else self.measured / self.compared_with

    @property
    def compared_value(self) -> float:
        """What the bound is held against: the ratio, or the figure itself where it stands beside nothing."""
        return self.measured if self.ratio is None else self.ratio

    @property
    def bound(self) -> str:
        if self.at_most is not None:
            return f"≤ {self.at_most:g}" + ("" if self.compared_value <= self.at_most else "  MISSED")
        if self.at_least is not None:
            return f"≥ {self.at_least:g}" + ("" if self.compared_value >= self.at_least else "  MISSED")
        return ""


TABLE_HEAD = ("what", "measured", "beside", "ratio", "to reach")


def markdown_table(lines: Sequence[Line]) -> str:
    """A Markdown table."""
    rows = [TABLE_HEAD, *(_cells(line) for line in lines)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(TABLE_HEAD))]
    rows.insert(1, tuple("-" * width for width in widths))
    return "\n".join(f"| {' | '.join(map(str.ljust, row, widths))} |" for row in rows)


def _cells(line: Line) -> tuple[str, ...]:
    compared_with = (
        "" if line.compared_with is None else f"{_number(line.compared_with)} {line.unit} ({line.compared_label})"
    )
    ratio = "" if line.ratio is None else f"{line.ratio:.2f}"
    return line.what, f"{_number(line.measured)} {line.unit}", compared_with, ratio, line.bound


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}" if value < 10 else f"{value:.1f}"


CHART_WIDTH = 50


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
            f"{name:>{wide}}  {'█' * max(1, round(CHART_WIDTH * value / longest))} {value:,.1f}"
            for name, (_, value) in zip(names, self.points, strict=True)
        ]
        return "\n".join([self.title, "", f"{self.of:>{wide}}  {self.unit}", *bars])
