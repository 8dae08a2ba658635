"""Durations of runs as bars of a small SVG, drawn on the server with attributes only."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory_app.models import JobRun, JobState

BAR, GAP, HEIGHT, LEAST = 5, 2, 22, 2
"""In user units of the SVG; a run of no time keeps a stub of `LEAST`."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One run; `failed` is drawn otherwise."""

    x: int
    y: float
    height: float
    failed: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Bars:
    width: int
    height: int
    bars: tuple[Bar, ...]


def bars(runs: Sequence[JobRun]) -> Bars:
    """One bar a run that began, oldest first, as high as its share of the longest."""
    timed = [(run, run.seconds) for run in reversed(runs) if run.seconds is not None]
    longest = max((seconds for _, seconds in timed), default=0.0) or 1.0
    drawn = []
    for index, (run, seconds) in enumerate(timed):
        height = round(LEAST + (HEIGHT - LEAST) * seconds / longest, 2)
        failed = run.state == JobState.FAILED
        drawn.append(Bar(index * (BAR + GAP), round(HEIGHT - height, 2), height, failed, seconds))
    return Bars(max(0, len(timed) * (BAR + GAP) - GAP), HEIGHT, tuple(drawn))
