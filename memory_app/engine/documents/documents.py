"""Create, edit, rename, delete and restore a document. Nothing that was written is lost: what an edit replaces goes to
tier 2."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Sum
from django.db.models.functions import Length

from memory_app.engine.audit.log import Author, log_entry, log_event
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import ChangedMeanwhile, ConflictError, NotFound
from memory_app.models import Document, Operation, Person
from memory_app.models.document import DocumentQuerySet
from memory_app.models.ids import new_id
from memory_app.models.person import lock_writers, require_memory_on
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.models.text_search import drop_passages, text_tsvector
from memory_app.rules.grant import Grant

CREATE_OPERATION, EDIT_OPERATION = "create_document", "edit_document"
DELETE_OPERATION, RESTORE_OPERATION = "delete_document", "restore_document"
"""What the log calls it."""

REASON_REQUESTED, REASON_REPLACED = "asked", "replaced"
"""Reasons why a document is in tier 2."""

MAX_DOCUMENTS = 1_000
MAX_CHARACTERS = 50_000_000
"""Of one person, without what is deleted."""

MAX_VERSIONS = 10
"""Texts that a document had before, of which the latest stay."""

TAKEN = "There is a document {!r} already: edit that one, or choose another path."


def create_document(*, venue_context: VenueContext, path: str, content: str, author: Author, now: datetime) -> Document:
    """Stores a new one. Raises ConflictError where the path is taken, or there are as many as are allowed."""
    require_memory_on()
    person = venue_context.person
    with allowed_spaces([person.space_id]):
        lock_writers(person.id)
        _check_free(person, path)
        _check_quota(person, 1, len(content))
        document = Document(space_id=person.space_id, person=person, path=path, content=content, author=author.label)
        document.created_at = document.updated_at = now
        set_words(document, person.language)
        document.save(force_insert=True)
        _log(CREATE_OPERATION, document, author, now)
    return document


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """What is to be another; None stays. version: the one last seen."""

    path: str | None = None
    content: str | None = None
    version: int | None = None


def edit_document(*, home: UUID, document: UUID, change: DocumentChange, author: Author, now: datetime) -> Document:
    """Gives a document another text, or path. Raises NotFound, ConflictError as above, ChangedMeanwhile."""
    require_memory_on()
    with allowed_spaces([home]):
        row = _lock(home, document, deleted=False)
        if change.version not in (None, row.version):
            raise ChangedMeanwhile(f"This document is now version {row.version}; read it again, then repeat.")
        path = row.path if change.path is None else change.path
        content = row.content if change.content is None else change.content
        if (path, content) == (row.path, row.content):
            return row
        if path != row.path:
            _check_free(row.person, path)
        if content != row.content:
            _check_quota(row.person, 0, len(content) - len(row.content))
            _store_old_text(row, author, now)
        row.path, row.content, row.version = path, content, row.version + 1
        row.author, row.updated_at = author.label, now
        row.embedding, row.embedding_model = None, None
        set_words(row, row.person.language)
        row.save(
            update_fields=["path", "content", "version", "author", "updated_at", "tsv", "embedding", "embedding_model"]
        )
        drop_passages(home, document, table="document")
        _log(EDIT_OPERATION, row, author, now)
        return row


def delete_document(*, home: UUID, document: UUID, author: Author, now: datetime) -> Document:
    """To tier 2. Raises NotFound for one that is not there."""
    with allowed_spaces([home]):
        row = _lock(home, document, deleted=False)
        row.deleted_at, row.deleted_by, row.delete_reason = now, author.label, REASON_REQUESTED
        row.save(update_fields=["deleted_at", "deleted_by", "delete_reason"])
        _log(DELETE_OPERATION, row, author, now)
        return row


def delete_documents(*, documents: DocumentQuerySet, author: Author, now: datetime, reason: str) -> int:
    """As `delete_document`, many at once; expects their scope, and other writers of their person held off."""
    rows = list(documents.select_for_update(of=("self",)).only("space_id", "id", "person_id", "version"))
    here = Document.objects.filter(space_id__in={row.space_id for row in rows}, id__in=[row.id for row in rows])
    here.update(deleted_at=now, deleted_by=author.label, delete_reason=reason)
    Operation.objects.bulk_create([log_entry(DELETE_OPERATION, **_entry(row, author, now)) for row in rows])
    return len(rows)


def restore_document(*, home: UUID, document: UUID, author: Author, now: datetime) -> Document:
    """Back from tier 2. Raises NotFound for one that is not there, ConflictError where its path is taken by now."""
    with allowed_spaces([home]):
        row = _lock(home, document, deleted=True)
        _check_free(row.person, row.path)
        _check_quota(row.person, 1, len(row.content))
        row.deleted_at, row.deleted_by, row.delete_reason = None, "", ""
        row.save(update_fields=["deleted_at", "deleted_by", "delete_reason"])
        _log(RESTORE_OPERATION, row, author, now)
        return row


@dataclass(frozen=True, slots=True)
class DocumentFilters:
    """What a list is narrowed to. path: this one; prefix: paths that begin so; deleted: those in tier 2."""

    path: str = ""
    prefix: str = ""
    deleted: bool = False


def list_documents(venue_context: VenueContext, filters: DocumentFilters) -> DocumentQuerySet:
    """The person's documents, to be evaluated within their spaces."""
    rows = Document.objects.visible_from(venue_context.venue).without_index()
    rows = rows.deleted() if filters.deleted else rows.undeleted()
    if filters.path:
        rows = rows.filter(path=filters.path)
    return rows.filter(path__startswith=filters.prefix) if filters.prefix else rows


def find_document(venue_context: VenueContext, document: UUID) -> Document:
    """One that is not deleted. Raises NotFound."""
    with allowed_spaces([venue_context.venue.home]):
        found = list_documents(venue_context, DocumentFilters()).filter(id=document).first()
    if found is None:
        raise NotFound
    return found


def find_any_document(document: UUID, grant: Grant) -> Document:
    """The document in tier 1 or 2 that the grant reaches, for super users. Raises NotFound."""
    with every_space():
        found = Document.objects.without_index().select_related("person").filter(id=document).first()
    if found is None or not grant.allows(found.person.name, None):
        raise NotFound
    return found


def set_words(document: Document, language: str) -> None:
    """Sets the words that it is found by."""
    document.tsv = text_tsvector(document.searchable_text, language)


def _lock(home: UUID, document: UUID, *, deleted: bool) -> Document:
    """The document, locked, other writers of its person held off before."""
    rows = Document.objects.filter(space_id=home, id=document)
    owner = rows.values_list("person_id", flat=True).first()
    if owner is not None:
        lock_writers(owner)
    found = rows.select_related("person").select_for_update(of=("self",)).without_index().first()
    if found is None or (found.deleted_at is not None) is not deleted:
        raise NotFound
    return found


def _check_free(person: Person, path: str) -> None:
    if Document.objects.of_person(person).undeleted().filter(path=path).exists():
        raise ConflictError(TAKEN.format(path))


def _check_quota(person: Person, more: int, characters: int) -> None:
    rows = Document.objects.of_person(person).undeleted()
    if more and rows.count() + more > MAX_DOCUMENTS:
        raise ConflictError(f"There would be more than {MAX_DOCUMENTS} documents of {person.name!r}: delete some.")
    stored = rows.aggregate(all=Sum(Length("content")))["all"] or 0
    if characters > 0 and stored + characters > MAX_CHARACTERS:
        raise ConflictError(f"The documents of {person.name!r} would exceed {MAX_CHARACTERS} characters: delete some.")


def _store_old_text(row: Document, author: Author, now: datetime) -> None:
    old = Document(
        space_id=row.space_id,
        id=new_id(),
        person_id=row.person_id,
        path=row.path,
        content=row.content,
        author=row.author,
        created_at=row.created_at,
        updated_at=row.updated_at,
        version=row.version,
        deleted_at=now,
        deleted_by=author.label,
        delete_reason=REASON_REPLACED,
    )
    set_words(old, row.person.language)
    old.save(force_insert=True)
    same = Document.objects.of_person(row.person).filter(path=row.path, delete_reason=REASON_REPLACED)
    outdated = list(same.order_by("-deleted_at", "-id").values_list("id", flat=True)[MAX_VERSIONS:])
    Document.objects.of_person(row.person).filter(id__in=outdated).delete()


def _entry(row: Document, author: Author, now: datetime) -> Any:
    detail = {"document": str(row.id), "version": row.version}
    return {"detail": detail, "author": author, "now": now, "space": row.space_id, "person": row.person_id}


def _log(operation: str, row: Document, author: Author, now: datetime) -> None:
    log_event(operation, **_entry(row, author, now))
