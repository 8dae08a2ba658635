"""Erasing over the API, and its receipts: what went, whether anything is left, and what remains to happen."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Schema

from memory_app.api import fields
from memory_app.api.auth import admin_key, author_of, grant_of, require_unlimited_key
from memory_app.api.pagination import Order, page
from memory_app.engine.erasure.erase_memory import erase
from memory_app.engine.erasure.receipt import is_genuine, remaining_steps
from memory_app.engine.memories.edit import MemoryRef
from memory_app.engine.memories.find import find_any_memory
from memory_app.errors import NotFound
from memory_app.jobs import purge_soon
from memory_app.models import Erased, Erasure

router = Router(tags=["admin"])


class CheckOut(Schema):
    """What a search of every text column for the erased words still found; `said`: in what people said or noted; of a
    person, names of logins, keys, spaces and channels that hold theirs."""

    searched_columns: int
    left: dict[str, int]
    said: dict[str, int]
    nothing_left: bool | None


class ProgressOut(Schema):
    """Rows gone, of those that were to go; both 0 where it was one step."""

    done: int
    total: int


class ErasureOut(Schema):
    """The receipt of an erasure: rows by table, never a word of what is gone. The signature is of all but how far it
    is, for that changes while it goes on."""

    id: UUID
    erased: Literal["memory", "person"]
    subject: UUID
    of_space: UUID
    derived: list[UUID]
    state: Literal["erasing", "erased"]
    progress: ProgressOut
    finished_at: datetime | None
    at: datetime
    by: str
    removed: dict[str, int]
    blanked: dict[str, int]
    check: CheckOut
    purged: dict[str, Any]
    purged_at: datetime | None
    remains: list[str]
    signature: str
    genuine: bool


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


def erasure_out(erasure: Erasure) -> ErasureOut:
    return ErasureOut(
        id=erasure.id,
        erased="person" if erasure.kind == Erased.PERSON else "memory",
        subject=erasure.subject,
        of_space=erasure.of_space,
        derived=erasure.derived,
        state="erased" if erasure.finished_at else "erasing",
        progress=ProgressOut(done=erasure.done, total=erasure.total),
        finished_at=erasure.finished_at,
        at=erasure.at,
        by=erasure.by,
        removed=erasure.removed,
        blanked=erasure.blanked,
        check=CheckOut(
            searched_columns=erasure.searched,
            left=erasure.found,
            said=erasure.quoted,
            nothing_left=not erasure.found if erasure.searched else None,
        ),
        purged=erasure.purged,
        purged_at=erasure.purged_at,
        remains=remaining_steps(erasure),
        signature=erasure.signature,
        genuine=is_genuine(erasure),
    )
