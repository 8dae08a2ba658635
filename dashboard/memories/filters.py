"""Filters of a list of memories."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar

from django.http import QueryDict

from dashboard.filters import NO_TYPED_FILTERS, Facet, ListFilters, Pairs, Rows, TypedFilters
from dashboard.wording import CATEGORY_LABELS, TYPE_LABELS, VISIBILITY_LABELS
from memory_app.models import Status
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
    def status_facet(self) -> Facet:
        """Its values are not counted."""
        return Facet("status", "Standing", self.options("status", STATUS_LABELS))

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
