"""A question put to what is remembered of one person: what is found and why, and what an assistant would be told."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Self, cast
from zoneinfo import ZoneInfo

from django.http import QueryDict

from dashboard.dialogue import DialogueLine, dialogue_line, speaker_label
from dashboard.filters import NO_TYPED_FILTERS, TypedFilters, split_at_commas
from dashboard.masking import MASK
from dashboard.memories.memory_list import memory_json
from dashboard.notes import NoteRow
from dashboard.viewer import Viewer
from dashboard.wording import CATEGORY_LABELS, TYPE_LABELS, VISIBILITY_LABELS
from memory_app.embedding.encoder import Encoder
from memory_app.engine.retrieval.brief import BriefDraft, BriefRequest, draft_brief
from memory_app.engine.retrieval.brief_sections import quoted_line as one_line
from memory_app.engine.retrieval.query import Kind, Method, RecallQuery, Result
from memory_app.engine.retrieval.recall import RecallResults, explain_result, recall
from memory_app.engine.venue_context import VenueContext
from memory_app.models import Conversation, Memory, Note, Turn
from memory_app.nlp.privacy.sensitive import masked
from memory_app.rules.filters import Filters

MAX_QUERY_LENGTH = 1_000
MAX_RESULTS = 20

KIND_LABELS = {"memory": "Memories", "turn": "What was said", "note": "Daily notes"}
METHOD_LABELS = {
    "hybrid": "All signals",
    "text": "Words only",
    "vector": "Meaning only",
    "entity": "Names only",
    "rrf": "By rank (RRF)",
}
RERANK_LABELS = {"": "If a reranker is set", "yes": "Yes, where there is a model for it", "no": "No"}
"""Whether the best are read again, as one may ask."""

RERANK_SUFFIX = "+rerank"
"""How the method that is told ends where a reranker had the last word (`recall`)."""

SIGNAL_LABELS = {
    "words": "Words",
    "meaning": "Meaning",
    "speaker": "Who said it",
    "time": "Time",
    "role": "Whose turn",
    "session": "What is beside it",
    "answer": "Answers a question",
    "later": "Said later on the same subject",
    "names": "Names",
    "rerank": "Reranker",
}


@dataclass(frozen=True, slots=True)
class SearchParameters:
    """What the URL asks. `since` and `until` are days of the person, both included."""

    query: str = ""
    person: str = ""
    kinds: tuple[str, ...] = ("memory",)
    types: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    visibility: tuple[str, ...] = ()
    tags: str = ""
    all_tags: bool = False
    typed: TypedFilters = NO_TYPED_FILTERS
    method: str = "hybrid"
    rerank: str = ""
    since: date | None = None
    until: date | None = None

    @classmethod
    def read(cls, url: QueryDict) -> Self:
        """From a query string. What means nothing there is passed over."""
        method, rerank = url.get("method", "hybrid"), url.get("rerank", "")
        return cls(
            query=_clean(url.get("q", ""))[:MAX_QUERY_LENGTH].strip(),
            person=_clean(url.get("person", ""))[:200].strip(),
            kinds=_known_values(url.getlist("kind"), KIND_LABELS) or ("memory",),
            types=_known_values(url.getlist("type"), TYPE_LABELS),
            categories=_known_values(url.getlist("category"), CATEGORY_LABELS),
            visibility=_known_values(url.getlist("visibility"), VISIBILITY_LABELS),
            tags=_clean(url.get("tag", ""))[:MAX_QUERY_LENGTH].strip(),
            all_tags=url.get("tags") == "all",
            typed=TypedFilters.read(url, _clean),
            method=method if method in METHOD_LABELS else "hybrid",
            rerank=rerank if rerank in RERANK_LABELS else "",
            since=_parse_day(url.get("since", "")),
            until=_parse_day(url.get("until", "")),
        )

    @property
    def filters(self) -> Filters:
        tags = split_at_commas(self.tags)
        return replace(
            self.typed.filters,
            types=self.types,
            categories=self.categories,
            visibility=self.visibility,
            any_tags=() if self.all_tags else tags,
            all_tags=tags if self.all_tags else (),
        )

    def recall_query(self, zone: ZoneInfo) -> RecallQuery:
        return RecallQuery(
            text=self.query,
            limit=MAX_RESULTS,
            kinds=cast(tuple[Kind, ...], self.kinds),
            filters=self.filters,
            since=_midnight(self.since, zone),
            until=_midnight(self.until and self.until + timedelta(days=1), zone),
            method=cast(Method, self.method),
            rerank=None if not self.rerank else self.rerank == "yes",
        )

    @property
    def is_narrowed(self) -> bool:
        """Whether it asks for anything but the usual."""
        return replace(self, query="", person="") != SearchParameters()


@dataclass(frozen=True, slots=True)
class SignalShare:
    """What one signal contributed. `percent`: of the score, below 0 where it took from it; `value`: on the signal's own
    scale."""

    label: str
    rank: int
    value: float
    percent: float

    @property
    def bar(self) -> float:
        """How long to draw it, 0..100."""
        return min(100.0, max(0.0, self.percent))


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One result: a memory, a note, or a line of a conversation that may be opened where `conversation` is set.

    passage: of a long text the part that was found. says: the words of the question that it has, and that mean
    anything."""

    rank: int
    score: float
    because: str
    parts: Sequence[SignalShare]
    memory: Memory | None = None
    note_row: NoteRow | None = None
    line: DialogueLine | None = None
    conversation: Conversation | None = None
    passage: str = ""
    matched_words: str = ""


@dataclass(frozen=True, slots=True)
class SearchPage:
    """What was found, and the brief for the same question, of which nothing is recorded. `curl` asks the same.
    `method`: by what it was found, as the API tells it."""

    found: Sequence[SearchResult]
    total: int
    method: str
    milliseconds: float
    brief: BriefDraft
    told: str
    budget: int
    curl: str

    @property
    def method_label(self) -> str:
        """The method in words."""
        words = METHOD_LABELS[self.method.removesuffix(RERANK_SUFFIX)]
        return f"{words}, reranked" if self.method.endswith(RERANK_SUFFIX) else f"{words}, not reranked"


def search(
    viewer: Viewer,
    venue_context: VenueContext,
    parameters: SearchParameters,
    address: str,
    now: datetime,
    encoder: Encoder,
) -> SearchPage:
    """Recalls as an assistant would that talks with this person in private. `address`: of this Keepsake, for curl."""
    zone = venue_context.person.zone
    brief_request = BriefRequest(parameters.query, filters=parameters.filters)
    recall_query = parameters.recall_query(zone)
    recalled = recall(venue_context=venue_context, recall_query=recall_query, now=now, encoder=encoder)
    draft = draft_brief(venue_context=venue_context, brief_request=brief_request, now=now, encoder=encoder)
    return SearchPage(
        found=_results(viewer, venue_context, recalled, now),
        total=recalled.total_found,
        method=recalled.search_method,
        milliseconds=round(recalled.took_ms, 1),
        brief=draft,
        told=_masked_brief(draft),
        budget=brief_request.token_budget,
        curl=_curl_command(venue_context, recall_query, parameters, address),
    )


def as_json(parameters: SearchParameters, told: SearchPage | None, now: datetime) -> dict[str, Any]:
    """The page as its JSON twin shows it. Sensitive texts are masked here too."""
    if told is None:
        return {"query": parameters.query, "results": [], "total_found": 0, "brief": None}
    brief = {"text": told.told, "tokens": told.brief.tokens, "token_budget": told.budget, "reason": told.brief.reason}
    return {
        "query": parameters.query,
        "results": [_result_json(item, now) for item in told.found],
        "total_found": told.total,
        "search_method": told.method,
        "took_ms": told.milliseconds,
        "brief": brief,
    }


def _result_json(item: SearchResult, now: datetime) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "rank": item.rank,
        "score": item.score,
        "because": item.because,
        "passage": item.passage or None,
    }
    shown["why"] = [
        {"signal": part.label, "rank": part.rank, "value": part.value, "percent": part.percent} for part in item.parts
    ]
    if item.memory:
        return shown | {"kind": "memory", "memory": memory_json(item.memory, now, masked=item.memory.sensitive)}
    if item.note_row:
        note = item.note_row.note
        return shown | {"kind": "note", "note": {"id": note.id, "date": note.date, "text": item.note_row.text}}
    text = "".join(bit.text for bit in item.line.parts) if item.line else ""
    return shown | {"kind": "turn", "turn": {"speaker": item.line.speaker if item.line else "", "content": text}}


def _results(viewer: Viewer, venue_context: VenueContext, recalled: RecallResults, now: datetime) -> list[SearchResult]:
    said = {result.row.conversation_id for result in recalled.results if isinstance(result.row, Turn)}
    conversations = {row.id: row for row in viewer.conversations().filter(id__in=said)} if said else {}
    return [
        _result(viewer, venue_context, recalled, result, rank, conversations, now)
        for rank, result in enumerate(recalled.results, 1)
    ]


def _result(
    viewer: Viewer,
    venue_context: VenueContext,
    recalled: RecallResults,
    result: Result,
    rank: int,
    conversations: Mapping[Any, Conversation],
    now: datetime,
) -> SearchResult:
    why = explain_result(result, recalled, venue_context.person.zone, now)
    parts = [
        SignalShare(
            SIGNAL_LABELS.get(share.signal, share.signal.capitalize()),
            share.rank,
            share.value,
            round(100 * share.share, 1),
        )
        for share in result.why
    ]
    row, score = result.row, round(result.score, 4)
    matched_words = " ".join(
        word for bit, word in enumerate(recalled.question.words) if result.signals.matched >> bit & 1
    )
    if isinstance(row, Memory):
        hidden = row.sensitive or result.short_text != f"{row.summary} … {result.passage}"
        return SearchResult(
            rank, score, why, parts, memory=row, passage="" if hidden else result.passage, matched_words=matched_words
        )
    if isinstance(row, Note):
        note_row = NoteRow(row, masked(row.text))
        return SearchResult(
            rank, score, why, parts, note_row=note_row, passage=masked(result.passage), matched_words=matched_words
        )
    mine = viewer.person is not None and row.person_id == viewer.person.id
    speaker = speaker_label(row, person=str(venue_context.person), mine=mine)
    conversation = conversations.get(row.conversation_id)
    told = dialogue_line(row, [], speaker=speaker)
    return SearchResult(
        rank,
        score,
        why,
        parts,
        line=told,
        conversation=conversation,
        passage=masked(result.passage),
        matched_words=matched_words,
    )


def _masked_brief(draft: BriefDraft) -> str:
    """The brief's text with what is sensitive masked: an assistant would see it, who looks over a shoulder not."""
    text = draft.text
    for result in draft.results:
        if result.memory.sensitive:
            text = text.replace(one_line(result.short_text), MASK)
    return text


def _curl_command(
    venue_context: VenueContext, recall_query: RecallQuery, parameters: SearchParameters, address: str
) -> str:
    body: dict[str, Any] = {
        "person": venue_context.person.name,
        "query": recall_query.text,
        "kinds": list(recall_query.kinds),
    }
    body |= _filters_json(parameters)
    body |= {"method": recall_query.method} | ({} if recall_query.rerank is None else {"rerank": recall_query.rerank})
    body |= {"since": recall_query.since.isoformat()} if recall_query.since else {}
    body |= {"until": recall_query.until.isoformat()} if recall_query.until else {}
    said = json.dumps(body | {"explain": True}, ensure_ascii=False).replace("'", "\\u0027")
    return (
        f"curl {address}/api/v1/search \\\n"
        f'  -H "Authorization: Bearer YOUR-KEY" -H "Content-Type: application/json" \\\n'
        f"  -d '{said}'"
    )


def _filters_json(parameters: SearchParameters) -> dict[str, Any]:
    """The filters of a question, as a request has them."""
    recall_query = parameters.filters
    tags = split_at_commas(parameters.tags)
    told = {
        "types": recall_query.types,
        "categories": recall_query.categories,
        "visibility": recall_query.visibility,
        "tags": {"all": tags} if tags and parameters.all_tags else tags,
        "attributes": json.loads(parameters.typed.attributes) if recall_query.attributes else None,
        "entities": recall_query.entities,
    }
    return {name: value for name, value in told.items() if value}


def _known_values(values: list[str], known: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(value for value in known if value in values)


def _parse_day(text: str) -> date | None:
    """A day, but for those at the ends of the calendar, around which some time zone has none."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if 2 <= day.year <= 9998 else None


def _midnight(day: date | None, zone: ZoneInfo) -> datetime | None:
    return datetime(day.year, day.month, day.day, tzinfo=zone) if day else None


def _clean(text: str) -> str:
    """Without NUL, which PostgreSQL takes in no text."""
    return text.replace("\x00", "")
