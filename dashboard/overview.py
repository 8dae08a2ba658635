"""`/`: how much is remembered, what is new, and what was done lately."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Q
from django.db.models.functions import TruncDate
from django.http import HttpResponse
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view
from dashboard.charts import Sparkline, last_days, sparkline
from dashboard.masking import memory_json
from dashboard.responses import fields_json, page_or_json
from dashboard.undo import latest_actions
from dashboard.viewer import Viewer
from dashboard.wording import TYPE_LABELS
from memory_app.embedding.encoder import current_model_name
from memory_app.models import Memory, Person
from memory_app.postgres import disk_state

CHART_DAYS = 30
MAX_LATEST = 6
MAX_BARS = 8


@dataclass(frozen=True, slots=True)
class BarRow:
    """One line of a bar list. `percent`: of the largest."""

    value: str
    label: str
    number: int
    percent: float


@dataclass(frozen=True, slots=True)
class Overview:
    kept: int
    replaced: int
    protected: int
    forgotten: int
    operations: int
    week: int
    month: int
    awaiting: int
    noticed: int
    expiring: int
    disk: str
    in_conflict: int
    types: list[BarRow]
    people: list[BarRow]
    people_number: int
    added: Sparkline
    latest: list[Memory]


def build_overview(viewer: Viewer, now: datetime) -> Overview:
    """Counts of what the viewer may see; days are those of their time zone."""
    rows = viewer.memories()
    tiers = rows.aggregate(
        kept=Count("id"),
        replaced=Count("id", filter=Q(status="superseded")),
        protected=Count("id", filter=Q(protected=True)),
        week=Count("id", filter=Q(created_at__gt=now - timedelta(days=7))),
        month=Count("id", filter=Q(created_at__gt=now - timedelta(days=CHART_DAYS))),
    )
    return Overview(
        **tiers,
        in_conflict=viewer.conflicts().open().count(),
        forgotten=viewer.deleted_memories().count(),
        operations=viewer.operations().count(),
        noticed=viewer.proposals().waiting(now).count(),
        expiring=viewer.proposals().expiring(now).count(),
        awaiting=viewer.own_memories().awaiting_vector(current_model_name()).count(),
        disk=disk_state(settings.KEEPSAKE_DATA).message,
        types=_bar_rows(_counts_by(viewer, "type"), TYPE_LABELS),
        people=_people_bars(viewer) if viewer.is_super_user else [],
        people_number=Person.objects.count() if viewer.is_super_user else 0,
        added=sparkline(_added_by_day(viewer, now), last_days(now.astimezone(viewer.zone).date(), CHART_DAYS)),
        latest=list(rows.current(now).order_by("-created_at", "-id")[:MAX_LATEST]),
    )


JSON_FIGURES = ("kept", "replaced", "protected", "forgotten", "operations", "week", "month", "awaiting", "noticed",
           "expiring", "in_conflict")  # fmt: skip


def overview_json(overview: Overview, now: datetime) -> dict[str, Any]:
    """people: by name, for super users."""
    return {
        **fields_json(overview, *JSON_FIGURES),
        "types": {row.value: row.number for row in overview.types},
        "people": {row.value: row.number for row in overview.people},
        "added": {bar.day.isoformat(): bar.count for bar in overview.added.bars},
        "latest": [memory_json(memory, now, masked=memory.sensitive) for memory in overview.latest],
    }


def _counts_by(viewer: Viewer, column: str) -> dict[str, int]:
    counted = viewer.memories().order_by().values_list(column).annotate(number=Count("id")).order_by("-number", column)
    return dict(counted[:MAX_BARS])


def _people_bars(viewer: Viewer) -> list[BarRow]:
    numbers = _counts_by(viewer, "person__name")
    display_names = dict(
        Person.objects.filter(name__in=numbers).exclude(display_name="").values_list("name", "display_name")
    )
    return _bar_rows(numbers, display_names)


def _bar_rows(numbers: Mapping[str, int], labels: Mapping[str, str]) -> list[BarRow]:
    most = max(numbers.values(), default=1)
    return [
        BarRow(value, labels.get(value, value), number, round(100 * number / most, 1))
        for value, number in numbers.items()
    ]


def _added_by_day(viewer: Viewer, now: datetime) -> dict[date, int]:
    since = now - timedelta(days=CHART_DAYS)
    day = TruncDate("created_at", tzinfo=viewer.zone)
    rows = viewer.memories().filter(created_at__gt=since).order_by().values_list(day).annotate(number=Count("id"))
    return dict(rows)


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    now = timezone.now()
    overview = build_overview(viewer, now)
    context = {"viewer": viewer, "now": now, "overview": overview, "actions": latest_actions(viewer)}
    return page_or_json(request, "overview.html", context, lambda: overview_json(overview, now))
