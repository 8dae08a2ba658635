"""/people/{person}/documents: files that assistants keep, under paths of their own."""

import unicodedata
from typing import Annotated, Self
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status
from pydantic import AfterValidator, StringConstraints, model_validator

from memory_app.api import fields
from memory_app.api.auth import admin_key, author_of, grant_of, key_of, read_key, write_key
from memory_app.api.fields import InputModel, PageQuery
from memory_app.api.idempotency import idempotent
from memory_app.api.pagination import Order, page
from memory_app.api.requests import expected_version
from memory_app.api.venue import existing_person
from memory_app.engine.documents.documents import (
    DocumentChange,
    DocumentFilters,
    create_document,
    delete_document,
    edit_document,
    find_any_document,
    find_document,
    list_documents,
    restore_document,
)
from memory_app.engine.venue_context import resolve_venue
from memory_app.errors import ConflictError, NotAllowed
from memory_app.models import Scope
from memory_app.models.document import MAX_PATH
from memory_app.models.row_security import allowed_spaces
from memory_app.serializers import Page
from memory_app.serializers.document import DocumentOut, document_out

router = Router(tags=["documents"])

MAX_CONTENT = 5_000_000
UNSEEN = frozenset({"Cc", "Cf", "Zl", "Zp"})
"""Categories of characters that no path has: control and formatting characters, and separators of lines."""


def _plain_path(path: str) -> str:
    """The path. Of what nobody could see in it, or that turns its writing around, ValueError."""
    if any(part.strip() in ("", ".", "..") for part in path.split("/")):
        raise ValueError("is no path: write it like plans/trip.md, without empty or blank parts, . or ..")
    unseen = next((character for character in path if unicodedata.category(character) in UNSEEN), None)
    if unseen is not None:
        raise ValueError(f"must not contain control or formatting characters, such as U+{ord(unseen):04X}")
    return path


Path = Annotated[
    str, StringConstraints(min_length=1, max_length=MAX_PATH), fields.Storable, AfterValidator(_plain_path)
]
Prefix = Annotated[str, StringConstraints(max_length=MAX_PATH), fields.Storable]
Content = Annotated[str, StringConstraints(max_length=MAX_CONTENT), fields.Storable]


class DocumentIn(InputModel):
    path: Path
    content: Content


class DocumentPatch(InputModel):
    path: Path | None = None
    content: Content | None = None

    @model_validator(mode="after")
    def _names_a_field(self) -> Self:
        if self.path is None and self.content is None:
            raise ValueError("name at least one field to change")
        return self


class DocumentsQuery(PageQuery):
    path: Prefix | None = None
    prefix: Prefix | None = None
    status: fields.NoteStatus = "active"

    @property
    def filters(self) -> DocumentFilters:
        return DocumentFilters(self.path or "", self.prefix or "", deleted=self.status == "deleted")


DocumentPage = Page[DocumentOut]


@router.get("/people/{text:person}/documents", response=DocumentPage, auth=read_key)
def list_documents_of_person(request: HttpRequest, person: fields.Name, query: Query[DocumentsQuery]) -> DocumentPage:
    """Documents without their text, the latest written first; of one `path`, with it. `prefix`: of a folder."""
    if query.status == "deleted" and not key_of(request).has(Scope.ADMIN):
        raise NotAllowed("Documents that were deleted are listed for a key with the scope admin.")
    venue_context = existing_person(request, person)
    with allowed_spaces(venue_context.venue.spaces):
        rows = list_documents(venue_context, query.filters)
        found, following = page(rows, Order("updated_at"), query.limit, query.cursor)
    name, whole = venue_context.person.name, bool(query.path)
    return DocumentPage(items=[document_out(row, name, whole=whole) for row in found], next_cursor=following)


@router.post("/people/{text:person}/documents", response={201: DocumentOut}, auth=write_key)
@idempotent
def add_document(request: HttpRequest, person: fields.Name, payload: DocumentIn) -> Status[DocumentOut]:
    """Stores a new document; 409 where its path is taken. It is no memory that the person confirmed."""
    venue_context = resolve_venue(person=person, grant=grant_of(request), follow_merges=True)
    document = create_document(
        venue_context=venue_context,
        path=payload.path,
        content=payload.content,
        author=author_of(request),
        now=timezone.now(),
    )
    return Status(201, document_out(document, venue_context.person.name, whole=False))


@router.get("/people/{text:person}/documents/{uuid:document_id}", response=DocumentOut, auth=read_key)
def read_document(request: HttpRequest, person: fields.Name, document_id: UUID) -> DocumentOut:
    """One document, with its text."""
    venue_context = existing_person(request, person)
    return document_out(find_document(venue_context, document_id), venue_context.person.name)


@router.patch("/people/{text:person}/documents/{uuid:document_id}", response=DocumentOut, auth=write_key)
def change_document(
    request: HttpRequest, person: fields.Name, document_id: UUID, payload: DocumentPatch
) -> DocumentOut:
    """Another text, or another path. With `If-Match: "version"`, only if that is still the version. The text before can
    be brought back."""
    venue_context = existing_person(request, person)
    change = DocumentChange(payload.path, payload.content, expected_version(request))
    document = edit_document(
        home=venue_context.venue.home,
        document=document_id,
        change=change,
        author=author_of(request),
        now=timezone.now(),
    )
    return document_out(document, venue_context.person.name, whole=False)


@router.delete("/people/{text:person}/documents/{uuid:document_id}", response={204: None}, auth=write_key)
def forget_document(request: HttpRequest, person: fields.Name, document_id: UUID) -> Status[None]:
    """Soft delete: hidden everywhere, and restorable."""
    home = existing_person(request, person).venue.home
    delete_document(home=home, document=document_id, author=author_of(request), now=timezone.now())
    return Status(204, None)


@router.post("/admin/documents/{uuid:document_id}/restore", response=DocumentOut, auth=admin_key)
def restore_deleted_document(request: HttpRequest, document_id: UUID) -> DocumentOut:
    """Brings a deleted document back, or a text that one had before, where the path is free."""
    found = find_any_document(document_id, grant_of(request))
    if found.deleted_at is None:
        raise ConflictError("This document is not deleted: there is nothing to restore.")
    document = restore_document(home=found.space_id, document=found.id, author=author_of(request), now=timezone.now())
    return document_out(document, found.person.name, whole=False)
