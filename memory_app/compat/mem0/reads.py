"""List and search: what each generation of the hosted API, and the self-hosted server, answer in their own shapes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.utils import timezone

from memory_app.compat.mem0.output import Json, memories_json, result_json
from memory_app.compat.mem0.schemas import PageQuery, SearchIn
from memory_app.compat.mem0.views import Narrowing, views_of
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.request_log import note_query, note_shown
from memory_app.engine.memories.pages import MemoryView, page_of_memories
from memory_app.engine.retrieval.query import MemoryResult, RecallQuery, memory_results
from memory_app.engine.retrieval.recall import recall
from memory_app.metrics import RECALLS
from memory_app.models import Status
from memory_app.rules.rank_units import MAX_CANDIDATES

DEFAULT_PAGE_SIZE = 100
DEFAULT_TOP_K, DEFAULT_THRESHOLD = 10, 0.1
"""mem0's own."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a list: how many there are in all, and the addresses of the pages beside it."""

    items: Sequence[Json]
    count: int
    next: str | None
    previous: str | None

    @property
    def as_json(self) -> Json:
        return {"count": self.count, "next": self.next, "previous": self.previous, "results": self.items}


def list_page(request: HttpRequest, narrowing: Narrowing, query: PageQuery, *, expired: bool = False) -> Page:
    now = timezone.now()
    number, size = query.page or 1, query.page_size or DEFAULT_PAGE_SIZE
    rows, count = page_of_memories(
        views_of(request, narrowing), offset=(number - 1) * size, limit=size, now=now, expired=expired
    )
    return page_json(request, memories_json(request, rows, now), count, number, size)


def page_json(request: HttpRequest, items: Sequence[Json], count: int, number: int, size: int) -> Page:
    def address(page: int) -> str:
        query = request.GET.copy()
        query["page"], query["page_size"] = str(page), str(size)
        return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")

    return Page(
        items,
        count,
        address(number + 1) if number * size < count else None,
        address(number - 1) if number > 1 else None,
    )


def search_memories(request: HttpRequest, payload: SearchIn) -> list[Json]:
    """What answers a question, best first, down to a score; each says whether it has to do with the question at all."""
    now, limit = timezone.now(), payload.top_k or payload.limit or DEFAULT_TOP_K
    threshold = DEFAULT_THRESHOLD if payload.threshold is None else payload.threshold
    note_query(payload.query)
    found = [
        result
        for view in views_of(request, Narrowing.of(payload))
        for result in _found(view, payload, now, limit)
        # What was replaced is told with the history of what replaced it.
        if result.row.status == Status.ACTIVE and result.score >= threshold
    ]
    RECALLS.inc()
    found = sorted(found, key=lambda result: (not result.relevant, -result.score))[:limit]
    note_shown((result.row.space_id, result.row.id) for result in found)
    return [result_json(request, result, now, payload.fields) for result in found]


def _found(view: MemoryView, payload: SearchIn, now: datetime, limit: int) -> Sequence[MemoryResult]:
    query = RecallQuery(
        text=payload.query,
        limit=min(limit, MAX_CANDIDATES),
        filters=view.filters,
        rerank=payload.rerank or None,
    )
    found = recall(venue_context=view.venue_context, recall_query=query, now=now, encoder=current_encoder())
    return memory_results(found.results)
