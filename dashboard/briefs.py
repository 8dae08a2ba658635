"""`/briefs/`: what assistants were told, the latest brief first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse

from dashboard.access import SignedInRequest, get_view
from dashboard.lists import Pagination, pagination_fields
from dashboard.responses import fields_json, page_or_json
from dashboard.viewer import Viewer
from memory_app.models import Memory, Receipt
from memory_app.nlp.privacy.sensitive import mask_sensitive

PAGE_SIZE = 30


@dataclass(frozen=True, slots=True)
class BriefRow:
    """One brief. query: with what is sensitive masked. memories: those in it that may still be seen, in order."""

    receipt: Receipt
    query: str
    memories: Sequence[Memory]

    @property
    def number(self) -> int:
        return len(self.receipt.items)


@dataclass(frozen=True, slots=True)
class BriefListing(Pagination):
    rows: Sequence[BriefRow]


def list_briefs(viewer: Viewer, page: str | None) -> BriefListing:
    found = Paginator(viewer.receipts().order_by("-at", "-id"), PAGE_SIZE).get_page(page)
    return BriefListing(_rows(viewer, list(found.object_list)), **pagination_fields(found))


def as_json(listing: BriefListing) -> dict[str, Any]:
    items = [
        {
            **fields_json(row.receipt, "id", "at", "tokens"),
            "person": row.receipt.person.name,
            "query": row.query,
            "reason": row.receipt.reason or None,
            "memories": [memory.id for memory in row.memories],
        }
        for row in listing.rows
    ]
    return {"items": items, **listing.pagination_json()}


def _rows(viewer: Viewer, receipts: Sequence[Receipt]) -> list[BriefRow]:
    ids = {item["memory"] for receipt in receipts for item in receipt.items}
    visible = {str(row.id): row for row in viewer.memories().filter(id__in=ids)}
    return [
        BriefRow(
            receipt,
            mask_sensitive(receipt.query),
            [visible[item["memory"]] for item in receipt.items if item["memory"] in visible],
        )
        for receipt in receipts
    ]


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    listing = list_briefs(viewer, request.GET.get("page"))
    return page_or_json(request, "briefs.html", {"viewer": viewer, "listing": listing}, lambda: as_json(listing))
