"""The strength of a memory over time as the points of a small SVG, drawn on the server with attributes only."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from memory_app.models import Memory
from memory_app.rules.strength import SECONDS_A_DAY

WIDTH, HEIGHT, POINTS = 120, 32, 16
"""In user units of the SVG; so many straight pieces look like a curve."""


@dataclass(frozen=True, slots=True)
class Curve:
    """`points`: from the last reinforcement to the day it fades. `today`: where on it the reader is."""

    points: str
    threshold: float
    today: tuple[float, float]
    width: int = WIDTH
    height: int = HEIGHT


def curve(memory: Memory, until: datetime, rate: float, now: datetime) -> Curve:
    """rate: per day, perhaps another than the memory's own."""
    whole = max((until - memory.reinforced_at).total_seconds() / SECONDS_A_DAY, 1.0)
    steps = [whole * step / POINTS for step in range(POINTS + 1)]
    here = min(max((now - memory.reinforced_at).total_seconds() / SECONDS_A_DAY, 0.0), whole)
    drawn = [_point(memory.confidence, rate, day, whole) for day in steps]
    return Curve(
        points=" ".join(f"{x:.1f},{y:.1f}" for x, y in drawn),
        threshold=round(HEIGHT * (1 - settings.KEEPSAKE_FADE_BELOW), 1),
        today=_point(memory.confidence, rate, here, whole),
    )


def strength_in(memory: Memory, days: int, rate: float, now: datetime) -> int:
    """Strength of 100, so many days from now, if nothing reinforces it until then."""
    age = max((now + timedelta(days=days) - memory.reinforced_at).total_seconds() / SECONDS_A_DAY, 0.0)
    return round(100 * memory.confidence * math.exp(-rate * age))


def _point(confidence: float, rate: float, day: float, whole: float) -> tuple[float, float]:
    return round(WIDTH * day / whole, 1), round(HEIGHT * (1 - confidence * math.exp(-rate * day)), 1)
