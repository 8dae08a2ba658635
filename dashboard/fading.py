"""`/fading/`: which memories fade and when, what another rate would do, and keeping some for good."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view, post_view
from dashboard.charts import BarStyle, StrengthChart, strength_chart, strength_percent
from dashboard.lists import FilterOption, Pagination, pagination_fields
from dashboard.masking import memory_json
from dashboard.responses import parse_uuids, redirect_back, show_message, show_warning, wants_json
from dashboard.viewer import Viewer, memory_ref
from dashboard.wording import pluralize
from memory_app.engine.memories.edit import confirm
from memory_app.models import Memory
from memory_app.models.strength_sql import fades_at_expression

WINDOW_LABELS = {"30": "30 days", "90": "90 days", "all": "any time"}
RATE_LABELS = {"0.5": "half as fast", "1": "as set", "2": "twice as fast"}
WEEKS = 13
PAGE_SIZE = 25
WEEK_BARS = BarStyle(22, 6, 60)


@dataclass(frozen=True, slots=True)
class FadingMemory:
    """One memory that fades. now, in_30, in_90: its strength in percent, today and in so many days."""

    memory: Memory
    fades_on: datetime
    now: int
    in_30: int
    in_90: int
    chart: StrengthChart


@dataclass(frozen=True, slots=True)
class Week:
    """How many fade in one week to come, and its bar."""

    start: datetime
    number: int
    x: int
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class PersonForecast:
    person: str
    in_30: int
    in_90: int


@dataclass(frozen=True, slots=True)
class Forecast(Pagination):
    items: Sequence[FadingMemory]
    in_30: int
    in_90: int
    as_set: int
    weeks: Sequence[Week]
    people: Sequence[PersonForecast]
    windows: Sequence[FilterOption]
    rates: Sequence[FilterOption]
    factor: float
    width: int = WEEK_BARS.chart_width(WEEKS)
    height: int = WEEK_BARS.height


def build_forecast(viewer: Viewer, path: str, url: QueryDict, now: datetime) -> Forecast:
    """What the URL asks for: `within`, `rate` and `page`; what means nothing there is ignored."""
    window = _read_choice(url, "within", WINDOW_LABELS, "30")
    rate = _read_choice(url, "rate", RATE_LABELS, "1")
    factor = float(rate)
    rows: Any = viewer.own_memories().fading().annotate(forecast_at=fades_at_expression(factor))
    page = Paginator(_within_window(rows, window, now).order_by("forecast_at", "id"), PAGE_SIZE).get_page(
        url.get("page")
    )
    choices = {"within": window, "rate": rate}
    soon, later = _fades_within(now, 30), _fades_within(now, 90)
    counts = rows.aggregate(in_30=Count("id", filter=soon), in_90=Count("id", filter=later), **_weekly_counts(now))
    return Forecast(
        items=[_fading_memory(memory, factor, now) for memory in page.object_list],
        in_30=counts["in_30"],
        in_90=counts["in_90"],
        as_set=rows.filter(fades_at__lt=now + timedelta(days=90)).count(),
        weeks=_weeks([counts[f"week_{n}"] for n in range(WEEKS)], now),
        people=_people(rows, now) if viewer.is_super_user else [],
        windows=[_option(path, choices, "within", value, label) for value, label in WINDOW_LABELS.items()],
        rates=[_option(path, choices, "rate", value, label) for value, label in RATE_LABELS.items()],
        factor=factor,
        **pagination_fields(page, list(choices.items()), path=path),
    )


def _read_choice(url: QueryDict, name: str, known: dict[str, str], default: str) -> str:
    value = url.get(name, default)
    return value if value in known else default


def _fades_within(now: datetime, days: int) -> Q:
    return Q(forecast_at__lt=now + timedelta(days=days))


def _within_window(rows: Any, window: str, now: datetime) -> Any:
    return rows if window == "all" else rows.filter(_fades_within(now, int(window)))


def _fading_memory(memory: Memory, factor: float, now: datetime) -> FadingMemory:
    rate, fades_on = memory.decay_rate * factor, memory.forecast_at  # type: ignore[attr-defined]
    return FadingMemory(
        memory=memory,
        fades_on=fades_on,
        now=strength_percent(memory, 0, rate, now),
        in_30=strength_percent(memory, 30, rate, now),
        in_90=strength_percent(memory, 90, rate, now),
        chart=strength_chart(memory, fades_on, rate, now),
    )


def _weekly_counts(now: datetime) -> dict[str, Count]:
    """A count for each week to come; what should have faded already goes in the first."""
    counts = {}
    for week in range(WEEKS):
        since = Q(forecast_at__gte=now + timedelta(weeks=week)) if week else Q()
        counts[f"week_{week}"] = Count("id", filter=Q(forecast_at__lt=now + timedelta(weeks=week + 1)) & since)
    return counts


def _weeks(numbers: Sequence[int], now: datetime) -> list[Week]:
    places = enumerate(WEEK_BARS.places(numbers))
    return [Week(now + timedelta(weeks=index), numbers[index], *place) for index, place in places]


def _people(rows: Any, now: datetime) -> list[PersonForecast]:
    """People who lose a memory within 90 days, those who lose the most first."""
    counted = rows.order_by().values_list("person__name").annotate(
        in_30=Count("id", filter=_fades_within(now, 30)), in_90=Count("id", filter=_fades_within(now, 90))
    )  # fmt: skip
    return [PersonForecast(*row) for row in counted.filter(in_90__gt=0).order_by("-in_90", "person__name")[:PAGE_SIZE]]


def _option(path: str, choices: dict[str, str], name: str, value: str, label: str) -> FilterOption:
    return FilterOption(value, label, choices[name] == value, f"{path}?{urlencode({**choices, name: value})}")


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    now = timezone.now()
    forecast = build_forecast(viewer, request.path, request.GET, now)
    if wants_json(request):
        items = [
            {**memory_json(item.memory, now, masked=item.memory.sensitive), "fades_on": item.fades_on.isoformat()}
            for item in forecast.items
        ]
        weeks = [{"start": week.start.isoformat(), "number": week.number} for week in forecast.weeks]
        counts = {"in_30": forecast.in_30, "in_90": forecast.in_90, "weeks": weeks, "rate": forecast.factor}
        return JsonResponse({"items": items, **counts, **forecast.pagination_json()})
    return render(request, "dashboard/fading.html", {"viewer": viewer, "now": now, "forecast": forecast})


@post_view
def keep_chosen(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    """Confirms the memories that were ticked, or the one whose button was pressed: they never fade."""
    author, now = viewer.author(), timezone.now()
    wanted = request.POST.getlist("only") or request.POST.getlist("memory")
    chosen = viewer.writable(viewer.own_memories().undeleted()).filter(id__in=parse_uuids(wanted))
    kept = len([confirm(at=memory_ref(memory), author=author, now=now) for memory in chosen])
    if kept:
        show_message(request, f"Kept {pluralize(kept, 'memory', 'memories')} for good.")
    else:
        show_warning(request, "Tick the memories to keep first.")
    return redirect_back(request, reverse("fading"))
