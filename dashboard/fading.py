"""What is about to fade: which memories and when, how many a week, whose, and what another rate would do."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import QueryDict

from dashboard.curve import Curve, curve, strength_in
from dashboard.reach import Reach
from dashboard.turning import turning
from memory_app.models import Memory
from memory_app.models.fading import fades_at

WINDOWS = {"30": "30 days", "90": "90 days", "all": "any time"}
RATES = {"0.5": "half as fast", "1": "as set", "2": "twice as fast"}
WEEKS = 13
PAGE = 25
BAR, GAP, HEIGHT, LEAST = 22, 6, 60, 2


@dataclass(frozen=True, slots=True)
class Fading:
    """One memory that fades. `in_30` and `in_90`: its strength of 100 by then."""

    memory: Memory
    on: datetime
    now: int
    in_30: int
    in_90: int
    curve: Curve


@dataclass(frozen=True, slots=True)
class Week:
    """How many fade in one week to come, and its bar."""

    start: datetime
    number: int
    x: int
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Whose:
    person: str
    in_30: int
    in_90: int


@dataclass(frozen=True, slots=True)
class Choice:
    label: str
    url: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Forecast:
    """`total`: how many fade within the chosen time. Pages count from 1."""

    items: Sequence[Fading]
    total: int
    in_30: int
    in_90: int
    as_set: int
    weeks: Sequence[Week]
    whose: Sequence[Whose]
    windows: Sequence[Choice]
    rates: Sequence[Choice]
    factor: float
    number: int
    pages: int
    newer: str
    older: str
    width: int = WEEKS * (BAR + GAP) - GAP
    height: int = HEIGHT


def forecast(reach: Reach, path: str, url: QueryDict, now: datetime) -> Forecast:
    """What the URL asks for: `within`, `rate` and `page`; what means nothing there is passed over."""
    window = _read(url, "within", WINDOWS, "30")
    rate = _read(url, "rate", RATES, "1")
    factor = float(rate)
    rows: Any = reach.own().fading().annotate(falls=fades_at(factor))
    pages = Paginator(_within(rows, window, now).order_by("falls", "id"), PAGE)
    page = pages.get_page(url.get("page"))
    here = {"within": window, "rate": rate}
    soon, later = _by(now, 30), _by(now, 90)
    counts = rows.aggregate(in_30=Count("id", filter=soon), in_90=Count("id", filter=later), **_weekly(now))
    return Forecast(
        items=[_fading(memory, factor, now) for memory in page.object_list],
        in_30=counts["in_30"],
        in_90=counts["in_90"],
        as_set=rows.filter(fades_at__lt=now + timedelta(days=90)).count(),
        weeks=_weeks([counts[f"week_{n}"] for n in range(WEEKS)], now),
        whose=_whose(rows, now) if reach.everyone else [],
        windows=[_choice(path, here, "within", value, label) for value, label in WINDOWS.items()],
        rates=[_choice(path, here, "rate", value, label) for value, label in RATES.items()],
        factor=factor,
        **turning(page, list(here.items()), path=path),
    )


def _read(url: QueryDict, name: str, known: dict[str, str], otherwise: str) -> str:
    value = url.get(name, otherwise)
    return value if value in known else otherwise


def _by(now: datetime, days: int) -> Q:
    return Q(falls__lt=now + timedelta(days=days))


def _within(rows: Any, window: str, now: datetime) -> Any:
    return rows if window == "all" else rows.filter(_by(now, int(window)))


def _fading(memory: Memory, factor: float, now: datetime) -> Fading:
    rate, on = memory.decay_rate * factor, memory.falls  # type: ignore[attr-defined]
    return Fading(
        memory=memory,
        on=on,
        now=strength_in(memory, 0, rate, now),
        in_30=strength_in(memory, 30, rate, now),
        in_90=strength_in(memory, 90, rate, now),
        curve=curve(memory, on, rate, now),
    )


def _weekly(now: datetime) -> dict[str, Count]:
    """A count for each week to come; what should have faded already goes in the first."""
    counts = {}
    for week in range(WEEKS):
        since = Q(falls__gte=now + timedelta(weeks=week)) if week else Q()
        counts[f"week_{week}"] = Count("id", filter=Q(falls__lt=now + timedelta(weeks=week + 1)) & since)
    return counts


def _weeks(numbers: Sequence[int], now: datetime) -> list[Week]:
    most = max(numbers) or 1
    weeks = []
    for index, number in enumerate(numbers):
        height = round(LEAST + (HEIGHT - LEAST) * number / most, 2)
        start = now + timedelta(weeks=index)
        weeks.append(Week(start, number, index * (BAR + GAP), round(HEIGHT - height, 2), height))
    return weeks


def _whose(rows: Any, now: datetime) -> list[Whose]:
    """Those of whom something fades in 90 days, the most first."""
    counted = rows.order_by().values_list("person__name").annotate(
        in_30=Count("id", filter=_by(now, 30)), in_90=Count("id", filter=_by(now, 90))
    )  # fmt: skip
    return [Whose(*row) for row in counted.filter(in_90__gt=0).order_by("-in_90", "person__name")[:PAGE]]


def _choice(path: str, here: dict[str, str], name: str, value: str, label: str) -> Choice:
    return Choice(label, _url(path, {**here, name: value}), here[name] == value)


def _url(path: str, here: dict[str, str]) -> str:
    return f"{path}?{urlencode(here)}"
