"""`/documents/`: files that assistants keep of a person, read, searched, deleted and brought back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view, post_view, requested_part
from dashboard.lists import Pagination, pagination_fields
from dashboard.notes import TierFilters
from dashboard.responses import fields_json, page_or_json, redirect_back, show_message, show_warning
from dashboard.viewer import RESTORABLE_FOR, Viewer
from memory_app.engine.documents.documents import delete_document, restore_document
from memory_app.errors import ConflictError
from memory_app.models import Document
from memory_app.nlp.privacy.sensitive import mask_sensitive

PAGE_SIZE = 30
SHORT, LONG = 300, 50_000
"""Characters that a list shows, and that unfold. Of a longer document the API tells the rest."""


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document as it is shown: with what is sensitive masked. text: its beginning, up to LONG characters."""

    document: Document
    text: str

    @property
    def short(self) -> str:
        return self.text if len(self.text) <= SHORT else f"{self.text[:SHORT]} …"

    @property
    def is_cut(self) -> bool:
        return len(self.document.content) > LONG


@dataclass(frozen=True, slots=True)
class DocumentListing(Pagination):
    filters: TierFilters
    rows: Sequence[DocumentRow]


def document_row(document: Document) -> DocumentRow:
    return DocumentRow(document, mask_sensitive(document.content[:LONG]))


def list_documents(viewer: Viewer, filters: TierFilters, page: str | None) -> DocumentListing:
    """The page asked for, the latest written first."""
    rows = viewer.documents()
    rows = rows.deleted() if filters.deleted else rows.undeleted()
    if filters.query:
        rows = rows.filter(Q(content__icontains=filters.query) | Q(path__icontains=filters.query))
    found = Paginator(rows.order_by("-updated_at", "-id"), PAGE_SIZE).get_page(page)
    pairs = [("tier", "deleted")] if filters.deleted else []
    return DocumentListing(
        filters=filters,
        rows=[document_row(document) for document in found.object_list],
        **pagination_fields(found, pairs, path=filters.path, q=filters.query),
    )


def as_json(listing: DocumentListing) -> dict[str, Any]:
    names = ("id", "path", "author", "updated_at", "version", "deleted_at")
    items = [
        {"person": row.document.person.name, "text": row.text, **fields_json(row.document, *names)}
        for row in listing.rows
    ]
    return {"items": items, **listing.pagination_json()}


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    listing = list_documents(viewer, TierFilters.read(request.path, request.GET), request.GET.get("page"))
    part = requested_part(request, "results")
    context = {"viewer": viewer, "listing": listing, "days": RESTORABLE_FOR.days}
    return page_or_json(request, f"documents.html{part}", context, lambda: as_json(listing))


@post_view
def delete(request: SignedInRequest, viewer: Viewer, document_id: UUID) -> HttpResponse:
    document = viewer.find_document(document_id)
    delete_document(home=document.space_id, document=document.id, author=viewer.author(), now=timezone.now())
    show_message(request, "Deleted a document. It can be brought back from Forgotten.")
    return redirect_back(request, reverse("documents"))


@post_view
def restore(request: SignedInRequest, viewer: Viewer, document_id: UUID) -> HttpResponse:
    document = viewer.find_document(document_id, deleted=True)
    try:
        restore_document(home=document.space_id, document=document.id, author=viewer.author(), now=timezone.now())
    except ConflictError as error:
        show_warning(request, str(error))
    else:
        show_message(request, "Brought back a document.")
    return redirect_back(request, reverse("documents"))
