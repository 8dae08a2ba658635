"""/search and /context: find, and brief an assistant. /receipts and /briefs: read later what briefs held, and why."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router
from pydantic import Field
from pydantic_core import to_json

from memory_app.api import fields
from memory_app.api.auth import author_of, grant_of, read_key
from memory_app.api.fields import InputModel
from memory_app.api.filters import FiltersIn
from memory_app.api.pagination import Order, page
from memory_app.api.venue import PersonInVenue, ViewerQuery, reading_venue
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.audit.request_log import note_query, note_shown
from memory_app.engine.retrieval.brief import DEFAULT_LIMIT, DEFAULT_TOKEN_BUDGET, BriefRequest, brief
from memory_app.engine.retrieval.query import Kind, Method, RecallQuery, Result, SearchedRow, memory_results
from memory_app.engine.retrieval.recall import RecallResults, explain_result, recall
from memory_app.engine.retrieval.receipts import ReceiptFilters, get_receipt, receipts_of
from memory_app.engine.venue_context import VenueContext, merged_person
from memory_app.errors import NotAllowed
from memory_app.metrics import BRIEFS, RECALLS
from memory_app.models import Document, Memory, Note, Person, Turn
from memory_app.models.row_security import allowed_spaces
from memory_app.rules.fusion import Share
from memory_app.serializers import OutputModel
from memory_app.serializers.document import DocumentOut, document_out
from memory_app.serializers.memory import MemoryOut, NoteOut, memory_values, note_out
from memory_app.serializers.receipt import BriefOut, ReceiptOut, brief_out
from memory_app.serializers.turn import TurnOut, turn_out

router = Router(tags=["recall"])

JSON = "application/json; charset=utf-8"

MAX_SHOWN_DOCUMENT = 2_000
"""Characters of a document up to which a result has all of it."""


class SearchIn(FiltersIn, PersonInVenue):
    query: fields.SearchQuery
    limit: fields.Limit = 20
    kinds: list[Kind] = Field(["memory"], min_length=1)
    since: fields.Moment | None = None
    until: fields.Moment | None = None
    as_of: fields.Moment | None = None
    method: Method = "hybrid"
    explain: bool = False
    rerank: bool | None = None

    @property
    def recall_query(self) -> RecallQuery:
        return RecallQuery(
            text=self.query,
            limit=self.limit,
            kinds=tuple(dict.fromkeys(self.kinds)),
            filters=self.filters,
            since=self.since,
            until=self.until,
            as_of=self.as_of,
            method=self.method,
            rerank=self.rerank,
        )


class WhyOut(OutputModel):
    signal: str
    rank: int
    value: float
    share: float


class ResultOut(OutputModel):
    kind: Kind
    memory: MemoryOut | None = None
    turn: TurnOut | None = None
    note: NoteOut | None = None
    document: DocumentOut | None = Field(None, description="a long one without its text: `passage` is what was found")
    passage: str | None = Field(None, description="the part of a long text by which it was found")
    score: float
    relevant: bool = Field(description="whether it has to do with the query; `total_found` counts such results alone")
    why: list[WhyOut] | None = None
    because: str | None = None


class SearchOut(OutputModel):
    results: list[ResultOut]
    total_found: int
    search_method: str
    took_ms: float


class ContextIn(FiltersIn, PersonInVenue):
    query: fields.Query
    intent: fields.Name | None = None
    conversation: UUID | None = None
    limit: int = Field(DEFAULT_LIMIT, ge=1, le=50)
    token_budget: int = Field(DEFAULT_TOKEN_BUDGET, ge=0, le=8000)
    profile: bool = False

    @property
    def brief_request(self) -> BriefRequest:
        return BriefRequest(
            query=self.query,
            intent=self.intent or "",
            conversation=self.conversation,
            limit=self.limit,
            token_budget=self.token_budget,
            profile=self.profile,
            filters=self.filters,
        )


class BriefedOut(OutputModel):
    id: UUID
    summary: str
    why: list[WhyOut]


class ContextOut(OutputModel):
    text: str
    answer: str | None = Field(description="what to say to whoever asks what is remembered of something, else null")
    memories: list[BriefedOut]
    tokens: int
    receipt: UUID | None = Field(description="null where none is stored, as for a name that nobody has")


@router.post("/search", response=SearchOut, auth=read_key)
def search(request: HttpRequest, payload: SearchIn) -> HttpResponse:
    """What answers a question, best first. `explain` adds to each result what every signal contributed.

    `total_found` counts what has to do with the query: 0 says that nothing was found. The nearest of the rest are
    listed below it up to `limit`, with `relevant` false. A filter is part of what may be seen: statistics and counts
    are of what passes it, and a kind of row that lacks what a filter asks about is left out.

    `rerank`: false leaves out the reranker that is set; true asks the language model for one where none is.
    `search_method` ends in "+rerank" where it had the last word."""
    now = timezone.now()
    note_query(payload.query)
    venue_context = reading_venue(request, payload)
    recall_results = recall(
        venue_context=venue_context, recall_query=payload.recall_query, now=now, encoder=current_encoder()
    )
    RECALLS.inc()
    if not (payload.explain or payload.as_of):  # to look into, not to be told
        note_shown([(result.row.space_id, result.row.id) for result in memory_results(recall_results.results)])
    answer = {
        "results": [
            _result_values(result, recall_results, venue_context, now, payload.explain)
            for result in recall_results.results
        ],
        "total_found": recall_results.total_found,
        "search_method": recall_results.search_method,
        "took_ms": round(recall_results.took_ms, 2),
    }
    return HttpResponse(to_json(answer), content_type=JSON)


@router.post("/context", response=ContextOut, auth=read_key)
def context(request: HttpRequest, payload: ContextIn) -> ContextOut:
    """A brief for an assistant's prompt; empty when nothing is relevant.

    Asked "what do you remember about …?" it holds all that speaks of it, and `answer` is what to say."""
    now = timezone.now()
    note_query(payload.query)
    venue_context = reading_venue(request, payload)
    brief_result = brief(
        venue_context=venue_context,
        brief_request=payload.brief_request,
        author=author_of(request),
        now=now,
        encoder=current_encoder(),
    )
    BRIEFS.labels(empty=str(not brief_result.text).lower()).inc()
    memories = [
        BriefedOut(id=result.row.id, summary=result.row.summary, why=[_why_out(share) for share in result.why])
        for result in brief_result.results
    ]
    return ContextOut(
        text=brief_result.text,
        answer=brief_result.answer or None,
        memories=memories,
        tokens=brief_result.tokens,
        receipt=brief_result.receipt.id if brief_result.stored else None,
    )


@router.get("/receipts/{uuid:receipt_id}", response=ReceiptOut, auth=read_key)
def read_receipt(request: HttpRequest, receipt_id: UUID, viewer_query: Query[ViewerQuery]) -> ReceiptOut:
    """What a brief held, at what rank and why. With `person`, only one that was made for them."""
    receipt = get_receipt(receipt=receipt_id, person=viewer_query.person, grant=grant_of(request))
    return ReceiptOut(
        id=receipt.id,
        person=receipt.person.name,
        at=receipt.at,
        query=receipt.query,
        intent=receipt.intent or None,
        venue=receipt.venue,
        tokens=receipt.tokens,
        token_budget=receipt.token_budget,
        reason=receipt.reason or None,
        items=receipt.items,
    )


def _result_values(
    result: Result, recall_results: RecallResults, venue_context: VenueContext, now: datetime, explain: bool
) -> dict[str, Any]:
    """The fields of a `ResultOut`. Each search writes many: made into models first, they would take twice as long."""
    row = result.row
    return {
        "kind": _kind_of(row),
        "memory": memory_values(row, now) if isinstance(row, Memory) else None,
        "turn": turn_out(row) if isinstance(row, Turn) else None,
        "note": note_out(row, venue_context.person.name) if isinstance(row, Note) else None,
        "document": _document_out(result, venue_context),
        "passage": result.passage or None,
        "score": round(result.score, 4),
        "relevant": result.relevant,
        "why": [share._asdict() for share in result.why] if explain else None,
        "because": explain_result(result, recall_results, venue_context.person.zone, now) if explain else None,
    }


def _document_out(result: Result, venue_context: VenueContext) -> DocumentOut | None:
    """A short one with its text, a long one without."""
    row = result.row
    if not isinstance(row, Document):
        return None
    return document_out(row, venue_context.person.name, whole=len(row.content) <= MAX_SHOWN_DOCUMENT)


KINDS: dict[type[SearchedRow], Kind] = {Memory: "memory", Turn: "turn", Note: "note", Document: "document"}


def _kind_of(row: SearchedRow) -> Kind:
    return KINDS[type(row)]


def _why_out(share: Share) -> WhyOut:
    return WhyOut(signal=share.signal, rank=share.rank, value=share.value, share=share.share)


class BriefsQuery(InputModel):
    person: fields.Name
    conversation: UUID | None = None
    memory: UUID | None = None
    since: fields.Moment | None = None
    limit: fields.Limit = 20
    cursor: str | None = None

    @property
    def filters(self) -> ReceiptFilters:
        return ReceiptFilters(self.conversation, self.memory, self.since)


class BriefPage(OutputModel):
    items: list[BriefOut]
    next_cursor: str | None


@router.get("/briefs", response=BriefPage, auth=read_key)
def read_briefs(request: HttpRequest, query: Query[BriefsQuery]) -> BriefPage:
    """What a person's assistants were told, the latest first. `reason` says why one was empty."""
    grant = grant_of(request)
    if not grant.speaks_for(query.person):
        raise NotAllowed(f"This key may not speak for {query.person!r}.")
    found = Person.objects.filter(name=query.person).first()
    if found is None:
        return BriefPage(items=[], next_cursor=None)
    person = merged_person(found, lambda user: grant.speaks_for(user.name))
    with allowed_spaces([person.space_id]):
        rows, following = page(receipts_of(person, query.filters, grant), Order("at"), query.limit, query.cursor)
    return BriefPage(items=[brief_out(row, person) for row in rows], next_cursor=following)
