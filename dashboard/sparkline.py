"""Bars over days as numbers for an SVG, drawn on the server and with attributes only: a strict policy allows those."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

BAR, GAP, HEIGHT, LEAST = 8, 3, 44, 2
"""In user units of the SVG. A day with nothing keeps a stub of `LEAST`, so that the days can be counted."""


@dataclass(frozen=True, slots=True)
class Bar:
    day: date
    count: int
    x: int
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Sparkline:
    width: int
    height: int
    bars: tuple[Bar, ...]


def sparkline(counts: Mapping[date, int], days: Sequence[date]) -> Sparkline:
    """One bar a day, as high as its share of the highest."""
    most = max((counts.get(day, 0) for day in days), default=0) or 1
    bars = []
    for index, day in enumerate(days):
        height = round(LEAST + (HEIGHT - LEAST) * counts.get(day, 0) / most, 2)
        bars.append(Bar(day, counts.get(day, 0), index * (BAR + GAP), round(HEIGHT - height, 2), height))
    return Sparkline(len(days) * (BAR + GAP) - GAP, HEIGHT, tuple(bars))


def last_days(today: date, number: int) -> list[date]:
    """The last days, oldest first, today included."""
    return [today - timedelta(days=back) for back in reversed(range(number))]
