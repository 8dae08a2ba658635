"""Facets beside a list: each value with how many memories it would leave, and the URL that chooses it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, F, Func, TextField

from dashboard.filters import LOOKUPS, STATUSES, Filters
from dashboard.words import CATEGORIES, TYPES, VISIBILITIES
from memory_app.models import Person
from memory_app.models.memory import MemoryQuerySet

MOST_VALUES = 12
"""Values shown per facet: the most frequent ones, and all chosen ones."""

LABELS = {"type": "Kind", "category": "Section", "visibility": "Who sees it", "tag": "Tag", "person": "Person"}
COLUMNS = {"type": "type", "category": "category", "visibility": "visibility", "person": "person__name"}
NAMES: Mapping[str, Mapping[str, str]] = {"type": TYPES, "category": CATEGORIES, "visibility": VISIBILITIES}


class Each(Func):
    """One row for each item of an array."""

    function = "unnest"
    set_returning = True
    output_field = TextField()


@dataclass(frozen=True, slots=True)
class Option:
    """One value of a facet."""

    value: str
    label: str
    count: int
    chosen: bool
    url: str


@dataclass(frozen=True, slots=True)
class Facet:
    name: str
    label: str
    options: tuple[Option, ...]


def facets(rows: MemoryQuerySet, filters: Filters, *, people: bool) -> list[Facet]:
    """The facets of these rows, which no facet has narrowed yet; those with nothing to choose are left out."""
    names = [name for name in LOOKUPS if people or name != "person"]
    found = [_facet(rows, filters, name) for name in names]
    return [facet for facet in found if len(facet.options) > 1 or any(option.chosen for option in facet.options)]


def statuses(filters: Filters) -> Facet:
    """The one facet of which exactly one value is always chosen; its values are not counted."""
    options = [
        Option(value, label, 0, filters.status == value, filters.with_(status=value).url)
        for value, label in STATUSES.items()
    ]
    return Facet("status", "Standing", tuple(options))


def _facet(rows: MemoryQuerySet, filters: Filters, name: str) -> Facet:
    rows = filters.apply(rows, but=name)
    counts, chosen = _counts(rows, name), filters.chosen.get(name, ())
    for value in chosen:
        if value not in counts:
            counts[value] = rows.filter(**{LOOKUPS[name]: [value]}).count()
    shown = list(counts)
    labels = _labels(name, shown)
    options = [
        Option(value, labels.get(value, value), counts[value], value in chosen, filters.toggled(name, value).url)
        for value in shown
    ]
    return Facet(name, LABELS[name], tuple(options))


def _counts(rows: MemoryQuerySet, name: str) -> dict[str, int]:
    """How many rows have each value, the most frequent first."""
    value = Each(F("tags")) if name == "tag" else F(COLUMNS[name])
    counted = rows.order_by().values(value=value).annotate(count=Count("id")).order_by("-count", "value")
    return {row["value"]: row["count"] for row in counted[:MOST_VALUES]}


def _labels(name: str, values: list[str]) -> Mapping[str, str]:
    if name != "person":
        return NAMES.get(name, {})
    named = Person.objects.filter(name__in=values).exclude(display_name="")
    return dict(named.values_list("name", "display_name"))
