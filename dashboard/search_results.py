"""What a search of one person's memory finds and why, and the brief that an assistant would get."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from dashboard.dialogue import DialogueLine, dialogue_line, speaker_label
from dashboard.documents import DocumentRow, document_row
from dashboard.lists import split_at_commas
from dashboard.masking import MASK, memory_json
from dashboard.notes import NoteRow
from dashboard.search_parameters import METHOD_LABELS, SearchParameters
from dashboard.viewer import Viewer
from memory_app.embedding.encoder import Encoder
from memory_app.engine.retrieval.brief import BriefDraft, BriefRequest, draft_brief
from memory_app.engine.retrieval.query import RecallQuery, Result, memory_results
from memory_app.engine.retrieval.recall import RecallResults, explain_result, recall
from memory_app.engine.venue_context import VenueContext
from memory_app.models import Conversation, Document, Memory, Note, Turn
from memory_app.nlp.privacy.sensitive import mask_sensitive
from memory_app.nlp.text import quoted

RERANK_SUFFIX = "+rerank"
"""How `recall` ends the name of the method where a reranker ordered the results."""

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
class SignalShare:
    """What one signal contributed. percent: of the score, below 0 where it lowered it; value: on the signal's own
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

    passage: of a long text, the part that was found. matched_words: the words of the query that it contains."""

    rank: int
    score: float
    because: str
    parts: Sequence[SignalShare]
    memory: Memory | None = None
    note_row: NoteRow | None = None
    document: DocumentRow | None = None
    line: DialogueLine | None = None
    conversation: Conversation | None = None
    passage: str = ""
    matched_words: str = ""


@dataclass(frozen=True, slots=True)
class SearchPage:
    """What was found, and the brief for the same query, of which nothing is recorded. method: as the API names it.
    curl: a command that asks the same."""

    found: Sequence[SearchResult]
    total: int
    method: str
    milliseconds: float
    brief: BriefDraft
    brief_text: str
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
        brief_text=_masked_brief(draft),
        budget=brief_request.token_budget,
        curl=_curl_command(venue_context, recall_query, parameters, address),
    )


def as_json(parameters: SearchParameters, page: SearchPage | None, now: datetime) -> dict[str, Any]:
    """Sensitive texts are masked here too."""
    if page is None:
        return {"query": parameters.query, "results": [], "total_found": 0, "brief": None}
    brief = {
        "text": page.brief_text,
        "tokens": page.brief.tokens,
        "token_budget": page.budget,
        "reason": page.brief.reason,
    }
    return {
        "query": parameters.query,
        "results": [_result_json(item, now) for item in page.found],
        "total_found": page.total,
        "search_method": page.method,
        "took_ms": page.milliseconds,
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
    if item.document:
        document = item.document.document
        shown_document = {"id": document.id, "path": document.path, "text": item.passage or item.document.short}
        return shown | {"kind": "document", "document": shown_document}
    text = "".join(bit.text for bit in item.line.parts) if item.line else ""
    return shown | {"kind": "turn", "turn": {"speaker": item.line.speaker if item.line else "", "content": text}}


def _results(viewer: Viewer, venue_context: VenueContext, recalled: RecallResults, now: datetime) -> list[SearchResult]:
    ids = {result.row.conversation_id for result in recalled.results if isinstance(result.row, Turn)}
    conversations = {row.id: row for row in viewer.conversations().filter(id__in=ids)} if ids else {}
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
    row, words = result.row, recalled.question.words
    found = SearchResult(
        rank=rank,
        score=round(result.score, 4),
        because=explain_result(result, recalled, venue_context.person.zone, now),
        parts=[
            SignalShare(
                SIGNAL_LABELS.get(share.signal, share.signal.capitalize()),
                share.rank,
                share.value,
                round(100 * share.share, 1),
            )
            for share in result.why
        ],
        passage=mask_sensitive(result.passage),
        matched_words=" ".join(word for bit, word in enumerate(words) if result.signals.matched >> bit & 1),
    )
    if isinstance(row, Memory):
        [memory_result] = memory_results([result])
        hidden = row.sensitive or memory_result.short_text != f"{row.summary} … {result.passage}"
        return replace(found, memory=row, passage="" if hidden else result.passage)
    if isinstance(row, Note):
        return replace(found, note_row=NoteRow(row, mask_sensitive(row.text)))
    if isinstance(row, Document):
        return replace(found, document=document_row(row))
    mine = viewer.person is not None and row.person_id == viewer.person.id
    line = dialogue_line(row, [], speaker=speaker_label(row, person=str(venue_context.person), mine=mine))
    return replace(found, line=line, conversation=conversations.get(row.conversation_id))


def _masked_brief(draft: BriefDraft) -> str:
    """The brief with sensitive memories masked: an assistant would get them, but others may look at this screen."""
    text = draft.text
    for result in draft.results:
        if result.row.sensitive:
            text = text.replace(quoted(result.short_text), MASK)
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
    data = json.dumps(body | {"explain": True}, ensure_ascii=False).replace("'", "\\u0027")
    return (
        f"curl {address}/api/v1/search \\\n"
        f'  -H "Authorization: Bearer YOUR-KEY" -H "Content-Type: application/json" \\\n'
        f"  -d '{data}'"
    )


def _filters_json(parameters: SearchParameters) -> dict[str, Any]:
    """The filters as the API takes them."""
    recall_query = parameters.filters
    tags = split_at_commas(parameters.tags)
    values = {
        "types": recall_query.types,
        "categories": recall_query.categories,
        "visibility": recall_query.visibility,
        "tags": {"all": tags} if tags and parameters.all_tags else tags,
        "attributes": json.loads(parameters.typed.attributes) if recall_query.attributes else None,
        "entities": recall_query.entities,
    }
    return {name: value for name, value in values.items() if value}
