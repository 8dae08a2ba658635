"""The list of briefs: what assistants were told, the latest first.

`/briefs/`: what assistants were told, brief by brief.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.access import SignedInRequest, with_viewer
from dashboard.pagination import pagination_fields
from dashboard.responses import wants_json
from dashboard.viewer import Viewer
from memory_app.models import Memory, Receipt
from memory_app.nlp.privacy.sensitive import masked

PAGE_SIZE = 30


@dataclass(frozen=True, slots=True)
class BriefRow:
    """One brief. query: what was asked, with what is sensitive masked. memories: those it held that may be seen still,
    in its order."""

    receipt: Receipt
    query: str
    memories: Sequence[Memory]

    @property
    def number(self) -> int:
        return len(self.receipt.items)


@dataclass(frozen=True, slots=True)
class BriefListing:
    """`total`: how many there are on all pages, which count from 1."""

    rows: Sequence[BriefRow]
    total: int
    number: int
    pages: int
    newer: str
    older: str


def list_briefs(viewer: Viewer, page: str | None) -> BriefListing:
    pages = Paginator(viewer.receipts().order_by("-at", "-id"), PAGE_SIZE)
    page_found = pages.get_page(page)
    return BriefListing(rows=_rows(viewer, list(page_found.object_list)), **pagination_fields(page_found))


def as_json(listing: BriefListing) -> dict[str, Any]:
    items = [
        {
            "id": row.receipt.id,
            "person": row.receipt.person.name,
            "at": row.receipt.at,
            "query": row.query,
            "tokens": row.receipt.tokens,
            "reason": row.receipt.reason or None,
            "memories": [memory.id for memory in row.memories],
        }
        for row in listing.rows
    ]
    pages = {"total": listing.total, "page": listing.number, "pages": listing.pages}
    return {"items": items, **pages, "next": listing.older or None}


def _rows(viewer: Viewer, receipts: Sequence[Receipt]) -> list[BriefRow]:
    ids = {item["memory"] for receipt in receipts for item in receipt.items}
    seen = {str(row.id): row for row in viewer.undeleted().filter(id__in=ids)}
    return [
        BriefRow(
            receipt, masked(receipt.query), [seen[item["memory"]] for item in receipt.items if item["memory"] in seen]
        )
        for receipt in receipts
    ]


@require_safe
@with_viewer
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    listing = list_briefs(viewer, request.GET.get("page"))
    if wants_json(request):
        return JsonResponse(as_json(listing))
    return render(request, "dashboard/briefs.html", {"viewer": viewer, "listing": listing})
