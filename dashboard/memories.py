"""`/memories/`: the list, searched and filtered by its URL; forgetting several at once."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.contrib.postgres.search import SearchQuery
from django.core.paginator import Page, Paginator
from django.db.models import Q
from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view, post_view, requested_part
from dashboard.lists import (
    NO_TYPED_FILTERS,
    Facet,
    FilterOption,
    ListFilters,
    Pagination,
    Pairs,
    Rows,
    TypedFilters,
    facets_json,
)
from dashboard.masking import memory_json
from dashboard.responses import parse_uuids, redirect_back, show_message, show_warning, wants_json
from dashboard.undo import latest_actions
from dashboard.viewer import Viewer
from dashboard.wording import CATEGORY_LABELS, TYPE_LABELS, VISIBILITY_LABELS, pluralize
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.memories.delete_and_restore import delete_memories
from memory_app.engine.retrieval.query import RecallQuery
from memory_app.engine.retrieval.recall import recall
from memory_app.models import Memory, Status
from memory_app.models.memory import MemoryQuerySet

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


@dataclass(frozen=True)
class MemoryFilters(ListFilters):
    """`order` is never "best" without a query. all_tags: whether a memory must have all chosen tags, and not any."""

    status: str = "active"
    order: str = "newest"
    typed: TypedFilters = NO_TYPED_FILTERS
    all_tags: bool = False

    columns: ClassVar[Mapping[str, str]] = {
        "type": "type",
        "category": "category",
        "visibility": "visibility",
        "tag": "tags",
        "person": "person__name",
    }
    facet_labels: ClassVar[Mapping[str, str]] = {
        "type": "Kind",
        "category": "Section",
        "visibility": "Who sees it",
        "tag": "Tag",
        "person": "Person",
    }
    value_labels: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "type": TYPE_LABELS,
        "category": CATEGORY_LABELS,
        "visibility": VISIBILITY_LABELS,
    }

    @classmethod
    def read_settings(cls, url: QueryDict, query: str) -> dict[str, Any]:
        order, status = url.get("order", ""), url.get("status", "active")
        if order not in ORDER_LABELS or (order == "best" and not query):
            order = "best" if query else "newest"
        return {
            "status": status if status in STATUS_LABELS else "active",
            "order": order,
            "typed": TypedFilters.read(url),
            "all_tags": url.get("tags") == "all",
        }

    @property
    def is_narrowed(self) -> bool:
        return bool(self.query or self.chosen or self.typed or self.status != "active")

    def apply(self, rows: Rows, *, except_for: str = "") -> Rows:
        if self.all_tags and "tag" in self.chosen:
            rows = rows.filter(tags__contains=list(self.chosen["tag"]))
        return super().apply(rows, except_for=except_for)

    def with_status(self, rows: MemoryQuerySet, now: datetime) -> MemoryQuerySet:
        """Rows of the chosen status."""
        match self.status:
            case "active":
                return rows.current(now)
            case "superseded":
                return rows.filter(status=Status.SUPERSEDED)
            case "expired":
                return rows.filter(expires_at__lte=now)
            case _:
                return rows

    @property
    def setting_pairs(self) -> Pairs:
        all_tags = [("tags", "all")] if self.all_tags else []
        status = [("status", self.status)] if self.status != "active" else []
        return [*all_tags, *self.typed.pairs, *status]

    @property
    def hidden(self) -> Pairs:
        order = [("order", self.order)] if self.order not in ("best", "newest") else []
        return [*super().hidden, *order]

    @property
    def pairs(self) -> Pairs:
        chosen_newest = [("order", "newest")] if self.query and self.order == "newest" else []
        return [*super().pairs, *chosen_newest]

    @property
    def hidden_without_typed(self) -> Pairs:
        """What the form of typed filters must carry along, beside these."""
        query = [("q", self.query)] if self.query else []
        return [*query, *replace(self, typed=NO_TYPED_FILTERS, all_tags=False).hidden]


PAGE_SIZE = 25


@dataclass(frozen=True, slots=True)
class MemoryListing(Pagination):
    memories: list[Memory]
    filters: MemoryFilters
    facets: list[Facet]

    @property
    def status_facets(self) -> list[Facet]:
        """Its values are not counted."""
        return [Facet("status", "Standing", self.filters.options("status", STATUS_LABELS))]

    @property
    def is_cut(self) -> bool:
        """Whether more would have been found, had the search not ended."""
        return bool(self.filters.query) and self.total >= MAX_FOUND

    @property
    def orders(self) -> list[FilterOption]:
        options = self.filters.options("order", ORDER_LABELS)
        return options if self.filters.query else options[1:]


def list_memories(viewer: Viewer, rows: MemoryQuerySet, filters: MemoryFilters, now: datetime) -> MemoryListing:
    """The page of `rows` that the filters ask for; beyond the last page, the last one."""
    rows = rows.matching_filters(filters.typed.filters.values, viewer.entities())
    ids = search_ids(viewer, rows, filters.query, now) if filters.query else None
    if ids is not None:
        rows = rows.filter(id__in=ids)
    narrowed = filters.apply(rows)
    page = Paginator(_ordered(narrowed, filters, ids), PAGE_SIZE).get_page(filters.page)
    memories = list(page.object_list)
    if filters.order == "best":
        memories = _load_page(narrowed, memories)
    return memory_listing(viewer, rows, filters, page, memories)


def memory_listing(
    viewer: Viewer, rows: MemoryQuerySet, filters: MemoryFilters, page: "Page[Any]", memories: list[Memory]
) -> MemoryListing:
    """rows: those that no facet has narrowed yet."""
    facets = filters.facets(rows, people=viewer.is_super_user)
    return MemoryListing(memories, filters, facets, **filters.pagination(page))


def as_json(listing: MemoryListing, now: datetime) -> dict[str, Any]:
    """Sensitive texts are masked here too."""
    return {
        "items": [memory_json(memory, now, masked=memory.sensitive) for memory in listing.memories],
        **listing.pagination_json(),
        "facets": facets_json(listing.facets),
    }


def _ordered(rows: MemoryQuerySet, filters: MemoryFilters, ids: list[UUID] | None) -> Any:
    """Rows in order; for the best match, ids alone, of which a page is loaded later."""
    if filters.order == "best" and ids is not None:
        left = set(rows.values_list("id", flat=True))
        return [identifier for identifier in ids if identifier in left]
    return rows.order_by(*ORDER_COLUMNS[filters.order])


def _load_page(rows: MemoryQuerySet, ids: list[Any]) -> list[Memory]:
    by_id = {memory.id: memory for memory in rows.filter(id__in=ids)}
    return [by_id[identifier] for identifier in ids]


MAX_FOUND = 200
"""Whoever gets so many results should narrow the search."""

TEXT_SEARCH_CONFIG = "english"


def search_ids(viewer: Viewer, rows: MemoryQuerySet, query: str, now: datetime) -> list[UUID]:
    """Ids among `rows`: those that recall finds relevant, best first, then those that contain what was typed. A super
    user searches by words alone, for recall speaks for one person."""
    recalled = [] if viewer.is_super_user else _recalled_ids(viewer, query, now)
    typed = rows.filter(contains_text(query)).order_by("-created_at").values_list("id", flat=True)[:MAX_FOUND]
    ids = dict.fromkeys([*recalled, *typed])
    among = set(rows.filter(id__in=list(ids)).values_list("id", flat=True))
    return [identifier for identifier in ids if identifier in among][:MAX_FOUND]


def contains_text(query: str) -> Q:
    """Rows in which what was typed occurs, as it stands or as words in any form."""
    as_typed = Q(content__icontains=query) | Q(summary__icontains=query) | Q(tags__contains=[query])
    return as_typed | Q(tsv=SearchQuery(query, config=TEXT_SEARCH_CONFIG, search_type="websearch"))


def _recalled_ids(viewer: Viewer, query: str, now: datetime) -> list[UUID]:
    if viewer.venue_context is None:
        return []
    recalled = recall(
        venue_context=viewer.venue_context,
        recall_query=RecallQuery(query, limit=MAX_FOUND),
        now=now,
        encoder=current_encoder(),
    )
    return [result.row.id for result in recalled.results if result.relevant]


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    now = timezone.now()
    filters = MemoryFilters.read(request.path, request.GET)
    listing = list_memories(viewer, filters.with_status(viewer.memories(), now), filters, now)
    if wants_json(request):
        return JsonResponse(as_json(listing, now))
    part = requested_part(request, "results")
    context = {"viewer": viewer, "now": now, "listing": listing, "filters": filters}
    if not part:
        context["actions"] = [action for action in latest_actions(viewer, only="forget") if action.undo][:3]
    return render(request, f"dashboard/memories.html{part}", context)


@post_view
def forget_chosen(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    """Forgets the memories that were ticked; those that are not there, or not one's own, are passed over."""
    author, now = viewer.author(), timezone.now()
    chosen = viewer.own_memories().undeleted().filter(id__in=parse_uuids(request.POST.getlist("memory")))
    deleted = len(delete_memories(memories=chosen, author=author, now=now))
    if deleted:
        show_message(request, f"Forgot {pluralize(deleted, 'memory', 'memories')}.", undo=author.request)
    else:
        show_warning(request, "Tick the memories to forget first.")
    return redirect_back(request, reverse("memories"))
