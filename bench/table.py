"""The table that is printed: what was measured, what it is measured against, the ratio, and the ratio to reach."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One measurement. ratio: measured ÷ beside. at_most, at_least: what the ratio should be, where that was set."""

    what: str
    measured: float
    unit: str
    beside: float | None = None
    beside_what: str = ""
    at_most: float | None = None
    at_least: float | None = None

    @property
    def ratio(self) -> float | None:
        return None if not self.beside else self.measured / self.beside

    @property
    def judged(self) -> float:
        """What the bound is held against: the ratio, or the figure itself where it stands beside nothing."""
        return self.measured if self.ratio is None else self.ratio

    @property
    def bound(self) -> str:
        if self.at_most is not None:
            return f"≤ {self.at_most:g}" + ("" if self.judged <= self.at_most else "  MISSED")
        if self.at_least is not None:
            return f"≥ {self.at_least:g}" + ("" if self.judged >= self.at_least else "  MISSED")
        return ""


HEAD = ("what", "measured", "beside", "ratio", "to reach")


def shown(lines: Sequence[Line]) -> str:
    """A Markdown table."""
    rows = [HEAD, *(_cells(line) for line in lines)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(HEAD))]
    rows.insert(1, tuple("-" * width for width in widths))
    return "\n".join(f"| {' | '.join(map(str.ljust, row, widths))} |" for row in rows)


def _cells(line: Line) -> tuple[str, ...]:
    beside = "" if line.beside is None else f"{_number(line.beside)} {line.unit} ({line.beside_what})"
    ratio = "" if line.ratio is None else f"{line.ratio:.2f}"
    return line.what, f"{_number(line.measured)} {line.unit}", beside, ratio, line.bound


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}" if value < 10 else f"{value:.1f}"
