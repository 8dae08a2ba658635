"""Lists: their pages, their filters, read from the URL and written back to it, and the facets shown beside them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, TypeVar
from urllib.parse import urlencode, urlsplit

from django.core.paginator import Page
from django.db.models import Count, F, Func, QuerySet, TextField
from django.http import QueryDict

from dashboard.responses import clean_text
from memory_app.models import Person
from memory_app.rules.filters import Condition, FilterError, Filters, read_condition

MAX_PAGE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pagination:
    """total: how many rows there are on all pages, which count from 1. newer, older: addresses of the pages beside this
    one, "" where there is none."""

    total: int
    number: int
    pages: int
    newer: str
    older: str

    def pagination_json(self) -> dict[str, Any]:
        return {"total": self.total, "page": self.number, "pages": self.pages, "next": self.older or None}


def pagination_fields(
    page: "Page[Any]", pairs: Sequence[tuple[str, str]] = (), *, path: str = "", **parameters: str
) -> dict[str, Any]:
    """The fields of `Pagination`. pairs, parameters: what else the address says; empty parameters are left out. path:
    of the list; none is that of the present page."""
    query = [*pairs, *((name, value) for name, value in parameters.items() if value)]
    return {
        "total": page.paginator.count,
        "number": page.number,
        "pages": page.paginator.num_pages,
        "newer": _url(path, query, page.number - 1) if page.has_previous() else "",
        "older": _url(path, query, page.number + 1) if page.has_next() else "",
    }


def page_number(text: str | None, default: int = 1) -> int:
    """A number of a URL; the default for anything else."""
    if not text or not text.isascii() or not text.isdigit():
        return default
    return int(text) if len(text) < len(str(MAX_PAGE)) else MAX_PAGE


def _url(path: str, query: Sequence[tuple[str, str]], page: int) -> str:
    return f"{path}?{urlencode([*query, ('page', str(page))])}"


Rows = TypeVar("Rows", bound=QuerySet[Any])
Pairs = list[tuple[str, str]]

MAX_QUERY_LENGTH = 1_000

MAX_FACET_VALUES = 12
"""Values shown per facet: the most frequent ones, and all chosen ones."""


class Unnest(Func):
    """One row for each item of an array."""

    function = "unnest"
    set_returning = True
    output_field = TextField()


@dataclass(frozen=True, slots=True)
class FilterOption:
    """A value that a link chooses. count: how many rows it would leave, where that is counted."""

    value: str
    label: str
    chosen: bool
    url: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Facet:
    name: str
    label: str
    options: Sequence[FilterOption]


def facets_json(facets: Iterable[Facet]) -> dict[str, dict[str, int]]:
    return {facet.name: {option.value: option.count or 0 for option in facet.options} for facet in facets}


@dataclass(frozen=True)
class ListFilters:
    """One view of a list. chosen: of each facet, by its name in the URL, the values chosen: several values of one facet
    widen, several facets narrow. The class says which column a facet is of, and what facets and values are called."""

    path: str
    query: str = ""
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    page: int = 1

    columns: ClassVar[Mapping[str, str]]
    facet_labels: ClassVar[Mapping[str, str]]
    value_labels: ClassVar[Mapping[str, Mapping[str, str]]] = {}

    @classmethod
    def read(cls, path: str, url: QueryDict) -> Self:
        """From a query string. What means nothing there is ignored."""
        chosen = {name: cls.known_values(name, url.getlist(name)) for name in cls.columns}
        query = clean_text(url.get("q", ""), MAX_QUERY_LENGTH).strip()
        return cls(
            path=path,
            query=query,
            chosen={name: values for name, values in chosen.items() if values},
            page=page_number(url.get("page")),
            **cls.read_settings(url, query),
        )

    @classmethod
    def read_settings(cls, url: QueryDict, query: str) -> dict[str, Any]:
        """The fields that a list has beside these."""
        return {}

    @classmethod
    def known_values(cls, name: str, values: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(clean_text(value) for value in values if value))

    @classmethod
    def from_address(cls, path: str, address: str) -> Self:
        """Those of an address of the list, such as a form gives in `next`; of any other address, none."""
        parts = urlsplit(address)
        return cls.read(path, QueryDict(parts.query if parts.path == path else ""))

    @property
    def setting_pairs(self) -> Pairs:
        """What the URL says beside the query, the facets and the page."""
        return []

    @property
    def hidden(self) -> Pairs:
        """What a search form must carry along, beside its query, to keep the filters."""
        chosen = [(name, value) for name, values in self.chosen.items() for value in values]
        return [*chosen, *self.setting_pairs]

    @property
    def pairs(self) -> Pairs:
        """All that the URL says, but the page."""
        return [*([("q", self.query)] if self.query else []), *self.hidden]

    @property
    def url(self) -> str:
        pairs = [*self.pairs, *([("page", str(self.page))] if self.page > 1 else [])]
        return f"{self.path}?{urlencode(pairs)}" if pairs else self.path

    def replaced(self, **changes: Any) -> Self:
        """With other fields; on the first page, where no page is given."""
        return replace(self, **{"page": 1, **changes})

    def toggled(self, name: str, value: str) -> Self:
        """With one value of a facet chosen, or no longer."""
        values = self.chosen.get(name, ())
        values = tuple(v for v in values if v != value) if value in values else (*values, value)
        chosen = {**self.chosen, name: values}
        return self.replaced(chosen={name: values for name, values in chosen.items() if values})

    def apply(self, rows: Rows, *, except_for: str = "") -> Rows:
        """Rows that pass every facet but one, so that a facet's own counts show what choosing another would give."""
        for name, values in self.chosen.items():
            if name != except_for:
                rows = rows.filter(**{self._lookup(name): list(values)})
        return rows

    def pagination(self, page: "Page[Any]") -> dict[str, Any]:
        """The fields of `Pagination`."""
        newer = self.replaced(page=page.number - 1).url if page.has_previous() else ""
        older = self.replaced(page=page.number + 1).url if page.has_next() else ""
        return {**pagination_fields(page), "newer": newer, "older": older}

    def options(self, name: str, labels: Mapping[str, str], counts: Mapping[str, int] = {}) -> list[FilterOption]:
        """The values of a field of which exactly one is always chosen."""
        chosen = getattr(self, name)
        numbers = {value: counts.get(value, 0) for value in labels} if counts else {}
        return [
            FilterOption(value, label, value == chosen, self.replaced(**{name: value}).url, numbers.get(value))
            for value, label in labels.items()
        ]

    def facets(self, rows: QuerySet[Any], *, people: bool = True) -> list[Facet]:
        """The facets of rows that no facet has narrowed yet; those with nothing to choose are left out."""
        found = [self._facet(rows, name) for name in self.columns if people or name != "person"]
        return [facet for facet in found if len(facet.options) > 1 or self.chosen.get(facet.name)]

    def labels_of(self, name: str, values: Sequence[str]) -> Mapping[str, str]:
        """What the values of a facet are called, where it is not the value itself."""
        if name == "person":
            people = Person.objects.filter(name__in=values).exclude(display_name="")
            return dict(people.values_list("name", "display_name"))
        return self.value_labels.get(name, {})

    def _lookup(self, name: str) -> str:
        column = self.columns[name]
        return f"{column}__overlap" if column == "tags" else f"{column}__in"

    def _facet(self, rows: QuerySet[Any], name: str) -> Facet:
        rows, chosen = self.apply(rows, except_for=name).order_by(), self.chosen.get(name, ())
        column = self.columns[name]
        value = Unnest(F(column)) if column == "tags" else F(column)
        counted = rows.exclude(**{f"{column}__isnull": True}).values(value=value).annotate(count=Count("id"))
        most = counted.order_by("-count", "value")[:MAX_FACET_VALUES]
        counts: dict[str, int] = {str(row["value"]): row["count"] for row in most}
        counts |= {v: rows.filter(**{self._lookup(name): [v]}).count() for v in chosen if v not in counts}
        labels = self.labels_of(name, list(counts))
        options = [
            FilterOption(v, labels.get(v, v), v in chosen, self.toggled(name, v).url, count)
            for v, count in counts.items()
        ]
        return Facet(name, self.facet_labels[name], options)


NOT_JSON = 'attributes: this is no JSON; write {"project": "x"} or {"priority": {"gte": 3}}'


@dataclass(frozen=True, slots=True)
class TypedFilters:
    """As typed. entity: names, separated by commas, one of which a memory must mention. attributes: JSON; what is wrong
    with it says `error`, and then it is ignored."""

    entity: str = ""
    attributes: str = ""

    @classmethod
    def read(cls, url: QueryDict) -> Self:
        return cls(*(clean_text(url.get(name, ""), MAX_QUERY_LENGTH).strip() for name in ("entity", "attributes")))

    def __bool__(self) -> bool:
        return bool(self.entity or self.attributes)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """For a URL."""
        pairs = (("entity", self.entity), ("attributes", self.attributes))
        return [(name, value) for name, value in pairs if value]

    @property
    def filters(self) -> Filters:
        return Filters(entities=split_at_commas(self.entity), attributes=self._condition()[0])

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
    """The different parts of a text that commas separate."""
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
