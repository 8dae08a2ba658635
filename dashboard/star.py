"""An entity among those named beside it, as the points of a small SVG, drawn on the server with attributes only."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from memory_app.engine.naming.entities import Listed

WIDTH, HEIGHT, MOST = 640, 320, 12
"""In user units of the SVG; beyond so many names they would cover one another."""

LONGEST = 22


@dataclass(frozen=True, slots=True)
class Ray:
    """One other entity: where it is drawn, how thick the line to it is, and where its name begins or ends."""

    listed: Listed
    x: float
    y: float
    thick: float
    label: str
    anchor: str
    label_x: float
    label_y: float


@dataclass(frozen=True, slots=True)
class Star:
    rays: Sequence[Ray]
    width: int = WIDTH
    height: int = HEIGHT
    x: float = WIDTH / 2
    y: float = HEIGHT / 2


def star(related: Sequence[Listed]) -> Star:
    """The most often named beside it, around it; lines are thicker the more memories name both."""
    shown = related[:MOST]
    most = max((other.mentions for other in shown), default=1)
    return Star([_ray(other, index, len(shown), most) for index, other in enumerate(shown)])


def _ray(other: Listed, index: int, number: int, most: int) -> Ray:
    angle = 2 * math.pi * index / number - math.pi / 2
    across, down = math.cos(angle), math.sin(angle)
    x, y = WIDTH / 2 + across * WIDTH * 0.26, HEIGHT / 2 + down * HEIGHT * 0.36
    upright = abs(across) < 0.2
    return Ray(
        listed=other,
        x=round(x, 1),
        y=round(y, 1),
        thick=round(1 + 4 * other.mentions / most, 1),
        label=other.name if len(other.name) <= LONGEST else other.name[: LONGEST - 1] + "…",
        anchor="middle" if upright else "start" if across > 0 else "end",
        label_x=round(x if upright else x + (12 if across > 0 else -12), 1),
        label_y=round(y + (22 if down > 0 else -14) if upright else y + 4, 1),
    )
