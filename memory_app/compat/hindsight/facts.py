"""Retain, recall, reflect, and the facts one by one. A bank is a person."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from memory_app.api import fields
from memory_app.api.auth import author_of, grant_of
from memory_app.api.venue import PersonInVenue, existing_person, reading_venue, writing_venue
from memory_app.compat.client_api import read_key, write_key
from memory_app.compat.hindsight.output import NOTED_IN, Json, fact_json, found_json, memory_types, unit_json
from memory_app.compat.hindsight.schemas import (
    BANK,
    Item,
    ListQuery,
    RecallIn,
    ReflectIn,
    RetainIn,
    UpdateIn,
    tag_condition,
)
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.request_log import note_query, note_shown
from memory_app.engine.deletion.clear import clear_all
from memory_app.engine.memories.delete_and_restore import delete_memory
from memory_app.engine.memories.edit import MemoryRef, edit
from memory_app.engine.memories.find import find_memory, find_own_memory
from memory_app.engine.memories.memory_input import MemoryInput, MemorySource
from memory_app.engine.memories.pages import MemoryView, page_of_memories
from memory_app.engine.memories.remember import remember_many
from memory_app.engine.retrieval.brief import BriefRequest, brief
from memory_app.engine.retrieval.query import MemoryResult, RecallQuery, memory_results
from memory_app.engine.retrieval.recall import recall
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import KeepsakeError, NotAllowed
from memory_app.metrics import BRIEFS, RECALLS
from memory_app.models import Status
from memory_app.models.person import with_pause_notice
from memory_app.rules.filters import Combined, Compare, Filters
from memory_app.rules.rank_units import MAX_CANDIDATES

router = Router(tags=["facts"])

MOST_BRIEFED, MOST_TOKENS = 50, 8_000
"""Of a reflection: memories and tokens, as POST /context has it at most."""

NOTHING_KNOWN = "Nothing is remembered that has to do with this."
NO_SCHEMA = "No model fills in a schema here; the text is what is remembered."
DELETED_ARE_HIDDEN = "What was forgotten is listed for keys with the scope admin, in the API."


@router.post(f"{BANK}/memories/recall", auth=read_key)
def recall_facts(request: HttpRequest, person: fields.Name, payload: RecallIn) -> Json:
    """What has to do with a query, best first, as much as fits into the tokens."""
    now = timezone.now()
    note_query(payload.query)
    query = RecallQuery(text=payload.query, limit=MAX_CANDIDATES, filters=payload.filters)
    recalled = recall(
        venue_context=_reading(request, person),
        recall_query=query,
        now=payload.query_timestamp or now,
        encoder=current_encoder(),
    )
    RECALLS.inc()
    least = (payload.min_scores or {}).get("final") or 0.0
    wanted = [one for one in memory_results(recalled.results) if _is_relevant_and_current(one) and one.score >= least]
    found = _fitting(wanted, payload.max_tokens)
    note_shown((one.row.space_id, one.row.id) for one in found)
    return {"results": [found_json(request, one, now) for one in found]}


@router.get(f"{BANK}/memories/list", auth=read_key)
def list_facts(request: HttpRequest, person: fields.Name, query: Query[ListQuery]) -> Json:
    """The newest first."""
    if query.state == "invalidated":
        raise NotAllowed(DELETED_ARE_HIDDEN)
    now = timezone.now()
    view = MemoryView(_reading(request, person), _filters(query))
    rows, total = page_of_memories([view], offset=query.offset, limit=query.limit, now=now)
    items = [unit_json(request, row, now) for row in rows]
    return {"items": items, "total": total, "limit": query.limit, "offset": query.offset}


@router.get(f"{BANK}/memories/{{uuid:memory_id}}", auth=read_key)
def read_fact(request: HttpRequest, person: fields.Name, memory_id: UUID) -> Json:
    found = find_memory(memory=memory_id, venue_context=_reading(request, person), grant=grant_of(request))
    return unit_json(request, found, timezone.now())


@router.patch(f"{BANK}/memories/{{uuid:memory_id}}", auth=write_key)
def update_fact(request: HttpRequest, person: fields.Name, memory_id: UUID, payload: UpdateIn) -> Json:
    """Changes what is named. What is invalidated is deleted softly, and answered as it was."""
    now, removes = timezone.now(), payload.state == "invalidated"
    found = find_own_memory(
        memory=memory_id, venue_context=_reading(request, person), grant=grant_of(request), removes=removes
    )
    at = MemoryRef(found.space_id, found.id)
    if removes:
        delete_memory(at=at, author=author_of(request), now=now)
        return {**unit_json(request, found, now), "state": "invalidated", "invalidated_at": now}
    if changes := _changes(payload):
        found = edit(at=at, changes=changes, author=author_of(request), now=now, encoder=current_encoder())
    return unit_json(request, found, now)


@router.post(f"{BANK}/memories", auth=write_key)
def retain(request: HttpRequest, person: fields.Name, payload: RetainIn) -> Json:
    """Keeps each item as it stands, at once: all of them, or none. While memory is paused a message says so."""
    now = timezone.now()
    with transaction.atomic():  # whoever first came into being in a request that fails is not kept either
        venue_context = writing_venue(request, PersonInVenue(person=person))
        saved = remember_many(
            venue_context=venue_context,
            inputs=[_memory_input(item, payload.document_tags or []) for item in payload.items],
            author=author_of(request),
            now=now,
            encoder=current_encoder(),
        )
        for one in saved:
            if isinstance(one, KeepsakeError):
                raise one
    answer: Json = {"success": True, "bank_id": person, "items_count": len(saved), "async": False}
    notice = with_pause_notice(venue_context.person, "")
    return {**answer, "message": notice} if notice else answer


@router.post(f"{BANK}/reflect", auth=read_key)
def reflect(request: HttpRequest, person: fields.Name, payload: ReflectIn) -> Json:
    """What is remembered that answers a question, as a brief: line by line, with when it was told. No model thinks
    about it further."""
    now = timezone.now()
    note_query(payload.query)
    briefed = brief(
        venue_context=_reading(request, person),
        brief_request=BriefRequest(
            query=payload.query,
            limit=MOST_BRIEFED,
            token_budget=min(payload.max_tokens, MOST_TOKENS),
            filters=payload.filters,
        ),
        author=author_of(request),
        now=now,
        encoder=current_encoder(),
    )
    BRIEFS.labels(empty=str(not briefed.text).lower()).inc()
    facts = [fact_json(request, one.row, now) for one in briefed.results]
    answer: Json = {
        "text": briefed.answer or briefed.text or NOTHING_KNOWN,
        "based_on": {"memories": facts, "mental_models": [], "directives": []},
    }
    return {**answer, "structured_output_error": NO_SCHEMA} if payload.response_schema else answer


@router.delete(f"{BANK}/memories", auth=write_key)
def clear_bank(request: HttpRequest, person: fields.Name) -> Json:
    """Soft delete of all that is theirs; nothing is erased. Raises NotFound."""
    now = timezone.now()
    venue_context = existing_person(request, person)
    cleared = clear_all(venue_context=venue_context, moment=now, author=author_of(request), now=now).memories
    return {"success": True, "message": "They can be restored for 30 days.", "deleted_count": cleared.deleted}


def _reading(request: HttpRequest, person: str) -> VenueContext:
    return reading_venue(request, PersonInVenue(person=person))


def _memory_input(item: Item, document_tags: list[str]) -> MemoryInput:
    attributes: dict[str, Any] = {"metadata": item.metadata} if item.metadata else {}
    if item.document_id:
        attributes[NOTED_IN] = {"document_id": item.document_id}
    return MemoryInput(
        content=item.content,
        context=item.context or "",
        tags=list(dict.fromkeys([*(item.tags or []), *document_tags])),
        source=MemorySource(),
        said_at=item.timestamp,
        attributes=attributes,
    )


def _filters(query: ListQuery) -> Filters:
    asked = [
        tag_condition(query.tags, query.tags_match),
        Compare(("attributes", NOTED_IN, "document_id"), "eq", (query.document_id,)) if query.document_id else None,
        Compare(("content",), "icontains", (query.q,)) if query.q else None,
    ]
    parts = tuple(one for one in asked if one is not None)
    types = memory_types([query.type]) if query.type else ()
    return Filters(types=types, row=Combined("all", parts) if parts else None)


def _changes(payload: UpdateIn) -> dict[str, Any]:
    named = {
        "content": payload.text,
        "context": payload.context,
        "event_time": payload.occurred_start,
        "event_end": payload.occurred_end,
    }
    return {name: value for name, value in named.items() if value is not None}


def _is_relevant_and_current(result: MemoryResult) -> bool:
    return result.relevant and result.row.status == Status.ACTIVE


def _fitting(results: Iterable[MemoryResult], tokens: int) -> list[MemoryResult]:
    """The first ones that fit; the best always does."""
    encoder, chosen = current_encoder(), list[MemoryResult]()
    for result in results:
        tokens -= encoder.count_tokens(result.row.content)
        if chosen and tokens < 0:
            break
        chosen.append(result)
    return chosen
