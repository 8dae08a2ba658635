"""/searches: find by narrowing, three at a time."""

from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status

from memory_app.api import fields
from memory_app.api.auth import grant_of, key_of, read_key
from memory_app.api.fields import InputModel
from memory_app.api.filters import FiltersIn
from memory_app.api.idempotency import idempotent
from memory_app.api.venue import PersonInVenue, reading_venue
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.request_log import note_query, note_shown
from memory_app.engine.retrieval.narrow import NarrowStep, continue_narrowing, start_narrowing
from memory_app.serializers import OutputModel
from memory_app.serializers.memory import MemoryOut, memory_out

router = Router(tags=["recall"])


class SearchesIn(FiltersIn, PersonInVenue):
    query: fields.SearchQuery


class NarrowIn(InputModel):
    text: fields.Query


class NarrowedOut(OutputModel):
    """batch: the memories shown now; a number in a reply means one of these."""

    id: UUID
    message: fields.Message
    batch: list[MemoryOut]
    selected: MemoryOut | None
    has_more: bool
    complete: bool
    awaiting_clarification: bool


@router.post("/searches", response={201: NarrowedOut}, auth=read_key)
@idempotent
def start_search(request: HttpRequest, payload: SearchesIn) -> Status[NarrowedOut]:
    """Begins a search; `message` shows the three best results."""
    note_query(payload.query)
    narrowed = start_narrowing(
        venue_context=reading_venue(request, payload),
        query=payload.query,
        filters=payload.sent_filters,
        key=key_of(request),
        now=timezone.now(),
        encoder=current_encoder(),
    )
    return Status(201, _narrowed_out(narrowed))


@router.post("/searches/{uuid:search_id}/reply", response=NarrowedOut, auth=read_key)
def reply_to_search(request: HttpRequest, search_id: UUID, payload: NarrowIn) -> NarrowedOut:
    """ "the second one", "the blue one", "more", "back", "none of those", "never mind", or another
    question, such as "search for the red one instead"."""
    note_query(payload.text)
    narrowed = continue_narrowing(
        search=search_id,
        text=payload.text,
        key=key_of(request),
        grant=grant_of(request),
        now=timezone.now(),
        encoder=current_encoder(),
    )
    return _narrowed_out(narrowed)


def _narrowed_out(narrowed: NarrowStep) -> NarrowedOut:
    now = timezone.now()
    note_shown((memory.space_id, memory.id) for memory in narrowed.batch)
    return NarrowedOut(
        id=narrowed.search.id,
        message=narrowed.message,
        batch=[memory_out(memory, now) for memory in narrowed.batch],
        selected=memory_out(narrowed.selected, now) if narrowed.selected else None,
        has_more=narrowed.has_more,
        complete=narrowed.search.complete,
        awaiting_clarification=narrowed.awaiting_clarification,
    )
