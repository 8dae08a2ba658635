"""One page of a list of memories, with its facets: what the page and its JSON twin both show."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator

from dashboard.facets import Facet, facets, statuses
from dashboard.filters import COLUMNS, ORDERS, Filters
from dashboard.found import MOST_FOUND, found
from dashboard.reach import Reach
from dashboard.sensitive import MASK
from memory_app.api.schemas import shown
from memory_app.models import Memory
from memory_app.models.memory import MemoryQuerySet

PAGE = 25


@dataclass(frozen=True, slots=True)
class Order:
    value: str
    label: str
    chosen: bool
    url: str


@dataclass(frozen=True, slots=True)
class Listing:
    """`total`: how many there are on all pages. `number` and `pages` count from 1."""

    memories: list[Memory]
    total: int
    number: int
    pages: int
    filters: Filters
    facets: list[Facet]
    status: Facet

    @property
    def cut(self) -> bool:
        """Whether more would have been found, had the search not ended."""
        return bool(self.filters.query) and self.total >= MOST_FOUND

    @property
    def newer(self) -> str:
        return self.filters.with_(page=self.number - 1).url if self.number > 1 else ""

    @property
    def older(self) -> str:
        return self.filters.with_(page=self.number + 1).url if self.number < self.pages else ""

    @property
    def orders(self) -> list[Order]:
        offered = [value for value in ORDERS if value != "best" or self.filters.query]
        chosen = self.filters.order
        return [Order(value, ORDERS[value], value == chosen, self.filters.with_(order=value).url) for value in offered]


def list_memories(reach: Reach, rows: MemoryQuerySet, filters: Filters, now: datetime) -> Listing:
    """The page of `rows` that the filters ask for; beyond the last page, the last one."""
    rows = rows.passing(filters.typed.filters.values, reach.entities())
    ids = found(reach, rows, filters.query, now) if filters.query else None
    if ids is not None:
        rows = rows.filter(id__in=ids)
    narrowed = filters.apply(rows)
    pages = Paginator(_ordered(narrowed, filters, ids), PAGE)
    page = pages.get_page(filters.page)
    memories = list(page.object_list)
    if filters.order == "best":
        memories = _loaded(narrowed, memories)
    return Listing(
        memories=memories,
        total=pages.count,
        number=page.number,
        pages=pages.num_pages,
        filters=filters,
        facets=facets(rows, filters, people=reach.everyone),
        status=statuses(filters),
    )


def as_json(listing: Listing, now: datetime) -> dict[str, Any]:
    """The list as its JSON twin shows it. Sensitive texts are masked here too."""
    return {
        "items": [memory_json(memory, now, masked=memory.sensitive) for memory in listing.memories],
        "total": listing.total,
        "page": listing.number,
        "pages": listing.pages,
        "next": listing.older or None,
        "facets": {facet.name: {option.value: option.count for option in facet.options} for facet in listing.facets},
    }


def memory_json(memory: Memory, now: datetime, *, masked: bool) -> dict[str, Any]:
    values = shown(memory, now).model_dump(mode="json")
    if masked:
        values |= {"summary": MASK, "content": MASK, "context": None, "key": None, "keywords": [], "attributes": {}}
    return values


def _ordered(rows: MemoryQuerySet, filters: Filters, ids: list[UUID] | None) -> Any:
    """Rows in order; for the best match, ids alone, of which a page is loaded later."""
    if filters.order == "best" and ids is not None:
        left = set(rows.values_list("id", flat=True))
        return [identifier for identifier in ids if identifier in left]
    return rows.order_by(*COLUMNS[filters.order])


def _loaded(rows: MemoryQuerySet, ids: list[Any]) -> list[Memory]:
    by_id = {memory.id: memory for memory in rows.filter(id__in=ids)}
    return [by_id[identifier] for identifier in ids]
