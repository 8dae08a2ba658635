"""A question put to what is remembered of one person: what is found and why, and what an assistant would be told."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Self, cast
from zoneinfo import ZoneInfo

from django.http import QueryDict

from dashboard.inbox.dialogue import Line, line, speaker
from dashboard.listing import memory_json
from dashboard.notes import NoteRow
from dashboard.reach import Reach
from dashboard.sensitive import MASK
from dashboard.typed_filters import NOTHING_TYPED, TypedFilters, listed
from dashboard.words import CATEGORIES, TYPES, VISIBILITIES
from memory_app.embedding.encoder import Encoder
from memory_app.engine.enter import Entered
from memory_app.engine.recalling.about import line as one_line
from memory_app.engine.recalling.asked import Asked, Kind, Method, Result
from memory_app.engine.recalling.brief import Draft, Occasion, drafted
from memory_app.engine.recalling.recall import Recalled, because, recall
from memory_app.language.sensitive import masked
from memory_app.models import Conversation, Memory, Note, Turn
from memory_app.rules.filters import Filters

LONGEST = 1_000
FOUND = 20

KINDS = {"memory": "Memories", "turn": "What was said", "note": "Daily notes"}
METHODS = {
    "hybrid": "All signals",
    "text": "Words only",
    "vector": "Meaning only",
    "entity": "Names only",
    "rrf": "By rank (RRF)",
}
RERANKS = {"": "If a reranker is set", "yes": "Yes, where there is a model for it", "no": "No"}
"""Whether the best are read again, as one may ask."""

RERANKED = "+rerank"
"""How the method that is told ends where a reranker had the last word (`recall`)."""

SIGNALS = {
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
class Inquiry:
    """What the URL asks. `since` and `until` are days of the person, both included."""

    query: str = ""
    person: str = ""
    kinds: tuple[str, ...] = ("memory",)
    types: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    visibility: tuple[str, ...] = ()
    tags: str = ""
    all_tags: bool = False
    typed: TypedFilters = NOTHING_TYPED
    method: str = "hybrid"
    rerank: str = ""
    since: date | None = None
    until: date | None = None

    @classmethod
    def read(cls, url: QueryDict) -> Self:
        """From a query string. What means nothing there is passed over."""
        method, rerank = url.get("method", "hybrid"), url.get("rerank", "")
        return cls(
            query=_clean(url.get("q", ""))[:LONGEST].strip(),
            person=_clean(url.get("person", ""))[:200].strip(),
            kinds=_known(url.getlist("kind"), KINDS) or ("memory",),
            types=_known(url.getlist("type"), TYPES),
            categories=_known(url.getlist("category"), CATEGORIES),
            visibility=_known(url.getlist("visibility"), VISIBILITIES),
            tags=_clean(url.get("tag", ""))[:LONGEST].strip(),
            all_tags=url.get("tags") == "all",
            typed=TypedFilters.read(url, _clean),
            method=method if method in METHODS else "hybrid",
            rerank=rerank if rerank in RERANKS else "",
            since=_day(url.get("since", "")),
            until=_day(url.get("until", "")),
        )

    @property
    def filters(self) -> Filters:
        tags = listed(self.tags)
        return replace(
            self.typed.filters,
            types=self.types,
            categories=self.categories,
            visibility=self.visibility,
            any_tags=() if self.all_tags else tags,
            all_tags=tags if self.all_tags else (),
        )

    def asked(self, zone: ZoneInfo) -> Asked:
        return Asked(
            query=self.query,
            limit=FOUND,
            kinds=cast(tuple[Kind, ...], self.kinds),
            filters=self.filters,
            since=_midnight(self.since, zone),
            until=_midnight(self.until and self.until + timedelta(days=1), zone),
            method=cast(Method, self.method),
            rerank=None if not self.rerank else self.rerank == "yes",
        )

    @property
    def narrowed(self) -> bool:
        """Whether it asks for anything but the usual."""
        return replace(self, query="", person="") != Inquiry()


@dataclass(frozen=True, slots=True)
class Part:
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
class Found:
    """One result: a memory, a note, or a line of a conversation that may be opened where `conversation` is set.

    passage: of a long text the part that was found. says: the words of the question that it has, and that mean
    anything."""

    rank: int
    score: float
    because: str
    parts: Sequence[Part]
    memory: Memory | None = None
    noted: NoteRow | None = None
    line: Line | None = None
    conversation: Conversation | None = None
    passage: str = ""
    says: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found, and the brief for the same question, of which nothing is recorded. `curl` asks the same.
    `method`: by what it was found, as the API tells it."""

    found: Sequence[Found]
    total: int
    method: str
    milliseconds: float
    brief: Draft
    told: str
    budget: int
    curl: str

    @property
    def by(self) -> str:
        """The method in words."""
        words = METHODS[self.method.removesuffix(RERANKED)]
        return f"{words}, reranked" if self.method.endswith(RERANKED) else f"{words}, not reranked"


def answer(
    reach: Reach, entered: Entered, inquiry: Inquiry, address: str, now: datetime, encoder: Encoder
) -> Answer:  # fmt: skip
    """Recalls as an assistant would that talks with this person in private. `address`: of this Keepsake, for curl."""
    zone = entered.person.zone
    occasion = Occasion(inquiry.query, filters=inquiry.filters)
    asked = inquiry.asked(zone)
    recalled = recall(entered=entered, asked=asked, now=now, encoder=encoder)
    draft = drafted(entered=entered, occasion=occasion, now=now, encoder=encoder)
    return Answer(
        found=_found(reach, entered, recalled, now),
        total=recalled.total_found,
        method=recalled.search_method,
        milliseconds=round(recalled.took_ms, 1),
        brief=draft,
        told=_veiled(draft),
        budget=occasion.token_budget,
        curl=_curl(entered, asked, inquiry, address),
    )


def as_json(inquiry: Inquiry, told: Answer | None, now: datetime) -> dict[str, Any]:
    """The page as its JSON twin shows it. Sensitive texts are masked here too."""
    if told is None:
        return {"query": inquiry.query, "results": [], "total_found": 0, "brief": None}
    brief = {"text": told.told, "tokens": told.brief.tokens, "token_budget": told.budget, "reason": told.brief.reason}
    return {
        "query": inquiry.query,
        "results": [_result_json(item, now) for item in told.found],
        "total_found": told.total,
        "search_method": told.method,
        "took_ms": told.milliseconds,
        "brief": brief,
    }


def _result_json(item: Found, now: datetime) -> dict[str, Any]:
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
    if item.noted:
        note = item.noted.note
        return shown | {"kind": "note", "note": {"id": note.id, "date": note.date, "text": item.noted.text}}
    text = "".join(bit.text for bit in item.line.bits) if item.line else ""
    return shown | {"kind": "turn", "turn": {"speaker": item.line.speaker if item.line else "", "content": text}}


def _found(reach: Reach, entered: Entered, recalled: Recalled, now: datetime) -> list[Found]:
    said = {result.row.conversation_id for result in recalled.results if isinstance(result.row, Turn)}
    opened = {row.id: row for row in reach.conversations().filter(id__in=said)} if said else {}
    return [
        _one(reach, entered, recalled, result, rank, opened, now) for rank, result in enumerate(recalled.results, 1)
    ]


def _one(
    reach: Reach,
    entered: Entered,
    recalled: Recalled,
    result: Result,
    rank: int,
    opened: Mapping[Any, Conversation],
    now: datetime,
) -> Found:
    why = because(result, recalled, entered.person.zone, now)
    parts = [
        Part(SIGNALS.get(share.signal, share.signal.capitalize()), share.rank, share.value, round(100 * share.share, 1))
        for share in result.why
    ]
    row, score = result.row, round(result.score, 4)
    says = " ".join(word for bit, word in enumerate(recalled.question.words) if result.signals.matched >> bit & 1)
    if isinstance(row, Memory):
        hidden = row.sensitive or result.told != f"{row.summary} … {result.passage}"
        return Found(rank, score, why, parts, memory=row, passage="" if hidden else result.passage, says=says)
    if isinstance(row, Note):
        noted = NoteRow(row, masked(row.text))
        return Found(rank, score, why, parts, noted=noted, passage=masked(result.passage), says=says)
    mine = reach.person is not None and row.person_id == reach.person.id
    who = speaker(row, person=str(entered.person), mine=mine)
    held = opened.get(row.conversation_id)
    told = line(row, [], who=who)
    return Found(rank, score, why, parts, line=told, conversation=held, passage=masked(result.passage), says=says)


def _veiled(draft: Draft) -> str:
    """The brief's text with what is sensitive masked: an assistant would see it, who looks over a shoulder not."""
    text = draft.text
    for result in draft.results:
        if result.memory.sensitive:
            text = text.replace(one_line(result.told), MASK)
    return text


def _curl(entered: Entered, asked: Asked, inquiry: Inquiry, address: str) -> str:
    body: dict[str, Any] = {"person": entered.person.name, "query": asked.query, "kinds": list(asked.kinds)}
    body |= _told(inquiry)
    body |= {"method": asked.method} | ({} if asked.rerank is None else {"rerank": asked.rerank})
    body |= {"since": asked.since.isoformat()} if asked.since else {}
    body |= {"until": asked.until.isoformat()} if asked.until else {}
    said = json.dumps(body | {"explain": True}, ensure_ascii=False).replace("'", "\\u0027")
    return (
        f"curl {address}/api/v1/search \\\n"
        f'  -H "Authorization: Bearer YOUR-KEY" -H "Content-Type: application/json" \\\n'
        f"  -d '{said}'"
    )


def _told(inquiry: Inquiry) -> dict[str, Any]:
    """The filters of a question, as a request has them."""
    asked = inquiry.filters
    tags = listed(inquiry.tags)
    told = {
        "types": asked.types,
        "categories": asked.categories,
        "visibility": asked.visibility,
        "tags": {"all": tags} if tags and inquiry.all_tags else tags,
        "attributes": json.loads(inquiry.typed.attributes) if asked.attributes else None,
        "entities": asked.entities,
    }
    return {name: value for name, value in told.items() if value}


def _known(values: list[str], known: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(value for value in known if value in values)


def _day(text: str) -> date | None:
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
