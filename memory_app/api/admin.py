"""/admin: search all tiers and the log, restore a memory, erase one for good, and read the receipts of erasures."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Schema
from pydantic import Field

from memory_app.api import fields
from memory_app.api.auth import admin_key, author_of, grant_of, require_unlimited_key
from memory_app.api.fields import InputModel, PageQuery
from memory_app.api.pagination import Order, decode_cursor, encode_cursor, page
from memory_app.api.redaction import memory_out_for
from memory_app.engine.audit.log import LogFilters, search_log
from memory_app.engine.erasure.erase_memory import erase
from memory_app.engine.memories.delete_and_restore import restore
from memory_app.engine.memories.edit import MemoryRef
from memory_app.engine.memories.find import find_any_memory
from memory_app.engine.retrieval.admin_search import TIERS, Tier, TierRow, admin_search
from memory_app.errors import ConflictError, NotFound
from memory_app.jobs import purge_soon
from memory_app.models import Erasure, Note, Operation, Person
from memory_app.models.row_security import every_space
from memory_app.nlp.privacy.sensitive import mask_sensitive
from memory_app.serializers import Page
from memory_app.serializers.erasure import ErasureOut, erasure_out
from memory_app.serializers.memory import MemoryOut, NoteOut, memory_out, note_out
from memory_app.serializers.operation import OperationOut, operation_out

router = Router(tags=["admin"])


class AnywhereIn(InputModel):
    query: fields.Query = Field(min_length=1)
    tiers: list[Literal["active", "deleted", "logs"]] = Field(default=list(TIERS), min_length=1)
    limit: fields.Limit = 20
    cursor: str | None = None
    reveal: bool = Field(False, description="whether sensitive memories are shown in clear")


class AnywhereItem(Schema):
    tier: Literal["active", "deleted", "logs"]
    memory: MemoryOut | None = None
    note: NoteOut | None = None
    operation: OperationOut | None = None


class AnywhereOut(Schema):
    """items: newest first. totals: how much there is of each tier."""

    items: list[AnywhereItem]
    totals: dict[str, int]
    next_cursor: str | None


class LogQuery(PageQuery):
    operation: fields.Word | None = None
    decision: fields.Word | None = None
    person: fields.Name | None = None
    author: fields.Query | None = None
    memory: UUID | None = None
    request: fields.Query | None = None
    since: fields.Moment | None = None
    until: fields.Moment | None = None
    q: fields.Query | None = None

    @property
    def log_filter(self) -> LogFilters:
        return LogFilters(
            operation=self.operation or "",
            decision=self.decision or "",
            person=self.person or "",
            author=self.author or "",
            memory=self.memory,
            request=self.request or "",
            since=self.since,
            until=self.until,
            text=self.q or "",
        )


class LogPage(Page[OperationOut]):
    """Entries of the log."""


@router.post("/admin/search", response=AnywhereOut, auth=admin_key)
def search_anywhere(request: HttpRequest, payload: AnywhereIn) -> AnywhereOut:
    """Looks for words in memories and notes, kept or forgotten, and in the log at once. Is itself put in the log."""
    require_unlimited_key(request)
    now = timezone.now()
    found = admin_search(
        query=payload.query,
        tiers=payload.tiers,
        limit=payload.limit,
        before=decode_cursor(payload.cursor, UUID) if payload.cursor else None,
        author=author_of(request),
        now=now,
    )
    names = _person_names(found.found)
    items = [_item_out(request, row, names, now, payload.reveal) for row in found.found]
    cursor = encode_cursor(str(found.found[-1].id)) if found.more else None
    return AnywhereOut(items=items, totals=dict(found.totals.items()), next_cursor=cursor)


@router.post("/admin/memories/{uuid:memory_id}/restore", response=MemoryOut, auth=admin_key)
def restore_memory(request: HttpRequest, memory_id: UUID) -> MemoryOut:
    """Brings a forgotten memory back as it was; its key only where no other holds it by now."""
    now = timezone.now()
    found = find_any_memory(memory=memory_id, grant=grant_of(request))
    if found.deleted_at is None:
        raise ConflictError("This memory is not deleted: there is nothing to restore.")
    return memory_out_for(
        request, restore(at=MemoryRef(found.space_id, found.id), author=author_of(request), now=now), now
    )


@router.get("/admin/logs", response=LogPage, auth=admin_key)
def read_log(request: HttpRequest, query: Query[LogQuery]) -> LogPage:
    """What was done, by whom and when, newest first."""
    require_unlimited_key(request)
    with every_space():
        rows, following = page(search_log(query.log_filter, timezone.now()), Order("at"), query.limit, query.cursor)
    names = _person_names(rows)
    return LogPage(items=[operation_out(row, names) for row in rows], next_cursor=following)


def _item_out(request: HttpRequest, row: TierRow, names: dict[UUID, str], now: datetime, reveal: bool) -> AnywhereItem:
    if isinstance(row, Operation):
        return AnywhereItem(tier="logs", operation=operation_out(row, names))
    tier: Tier = "deleted" if row.deleted_at else "active"
    if isinstance(row, Note):
        return AnywhereItem(
            tier=tier, note=note_out(row, row.person.name, None if reveal else mask_sensitive(row.text))
        )
    return AnywhereItem(tier=tier, memory=memory_out(row, now) if reveal else memory_out_for(request, row, now))


def _person_names(rows: Sequence[TierRow]) -> dict[UUID, str]:
    people = {row.person_id for row in rows if row.person_id}
    return dict(Person.objects.filter(id__in=people).values_list("id", "name"))


ErasurePage = Page[ErasureOut]


@router.post("/admin/memories/{uuid:memory_id}/erase", response=ErasureOut, auth=admin_key)
def erase_memory(request: HttpRequest, memory_id: UUID) -> ErasureOut:
    """Erases a memory for good, deleted before or not, with all that holds its words. Answers the receipt."""
    found = find_any_memory(memory=memory_id, grant=grant_of(request), removes=True)
    author = author_of(request)
    erasure = erase(at=MemoryRef(found.space_id, found.id), author=author, now=timezone.now())
    purge_soon(author.label)
    return erasure_out(erasure)


@router.get("/admin/erasures", response=ErasurePage, auth=admin_key)
def list_erasures(request: HttpRequest, query: Query[PageQuery]) -> ErasurePage:
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
