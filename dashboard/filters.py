"""What a list of memories is narrowed to, read from the URL and written back to it.

Filters that are typed, beside a list or a question: whom or what memories speak of, and conditions on attributes.

Facets beside a list: each value with how many memories it would leave, and the URL that chooses it.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self
from urllib.parse import urlencode, urlsplit

from django.db.models import Count, F, Func, Q, TextField
from django.http import QueryDict

from dashboard.wording import CATEGORY_LABELS, TYPE_LABELS, VISIBILITY_LABELS
from memory_app.models import Person, Status
from memory_app.models.memory import MemoryQuerySet
from memory_app.rules.filters import Condition, FilterError, Filters, read_condition

MAX_TYPED_LENGTH = 1_000

NOT_JSON = 'attributes: this is no JSON; write {"project": "x"} or {"priority": {"gte": 3}}'


@dataclass(frozen=True, slots=True)
class TypedFilters:
    """As typed. entity: names, parted by commas, of which one is spoken of. attributes: JSON. fault: what is wrong with
    that, which is then passed over."""

    entity: str = ""
    attributes: str = ""

    @classmethod
    def read(cls, url: QueryDict, clean: Callable[[str], str]) -> Self:
        typed = (clean(url.get(name, ""))[:MAX_TYPED_LENGTH].strip() for name in ("entity", "attributes"))
        return cls(*typed)

    def __bool__(self) -> bool:
        return bool(self.entity or self.attributes)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """For a URL."""
        display_names = (("entity", self.entity), ("attributes", self.attributes))
        return [(name, value) for name, value in display_names if value]

    @property
    def filters(self) -> Filters:
        names = split_at_commas(self.entity)
        return Filters(entities=names, attributes=self._condition()[0])

    @property
    def error(self) -> str:
        return self._condition()[1]

    def _condition(self) -> tuple[Condition | None, str]:
        if not self.attributes:
            return None, ""
        try:
            return read_condition(json.loads(self.attributes)), ""
        except FilterError as error:
            return None, str(error)
        except (ValueError, RecursionError):
            return None, NOT_JSON


NO_TYPED_FILTERS = TypedFilters()


def split_at_commas(text: str) -> tuple[str, ...]:
    """What is parted by commas."""
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


LOOKUPS = {
    "type": "type__in",
    "category": "category__in",
    "visibility": "visibility__in",
    "tag": "tags__overlap",
    "person": "person__name__in",
}
"""Facets by their name in the URL. Several values of one facet widen, several facets narrow."""

STATUS_LABELS = {
    "active": "Current",
    "superseded": "Replaced",
    "expired": "Expired",
    "all": "All",
}
ORDER_LABELS = {
    "best": "Best match",
    "newest": "Newest",
    "oldest": "Oldest",
    "changed": "Last changed",
    "recalled": "Most recalled",
}
ORDER_COLUMNS = {
    "newest": ("-created_at", "-id"),
    "oldest": ("created_at", "id"),
    "changed": ("-updated_at", "-id"),
    "recalled": ("-access_count", "-id"),
}
MAX_QUERY_LENGTH = 1_000


@dataclass(frozen=True)
class MemoryFilters:
    """One view of a list. `order` is never "best" without a query. all_tags: whether all chosen tags are asked for, and
    not any."""

    path: str
    query: str = ""
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    status: str = "active"
    order: str = "newest"
    page: int = 1
    typed: TypedFilters = NO_TYPED_FILTERS
    all_tags: bool = False

    @classmethod
    def read(cls, path: str, url: QueryDict) -> Self:
        """From a query string. What means nothing there is passed over."""
        query = _clean(url.get("q", ""))[:MAX_QUERY_LENGTH].strip()
        chosen = {name: tuple(dict.fromkeys(_clean(value) for value in url.getlist(name) if value)) for name in LOOKUPS}
        order = url.get("order", "")
        if order not in ORDER_LABELS or (order == "best" and not query):
            order = "best" if query else "newest"
        status = url.get("status", "active")
        page = url.get("page", "1")
        return cls(
            path=path,
            query=query,
            chosen={name: values for name, values in chosen.items() if values},
            status=status if status in STATUS_LABELS else "active",
            order=order,
            page=min(int(page), 1_000_000) if page.isascii() and page.isdigit() else 1,
            typed=TypedFilters.read(url, _clean),
            all_tags=url.get("tags") == "all",
        )

    @classmethod
    def from_address(cls, path: str, address: str) -> Self:
        """Those of an address of a list, such as a form names in `next`; of any other address, none."""
        parts = urlsplit(address)
        return cls.read(path, QueryDict(parts.query if parts.path == path else ""))

    @property
    def is_narrowed(self) -> bool:
        return bool(self.query or self.chosen or self.typed or self.status != "active")

    def apply(self, rows: MemoryQuerySet, *, except_for: str = "") -> MemoryQuerySet:
        """Rows that pass every facet but one, so that a facet's own counts show what choosing another would give."""
        for name, values in self.chosen.items():
            if name == "tag" and self.all_tags:
                rows = rows.filter(tags__contains=list(values))
            elif name != except_for:
                rows = rows.filter(**{LOOKUPS[name]: list(values)})
        return rows

    def with_status(self, rows: MemoryQuerySet, now: datetime) -> MemoryQuerySet:
        """Rows of the chosen status."""
        match self.status:
            case "active":
                return rows.current(now)
            case "superseded":
                return rows.filter(status=Status.SUPERSEDED)
            case "expired":
                return rows.filter(Q(expires_at__lte=now))
            case _:
                return rows

    @property
    def url(self) -> str:
        pairs: list[tuple[str, str]] = [("q", self.query)] if self.query else []
        pairs += [*self._chosen_pairs, *self._other_pairs]
        if self.order != ("best" if self.query else "newest"):
            pairs.append(("order", self.order))
        if self.page > 1:
            pairs.append(("page", str(self.page)))
        return f"{self.path}?{urlencode(pairs)}" if pairs else self.path

    def toggled(self, name: str, value: str) -> "MemoryFilters":
        """With one value of a facet chosen, or no longer; back on the first page."""
        values = self.chosen.get(name, ())
        values = tuple(v for v in values if v != value) if value in values else (*values, value)
        chosen = {**self.chosen, name: values}
        return replace(self, chosen={name: values for name, values in chosen.items() if values}, page=1)

    def replaced(self, *, status: str | None = None, order: str | None = None, page: int = 1) -> "MemoryFilters":
        return replace(self, status=status or self.status, order=order or self.order, page=page)

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """What a search form must carry along, beside its query, to keep the filters."""
        order = [("order", self.order)] if self.order not in ("best", "newest") else []
        return [*self._chosen_pairs, *self._other_pairs, *order]

    @property
    def hidden_without_typed(self) -> list[tuple[str, str]]:
        """What the form of typed filters must carry along, beside these."""
        query = [("q", self.query)] if self.query else []
        return [*query, *replace(self, typed=NO_TYPED_FILTERS, all_tags=False).hidden]

    @property
    def _chosen_pairs(self) -> list[tuple[str, str]]:
        return [(name, value) for name, values in self.chosen.items() for value in values]

    @property
    def _other_pairs(self) -> list[tuple[str, str]]:
        all_tags = [("tags", "all")] if self.all_tags else []
        status = [("status", self.status)] if self.status != "active" else []
        return [*all_tags, *self.typed.pairs, *status]


def _clean(text: str) -> str:
    """Without NUL, which PostgreSQL takes in no text."""
    return text.replace("\x00", "")


MAX_FACET_VALUES = 12
"""Values shown per facet: the most frequent ones, and all chosen ones."""

FACET_LABELS = {"type": "Kind", "category": "Section", "visibility": "Who sees it", "tag": "Tag", "person": "Person"}
FACET_COLUMNS = {"type": "type", "category": "category", "visibility": "visibility", "person": "person__name"}
VALUE_LABELS: Mapping[str, Mapping[str, str]] = {
    "type": TYPE_LABELS,
    "category": CATEGORY_LABELS,
    "visibility": VISIBILITY_LABELS,
}


class Unnest(Func):
    """One row for each item of an array."""

    function = "unnest"
    set_returning = True
    output_field = TextField()


@dataclass(frozen=True, slots=True)
class FacetOption:
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
    options: tuple[FacetOption, ...]


def memory_facets(rows: MemoryQuerySet, filters: MemoryFilters, *, people: bool) -> list[Facet]:
    """The facets of these rows, which no facet has narrowed yet; those with nothing to choose are left out."""
    names = [name for name in LOOKUPS if people or name != "person"]
    found = [_facet(rows, filters, name) for name in names]
    return [facet for facet in found if len(facet.options) > 1 or any(option.chosen for option in facet.options)]


def status_facet(filters: MemoryFilters) -> Facet:
    """The one facet of which exactly one value is always chosen; its values are not counted."""
    options = [
        FacetOption(value, label, 0, filters.status == value, filters.replaced(status=value).url)
        for value, label in STATUS_LABELS.items()
    ]
    return Facet("status", "Standing", tuple(options))


def _facet(rows: MemoryQuerySet, filters: MemoryFilters, name: str) -> Facet:
    rows = filters.apply(rows, except_for=name)
    counts, chosen = _counts(rows, name), filters.chosen.get(name, ())
    for value in chosen:
        if value not in counts:
            counts[value] = rows.filter(**{LOOKUPS[name]: [value]}).count()
    shown = list(counts)
    labels = _labels(name, shown)
    options = [
        FacetOption(value, labels.get(value, value), counts[value], value in chosen, filters.toggled(name, value).url)
        for value in shown
    ]
    return Facet(name, FACET_LABELS[name], tuple(options))


def _counts(rows: MemoryQuerySet, name: str) -> dict[str, int]:
    """How many rows have each value, the most frequent first."""
    value = Unnest(F("tags")) if name == "tag" else F(FACET_COLUMNS[name])
    counted = rows.order_by().values(value=value).annotate(count=Count("id")).order_by("-count", "value")
    return {row["value"]: row["count"] for row in counted[:MAX_FACET_VALUES]}


def _labels(name: str, values: list[str]) -> Mapping[str, str]:
    if name != "person":
        return VALUE_LABELS.get(name, {})
    display_names = Person.objects.filter(name__in=values).exclude(display_name="")
    return dict(display_names.values_list("name", "display_name"))
