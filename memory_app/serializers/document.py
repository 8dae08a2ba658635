"""A document as it is shown."""

from datetime import datetime
from uuid import UUID

from memory_app.models import Document
from memory_app.serializers import OutputModel


class DocumentOut(OutputModel):
    """content: null where only its name was asked for. size: characters. tier: active or deleted."""

    id: UUID
    person: str
    path: str
    content: str | None
    size: int
    author: str
    created_at: datetime
    updated_at: datetime
    version: int
    tier: str
    deleted_at: datetime | None
    delete_reason: str | None


def document_out(document: Document, person: str, *, whole: bool = True) -> DocumentOut:
    """person: their name. whole: whether with its text."""
    return DocumentOut(
        id=document.id,
        person=person,
        path=document.path,
        content=document.content if whole else None,
        size=len(document.content),
        author=document.author,
        created_at=document.created_at,
        updated_at=document.updated_at,
        version=document.version,
        tier="deleted" if document.deleted_at else "active",
        deleted_at=document.deleted_at,
        delete_reason=document.delete_reason or None,
    )
