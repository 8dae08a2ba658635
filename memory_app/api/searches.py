"""/searches: find by narrowing, three at a time."""

from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status

from memory_app.api import fields
from memory_app.api.auth import grant_of, key_of, reads
from memory_app.api.entering import visited_by
from memory_app.api.filtering import Filtered
from memory_app.api.idempotency import idempotent
from memory_app.api.schemas import MemoryOut, Shown, Spoken, Strict, shown
from memory_app.embedding.encoder import current
from memory_app.engine.logbook.spoken_of import note_asked, note_shown
from memory_app.engine.recalling.narrow import Narrowed, narrow, narrow_on

router = Router(tags=["recall"])


class SearchesIn(Filtered, Spoken):
    query: fields.Sought


class NarrowIn(Strict):
    text: fields.Query


class NarrowedOut(Shown):
    """batch: the memories shown now; a number in a reply means one of these."""

    id: UUID
    message: fields.Message
    batch: list[MemoryOut]
    selected: MemoryOut | None
    has_more: bool
    complete: bool
    awaiting_clarification: bool


@router.post("/searches", response={201: NarrowedOut}, auth=reads)
@idempotent
def start_search(request: HttpRequest, payload: SearchesIn) -> Status[NarrowedOut]:
    """Begins a search; `message` shows the three best results."""
    note_asked(payload.query)
    narrowed = narrow(
        entered=visited_by(request, payload),
        query=payload.query,
        filters=payload.given_filters,
        key=key_of(request),
        now=timezone.now(),
        encoder=current(),
    )
    return Status(201, _shown(narrowed))


@router.post("/searches/{uuid:search_id}/reply", response=NarrowedOut, auth=reads)
def reply_to_search(request: HttpRequest, search_id: UUID, payload: NarrowIn) -> NarrowedOut:
    """ "the second one", "the blue one", "more", "back", "none of those", "never mind", or another
    question, such as "search for the red one instead"."""
    note_asked(payload.text)
    narrowed = narrow_on(
        search=search_id,
        text=payload.text,
        key=key_of(request),
        grant=grant_of(request),
        now=timezone.now(),
        encoder=current(),
    )
    return _shown(narrowed)


def _shown(narrowed: Narrowed) -> NarrowedOut:
    now = timezone.now()
    note_shown((memory.space_id, memory.id) for memory in narrowed.batch)
    return NarrowedOut(
        id=narrowed.search.id,
        message=narrowed.message,
        batch=[shown(memory, now) for memory in narrowed.batch],
        selected=shown(narrowed.selected, now) if narrowed.selected else None,
        has_more=narrowed.has_more,
        complete=narrowed.search.complete,
        awaiting_clarification=narrowed.awaiting_clarification,
    )
