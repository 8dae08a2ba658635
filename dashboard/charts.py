"""Coordinates of the SVG charts. They use attributes alone, which the content security policy allows."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings

from memory_app.engine.entities.visible_entities import ListedEntity
from memory_app.models import JobRun, JobState, Memory
from memory_app.rules.strength import SECONDS_A_DAY


@dataclass(frozen=True, slots=True)
class BarStyle:
    """In user units of the SVG. An empty bar keeps a stub, so that all can be counted."""

    width: int
    gap: int
    height: int
    stub: int = 2

    def chart_width(self, number: int) -> int:
        """Of so many bars."""
        return max(0, number * (self.width + self.gap) - self.gap)

    def places(self, values: Sequence[float]) -> list[tuple[int, float, float]]:
        """Of each bar x, y and its height: its share of the highest."""
        highest = max(values, default=0) or 1
        heights = [round(self.stub + (self.height - self.stub) * value / highest, 2) for value in values]
        return [
            (index * (self.width + self.gap), round(self.height - height, 2), height)
            for index, height in enumerate(heights)
        ]


DAYS, RUNS = BarStyle(8, 3, 44), BarStyle(5, 2, 22)


@dataclass(frozen=True, slots=True)
class DayBar:
    day: date
    count: int
    x: int
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Sparkline:
    width: int
    height: int
    bars: tuple[DayBar, ...]


def sparkline(counts: Mapping[date, int], days: Sequence[date]) -> Sparkline:
    """One bar a day."""
    numbers = [counts.get(day, 0) for day in days]
    bars = [DayBar(day, n, *place) for day, n, place in zip(days, numbers, DAYS.places(numbers), strict=True)]
    return Sparkline(DAYS.chart_width(len(days)), DAYS.height, tuple(bars))


def last_days(today: date, number: int) -> list[date]:
    """The last days, oldest first, today included."""
    return [today - timedelta(days=back) for back in reversed(range(number))]


@dataclass(frozen=True, slots=True)
class RunBar:
    """One run; a failed one has another colour."""

    x: int
    y: float
    height: float
    failed: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class DurationChart:
    width: int
    height: int
    bars: tuple[RunBar, ...]


def duration_chart(runs: Sequence[JobRun]) -> DurationChart:
    """One bar a run that began, oldest first."""
    timed = [(run, run.seconds) for run in reversed(runs) if run.seconds is not None]
    places = RUNS.places([seconds for _, seconds in timed])
    bars = [
        RunBar(*place, run.state == JobState.FAILED, seconds)
        for (run, seconds), place in zip(timed, places, strict=True)
    ]
    return DurationChart(RUNS.chart_width(len(timed)), RUNS.height, tuple(bars))


STRENGTH_WIDTH, STRENGTH_HEIGHT, STRENGTH_POINTS = 120, 32, 16
"""In user units of the SVG; so many straight lines look like a curve."""


@dataclass(frozen=True, slots=True)
class StrengthChart:
    """points: from the last reinforcement to the day it fades. today: where today is on it."""

    points: str
    threshold: float
    today: tuple[float, float]
    width: int = STRENGTH_WIDTH
    height: int = STRENGTH_HEIGHT


def strength_chart(memory: Memory, until: datetime, rate: float, now: datetime) -> StrengthChart:
    """rate: per day; it may differ from the memory's own."""
    whole = max((until - memory.reinforced_at).total_seconds() / SECONDS_A_DAY, 1.0)
    steps = [whole * step / STRENGTH_POINTS for step in range(STRENGTH_POINTS + 1)]
    today_day = min(max((now - memory.reinforced_at).total_seconds() / SECONDS_A_DAY, 0.0), whole)
    drawn = [_strength_point(memory.confidence, rate, day, whole) for day in steps]
    return StrengthChart(
        points=" ".join(f"{x:.1f},{y:.1f}" for x, y in drawn),
        threshold=round(STRENGTH_HEIGHT * (1 - settings.KEEPSAKE_FADE_BELOW), 1),
        today=_strength_point(memory.confidence, rate, today_day, whole),
    )


def strength_percent(memory: Memory, days: int, rate: float, now: datetime) -> int:
    """Strength of 100, so many days from now, if nothing reinforces it until then."""
    age = max((now + timedelta(days=days) - memory.reinforced_at).total_seconds() / SECONDS_A_DAY, 0.0)
    return round(100 * memory.confidence * math.exp(-rate * age))


def _strength_point(confidence: float, rate: float, day: float, whole: float) -> tuple[float, float]:
    return round(STRENGTH_WIDTH * day / whole, 1), round(STRENGTH_HEIGHT * (1 - confidence * math.exp(-rate * day)), 1)


GRAPH_WIDTH, GRAPH_HEIGHT, MAX_GRAPH_EDGES = 640, 320, 12
"""In user units of the SVG; more names would cover one another."""

MAX_GRAPH_LABEL = 22


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """One other entity: where it is drawn, how thick the line to it is, and where its name begins or ends."""

    listed: ListedEntity
    x: float
    y: float
    thickness: float
    label: str
    anchor: str
    label_x: float
    label_y: float


@dataclass(frozen=True, slots=True)
class EntityGraph:
    edges: Sequence[GraphEdge]
    width: int = GRAPH_WIDTH
    height: int = GRAPH_HEIGHT
    x: float = GRAPH_WIDTH / 2
    y: float = GRAPH_HEIGHT / 2


def entity_graph(related: Sequence[ListedEntity]) -> EntityGraph:
    """An entity and those most often mentioned with it; a line is thicker the more memories mention both."""
    shown = related[:MAX_GRAPH_EDGES]
    most = max((other.mentions for other in shown), default=1)
    return EntityGraph([_graph_edge(other, index, len(shown), most) for index, other in enumerate(shown)])


def _graph_edge(other: ListedEntity, index: int, number: int, most: int) -> GraphEdge:
    angle = 2 * math.pi * index / number - math.pi / 2
    across, down = math.cos(angle), math.sin(angle)
    x, y = GRAPH_WIDTH / 2 + across * GRAPH_WIDTH * 0.26, GRAPH_HEIGHT / 2 + down * GRAPH_HEIGHT * 0.36
    upright = abs(across) < 0.2
    return GraphEdge(
        listed=other,
        x=round(x, 1),
        y=round(y, 1),
        thickness=round(1 + 4 * other.mentions / most, 1),
        label=other.name if len(other.name) <= MAX_GRAPH_LABEL else other.name[: MAX_GRAPH_LABEL - 1] + "…",
        anchor="middle" if upright else "start" if across > 0 else "end",
        label_x=round(x if upright else x + (12 if across > 0 else -12), 1),
        label_y=round(y + (22 if down > 0 else -14) if upright else y + 4, 1),
    )
