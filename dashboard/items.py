"""`/items/`: what assistants store of a person under namespaces and keys, read, searched and deleted."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view, post_view, requested_part
from dashboard.lists import MAX_QUERY_LENGTH, Pagination, pagination_fields
from dashboard.responses import clean_text, fields_json, page_or_json, redirect_back, show_message
from dashboard.viewer import Viewer, get_row
from memory_app.engine.items.put_items import delete_rows
from memory_app.models import Item
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.privacy.sensitive import mask_sensitive

PAGE_SIZE = 30
SHORT = 300
"""Characters of a value that a list shows; the rest unfolds."""


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item as it is shown. value: as JSON, with what is sensitive masked."""

    item: Item
    value: str

    @property
    def place(self) -> str:
        return " / ".join([*self.item.namespace, self.item.key])

    @property
    def short(self) -> str:
        return self.value if len(self.value) <= SHORT else f"{self.value[:SHORT]} …"


@dataclass(frozen=True, slots=True)
class ItemListing(Pagination):
    query: str
    rows: Sequence[ItemRow]


def list_items(viewer: Viewer, query: str, page: str | None) -> ItemListing:
    """The page asked for, the latest first. query: words of the value, the key or the namespace."""
    rows = viewer.items()
    if query:
        rows = rows.containing(query)
    found = Paginator(rows.order_by("-updated_at", "-id"), PAGE_SIZE).get_page(page)
    shown = [ItemRow(item, mask_sensitive(_as_json(item.value))) for item in found.object_list]
    return ItemListing(query=query, rows=shown, **pagination_fields(found, [], path=reverse("items"), q=query))


def as_json(listing: ItemListing) -> dict[str, Any]:
    names = ("id", "namespace", "key", "author", "created_at", "updated_at", "expires_at", "version")
    items = [
        {"person": row.item.person.name, "value": row.value, **fields_json(row.item, *names)} for row in listing.rows
    ]
    return {"items": items, **listing.pagination_json()}


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    query = clean_text(request.GET.get("q", ""), MAX_QUERY_LENGTH).strip()
    listing = list_items(viewer, query, request.GET.get("page"))
    part = requested_part(request, "results")
    return page_or_json(request, f"items.html{part}", {"viewer": viewer, "listing": listing}, lambda: as_json(listing))


@post_view
def delete(request: SignedInRequest, viewer: Viewer, item_id: UUID) -> HttpResponse:
    """Deletes an item for good: assistants store it again if they need it."""
    item = get_row(viewer.items(), item_id)
    with allowed_spaces([item.space_id]):
        delete_rows(item.person, [item.id], viewer.author(), timezone.now())
    show_message(request, "Deleted an item.")
    return redirect_back(request, reverse("items"))
