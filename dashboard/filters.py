"""What a list of memories is narrowed to, read from the URL and written back to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self
from urllib.parse import urlencode, urlsplit

from django.db.models import Q
from django.http import QueryDict

from dashboard.typed_filters import NOTHING_TYPED, TypedFilters
from memory_app.models import Status
from memory_app.models.memory import MemoryQuerySet

LOOKUPS = {
    "type": "type__in",
    "category": "category__in",
    "visibility": "visibility__in",
    "tag": "tags__overlap",
    "person": "person__name__in",
}
"""Facets by their name in the URL. Several values of one facet widen, several facets narrow."""

STATUSES = {
    "active": "Current",
    "superseded": "Replaced",
    "expired": "Expired",
    "all": "All",
}
ORDERS = {
    "best": "Best match",
    "newest": "Newest",
    "oldest": "Oldest",
    "changed": "Last changed",
    "recalled": "Most recalled",
}
COLUMNS = {
    "newest": ("-created_at", "-id"),
    "oldest": ("created_at", "id"),
    "changed": ("-updated_at", "-id"),
    "recalled": ("-access_count", "-id"),
}
LONGEST_QUERY = 1_000


@dataclass(frozen=True)
class Filters:
    """One view of a list. `order` is never "best" without a query. all_tags: whether all chosen tags are asked for, and
    not any."""

    path: str
    query: str = ""
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    status: str = "active"
    order: str = "newest"
    page: int = 1
    typed: TypedFilters = NOTHING_TYPED
    all_tags: bool = False

    @classmethod
    def read(cls, path: str, url: QueryDict) -> Self:
        """From a query string. What means nothing there is passed over."""
        query = _clean(url.get("q", ""))[:LONGEST_QUERY].strip()
        chosen = {name: tuple(dict.fromkeys(_clean(value) for value in url.getlist(name) if value)) for name in LOOKUPS}
        order = url.get("order", "")
        if order not in ORDERS or (order == "best" and not query):
            order = "best" if query else "newest"
        status = url.get("status", "active")
        page = url.get("page", "1")
        return cls(
            path=path,
            query=query,
            chosen={name: values for name, values in chosen.items() if values},
            status=status if status in STATUSES else "active",
            order=order,
            page=min(int(page), 1_000_000) if page.isascii() and page.isdigit() else 1,
            typed=TypedFilters.read(url, _clean),
            all_tags=url.get("tags") == "all",
        )

    @classmethod
    def of_address(cls, path: str, address: str) -> Self:
        """Those of an address of a list, such as a form names in `next`; of any other address, none."""
        parts = urlsplit(address)
        return cls.read(path, QueryDict(parts.query if parts.path == path else ""))

    @property
    def narrowed(self) -> bool:
        return bool(self.query or self.chosen or self.typed or self.status != "active")

    def apply(self, rows: MemoryQuerySet, *, but: str = "") -> MemoryQuerySet:
        """Rows that pass every facet but one, so that a facet's own counts show what choosing another would give."""
        for name, values in self.chosen.items():
            if name == "tag" and self.all_tags:
                rows = rows.filter(tags__contains=list(values))
            elif name != but:
                rows = rows.filter(**{LOOKUPS[name]: list(values)})
        return rows

    def standing(self, rows: MemoryQuerySet, now: datetime) -> MemoryQuerySet:
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
        pairs += [*self._chosen, *self._beside]
        if self.order != ("best" if self.query else "newest"):
            pairs.append(("order", self.order))
        if self.page > 1:
            pairs.append(("page", str(self.page)))
        return f"{self.path}?{urlencode(pairs)}" if pairs else self.path

    def toggled(self, name: str, value: str) -> "Filters":
        """With one value of a facet chosen, or no longer; back on the first page."""
        values = self.chosen.get(name, ())
        values = tuple(v for v in values if v != value) if value in values else (*values, value)
        chosen = {**self.chosen, name: values}
        return replace(self, chosen={name: values for name, values in chosen.items() if values}, page=1)

    def with_(self, *, status: str | None = None, order: str | None = None, page: int = 1) -> "Filters":
        return replace(self, status=status or self.status, order=order or self.order, page=page)

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """What a search form must carry along, beside its query, to keep the filters."""
        order = [("order", self.order)] if self.order not in ("best", "newest") else []
        return [*self._chosen, *self._beside, *order]

    @property
    def beside_typed(self) -> list[tuple[str, str]]:
        """What the form of typed filters must carry along, beside these."""
        query = [("q", self.query)] if self.query else []
        return [*query, *replace(self, typed=NOTHING_TYPED, all_tags=False).hidden]

    @property
    def _chosen(self) -> list[tuple[str, str]]:
        return [(name, value) for name, values in self.chosen.items() for value in values]

    @property
    def _beside(self) -> list[tuple[str, str]]:
        all_tags = [("tags", "all")] if self.all_tags else []
        status = [("status", self.status)] if self.status != "active" else []
        return [*all_tags, *self.typed.pairs, *status]


def _clean(text: str) -> str:
    """Without NUL, which PostgreSQL takes in no text."""
    return text.replace("\x00", "")
