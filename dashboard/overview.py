"""The figures of the first page."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Q
from django.db.models.functions import TruncDate

from dashboard.listing import memory_json
from dashboard.reach import Reach
from dashboard.sparkline import Sparkline, last_days, sparkline
from dashboard.words import TYPES
from memory_app.embedding.encoder import expected_name
from memory_app.models import Memory, Person
from memory_app.postgres import disk_state

DAYS = 30
LATEST = 6
MOST_SHARES = 8


@dataclass(frozen=True, slots=True)
class Share:
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
    types: list[Share]
    people: list[Share]
    people_number: int
    added: Sparkline
    latest: list[Memory]


def overview(reach: Reach, now: datetime) -> Overview:
    """Counts of what this user reaches; days are those of their time zone."""
    rows = reach.kept()
    tiers = rows.aggregate(
        kept=Count("id"),
        replaced=Count("id", filter=Q(status="superseded")),
        protected=Count("id", filter=Q(protected=True)),
        week=Count("id", filter=Q(created_at__gt=now - timedelta(days=7))),
        month=Count("id", filter=Q(created_at__gt=now - timedelta(days=DAYS))),
    )
    return Overview(
        **tiers,
        in_conflict=reach.conflicts().open().count(),
        forgotten=reach.forgotten().count(),
        operations=reach.operations().count(),
        noticed=reach.proposals().waiting(now).count(),
        expiring=reach.proposals().expiring(now).count(),
        awaiting=reach.own().awaiting_vector(expected_name()).count(),
        disk=disk_state(settings.KEEPSAKE_DATA).message,
        types=_shares(_numbers(reach, "type"), TYPES),
        people=_people(reach) if reach.everyone else [],
        people_number=Person.objects.count() if reach.everyone else 0,
        added=sparkline(_added(reach, now), last_days(now.astimezone(reach.zone).date(), DAYS)),
        latest=list(rows.current(now).order_by("-created_at", "-id")[:LATEST]),
    )


FIGURES = ("kept", "replaced", "protected", "forgotten", "operations", "week", "month", "awaiting", "noticed",
           "expiring", "in_conflict")  # fmt: skip


def overview_json(shown: Overview, now: datetime) -> dict[str, Any]:
    """people: by name, for super users."""
    return {
        **{name: getattr(shown, name) for name in FIGURES},
        "types": {share.value: share.number for share in shown.types},
        "people": {share.value: share.number for share in shown.people},
        "added": {bar.day.isoformat(): bar.count for bar in shown.added.bars},
        "latest": [memory_json(memory, now, masked=memory.sensitive) for memory in shown.latest],
    }


def _numbers(reach: Reach, column: str) -> dict[str, int]:
    counted = reach.kept().order_by().values_list(column).annotate(number=Count("id")).order_by("-number", column)
    return dict(counted[:MOST_SHARES])


def _people(reach: Reach) -> list[Share]:
    numbers = _numbers(reach, "person__name")
    named = dict(Person.objects.filter(name__in=numbers).exclude(display_name="").values_list("name", "display_name"))
    return _shares(numbers, named)


def _shares(numbers: Mapping[str, int], labels: Mapping[str, str]) -> list[Share]:
    most = max(numbers.values(), default=1)
    return [
        Share(value, labels.get(value, value), number, round(100 * number / most, 1))
        for value, number in numbers.items()
    ]


def _added(reach: Reach, now: datetime) -> dict[date, int]:
    since = now - timedelta(days=DAYS)
    day = TruncDate("created_at", tzinfo=reach.zone)
    rows = reach.kept().filter(created_at__gt=since).order_by().values_list(day).annotate(number=Count("id"))
    return dict(rows)
