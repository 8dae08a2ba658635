"""Erasing over the API, and its receipts: what went, whether anything is left, and what remains to happen."""

from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Schema

from memory_app.api import fields
from memory_app.api.auth import admin_key, author_of, grant_of, require_unlimited_key
from memory_app.api.pagination import Order, page
from memory_app.engine.erasure.erase_memory import erase
from memory_app.engine.memories.edit import MemoryRef
from memory_app.engine.memories.find import find_any_memory
from memory_app.errors import NotFound
from memory_app.jobs import purge_soon
from memory_app.models import Erasure
from memory_app.serializers.erasure import ErasureOut, erasure_out

router = Router(tags=["admin"])


class ErasureQuery(Schema):
    limit: fields.Limit = 20
    cursor: str | None = None


class ErasurePage(Schema):
    items: list[ErasureOut]
    next_cursor: str | None


@router.post("/admin/memories/{uuid:memory_id}/erase", response=ErasureOut, auth=admin_key)
def erase_memory(request: HttpRequest, memory_id: UUID) -> ErasureOut:
    """Erases a memory for good, deleted before or not, with all that holds its words. Answers the receipt."""
    found = find_any_memory(memory=memory_id, grant=grant_of(request), removes=True)
    author = author_of(request)
    erasure = erase(at=MemoryRef(found.space_id, found.id), author=author, now=timezone.now())
    purge_soon(author.label)
    return erasure_out(erasure)


@router.get("/admin/erasures", response=ErasurePage, auth=admin_key)
def list_erasures(request: HttpRequest, query: Query[ErasureQuery]) -> ErasurePage:
    """What was erased for good, the latest first."""
    require_unlimited_key(request)
    rows, following = page(Erasure.objects.all(), Order("at"), query.limit, query.cursor)
    return ErasurePage(items=[erasure_out(erasure) for erasure in rows], next_cursor=following)


@router.get("/admin/erasures/{uuid:erasure_id}", response=ErasureOut, auth=admin_key)
def read_erasure(request: HttpRequest, erasure_id: UUID) -> ErasureOut:
    """The receipt as it is by now: what was purged since is in it."""
    require_unlimited_key(request)
    erasure = Erasure.objects.filter(id=erasure_id).first()
    if erasure is None:
        raise NotFound
    return erasure_out(erasure)
