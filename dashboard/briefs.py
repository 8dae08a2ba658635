"""The list of briefs: what assistants were told, the latest first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator

from dashboard.reach import Reach
from dashboard.turning import turning
from memory_app.language.sensitive import masked
from memory_app.models import Memory, Receipt

PAGE = 30


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


def list_briefs(reach: Reach, page: str | None) -> BriefListing:
    pages = Paginator(reach.receipts().order_by("-at", "-id"), PAGE)
    here = pages.get_page(page)
    return BriefListing(rows=_rows(reach, list(here.object_list)), **turning(here))


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


def _rows(reach: Reach, receipts: Sequence[Receipt]) -> list[BriefRow]:
    ids = {item["memory"] for receipt in receipts for item in receipt.items}
    seen = {str(row.id): row for row in reach.kept().filter(id__in=ids)}
    return [
        BriefRow(
            receipt, masked(receipt.query), [seen[item["memory"]] for item in receipt.items if item["memory"] in seen]
        )
        for receipt in receipts
    ]
