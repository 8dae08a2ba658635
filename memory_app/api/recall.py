"""/search, /context and /receipts: find, brief, and tell later what was injected."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from pydantic import Field

from memory_app.api import fields
from memory_app.api.asking import Asker
from memory_app.api.auth import author_of, grant_of, reads
from memory_app.api.entering import visited_by
from memory_app.api.filtering import Filtered
from memory_app.api.schemas import MemoryOut, NoteOut, Shown, Spoken, shown, shown_note
from memory_app.api.turns import TurnOut, shown_turn
from memory_app.embedding.encoder import current
from memory_app.engine.enter import Entered
from memory_app.engine.logbook.spoken_of import note_asked, note_shown
from memory_app.engine.recalling.asked import Asked, Method, Result
from memory_app.engine.recalling.brief import LIMIT, TOKEN_BUDGET, Occasion, brief
from memory_app.engine.recalling.recall import Recalled, because, recall
from memory_app.engine.recalling.receipt import receipt_for
from memory_app.metrics import BRIEFS, RECALLS
from memory_app.models import Memory, Note, Turn
from memory_app.rules.shares import Share

router = Router(tags=["recall"])


SearchedKind = Literal["memory", "turn", "note", "document"]


class SearchIn(Filtered, Spoken):
    query: fields.Sought
    limit: fields.Limit = 20
    kinds: list[SearchedKind] = Field(
        ["memory"], min_length=1, description="nothing is stored as a document: of these none are found"
    )
    since: fields.Moment | None = None
    until: fields.Moment | None = None
    as_of: fields.Moment | None = None
    method: Method = "hybrid"
    explain: bool = False
    rerank: bool | None = None

    @property
    def asked(self) -> Asked:
        return Asked(
            query=self.query,
            limit=self.limit,
            kinds=tuple(dict.fromkeys(kind for kind in self.kinds if kind != "document")),
            filters=self.filters,
            since=self.since,
            until=self.until,
            as_of=self.as_of,
            method=self.method,
            rerank=self.rerank,
        )


class WhyOut(Shown):
    signal: str
    rank: int
    value: float
    share: float


class ResultOut(Shown):
    kind: Literal["memory", "turn", "note"]
    memory: MemoryOut | None = None
    turn: TurnOut | None = None
    note: NoteOut | None = None
    passage: str | None = Field(None, description="the part of a long text by which it was found")
    score: float
    relevant: bool = Field(description="whether it has to do with the query; `total_found` counts such results alone")
    why: list[WhyOut] | None = None
    because: str | None = None


class SearchOut(Shown):
    results: list[ResultOut]
    total_found: int
    search_method: str
    took_ms: float


class ContextIn(Filtered, Spoken):
    query: fields.Query
    intent: fields.Name | None = None
    conversation: UUID | None = None
    limit: int = Field(LIMIT, ge=1, le=50)
    token_budget: int = Field(TOKEN_BUDGET, ge=0, le=8000)
    profile: bool = False

    @property
    def occasion(self) -> Occasion:
        return Occasion(
            query=self.query,
            intent=self.intent or "",
            conversation=self.conversation,
            limit=self.limit,
            token_budget=self.token_budget,
            profile=self.profile,
            filters=self.filters,
        )


class BriefedOut(Shown):
    id: UUID
    summary: str
    why: list[WhyOut]


class ContextOut(Shown):
    text: str
    answer: str | None = Field(description="what to say to whoever asks what is remembered of something, else null")
    memories: list[BriefedOut]
    tokens: int
    receipt: UUID | None = Field(description="null where none is stored, as for a name that nobody has")


class ReceiptOut(Shown):
    id: UUID
    person: str
    at: datetime
    query: str
    intent: str | None
    venue: dict[str, Any]
    tokens: int
    token_budget: int
    reason: str | None
    items: list[dict[str, Any]]


@router.post("/search", response=SearchOut, auth=reads)
def search(request: HttpRequest, payload: SearchIn) -> SearchOut:
    """What answers a question, best first. `explain` adds to each result what every signal contributed.

    `total_found` counts what has to do with the query: 0 says that nothing was found. The nearest of the rest are
    listed below it up to `limit`, with `relevant` false. A filter is part of what may be seen: statistics and counts
    are of what passes it, and a kind of row that lacks what a filter asks about is left out.

    `rerank`: false leaves out the reranker that is set; true asks the language model for one where none is.
    `search_method` ends in "+rerank" where it had the last word."""
    now = timezone.now()
    note_asked(payload.query)
    entered = visited_by(request, payload)
    recalled = recall(entered=entered, asked=payload.asked, now=now, encoder=current())
    RECALLS.inc()
    if not (payload.explain or payload.as_of):  # to look into, not to be told
        note_shown((result.row.space_id, result.row.id) for result in recalled.results if result.kind == "memory")
    return SearchOut(
        results=[_shown(result, recalled, entered, now, payload.explain) for result in recalled.results],
        total_found=recalled.total_found,
        search_method=recalled.search_method,
        took_ms=round(recalled.took_ms, 2),
    )


@router.post("/context", response=ContextOut, auth=reads)
def context(request: HttpRequest, payload: ContextIn) -> ContextOut:
    """A brief for an assistant's prompt; empty when nothing is relevant.

    Asked "what do you remember about …?" it holds all that speaks of it, and `answer` is what to say."""
    now = timezone.now()
    note_asked(payload.query)
    entered = visited_by(request, payload)
    briefed = brief(entered=entered, occasion=payload.occasion, author=author_of(request), now=now, encoder=current())
    BRIEFS.labels(empty=str(not briefed.text).lower()).inc()
    memories = [
        BriefedOut(id=result.memory.id, summary=result.memory.summary, why=[_why(share) for share in result.why])
        for result in briefed.results
    ]
    return ContextOut(
        text=briefed.text,
        answer=briefed.answer or None,
        memories=memories,
        tokens=briefed.tokens,
        receipt=briefed.receipt.id if briefed.stored else None,
    )


@router.get("/receipts/{uuid:receipt_id}", response=ReceiptOut, auth=reads)
def read_receipt(request: HttpRequest, receipt_id: UUID, asker: Query[Asker]) -> ReceiptOut:
    """What a brief held, at what rank and why. With `person`, only one that was made for them."""
    receipt = receipt_for(receipt=receipt_id, person=asker.person, grant=grant_of(request))
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


def _shown(result: Result, recalled: Recalled, entered: Entered, now: datetime, explain: bool) -> ResultOut:
    return ResultOut(
        kind=result.kind,
        memory=shown(result.row, now) if isinstance(result.row, Memory) else None,
        turn=shown_turn(result.row) if isinstance(result.row, Turn) else None,
        note=shown_note(result.row, entered.person.name) if isinstance(result.row, Note) else None,
        passage=result.passage or None,
        score=round(result.score, 4),
        relevant=result.relevant,
        why=[_why(share) for share in result.why] if explain else None,
        because=because(result, recalled, entered.person.zone, now) if explain else None,
    )


def _why(share: Share) -> WhyOut:
    return WhyOut(signal=share.signal, rank=share.rank, value=share.value, share=share.share)
