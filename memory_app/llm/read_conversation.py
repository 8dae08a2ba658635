"""What a conversation holds, as a language model reads it.

Leaves to the engine what becomes of the items. They can be about this conversation only: an answer has no way to name
a person, a space, a visibility or a setting.

What comes of asking about a conversation: the items that passed their checks, and what became of the rest.

What of a conversation is shown to a language model: what was said in it, numbered, with secrets masked.

The items of a model's answer, each checked against the conversation that it is about.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast
from zoneinfo import ZoneInfo

from memory_app.llm.checks import (
    check_quote,
    clean_key,
    clean_keywords,
    clean_line,
    clean_summary,
    invented_parts,
    relation_error,
)
from memory_app.llm.prompts import extract
from memory_app.llm.protocol import AnswerSource, Model, NotSent
from memory_app.nlp.comparison import denies
from memory_app.nlp.extract.claims import is_hostile
from memory_app.nlp.extract.extract import MAX_CONTENT, UNNAMED_PERSON
from memory_app.nlp.extract.turns import Finding, Quote, SpokenTurn
from memory_app.nlp.privacy.sensitive import mask_sensitive, sensitive_kinds
from memory_app.nlp.text import normalised, shortened
from memory_app.nlp.understand import understand
from memory_app.rules.decide import Judgement


@dataclass(frozen=True, slots=True)
class KnownMemory:
    """A memory kept already, near to what is talked about; the caller's own, in the conversation's visibility."""

    content: str


@dataclass(frozen=True, slots=True)
class ItemRelation:
    """What keeping an item would do to a known memory, given by its place in `known`; kind as in the answer's form."""

    known: int
    kind: Judgement


@dataclass(frozen=True, slots=True)
class ExtractedItem:
    """Something worth keeping. `local` is the place in `local` of the finding that it says better. `global_safe` is a
    hint for the person, who alone moves a memory to a wider level."""

    found: Finding
    local: int | None
    global_safe: bool
    relation: ItemRelation | None


@dataclass(frozen=True, slots=True)
class ConversationReading:
    """The items that passed, the local findings dismissed (by place), what was dropped by reason, and what made it."""

    items: Sequence[ExtractedItem]
    dismissed: frozenset[int]
    dropped: Counter[str]
    source: AnswerSource

    def still_valid(self, local: Sequence[Finding]) -> list[Finding]:
        """The local findings that were neither said better nor dismissed: these still hold."""
        better = {item.local for item in self.items}
        return [found for place, found in enumerate(local) if place not in better | self.dismissed]


MAX_ITEMS = 8
MAX_KNOWN = 40


def read_conversation(
    model: Model,
    turns: Sequence[SpokenTurn],
    local: Sequence[Finding],
    known: Sequence[KnownMemory],
    *,
    person: str,
    timezone: ZoneInfo,
    limit: int = MAX_ITEMS,
) -> ConversationReading:
    """Asks once. `person` is who the user is, for turns without a speaker. Raises ModelError: then `local` stands."""
    shown = turns_to_show(turns)
    if not any(turn.role == "user" for turn in shown):
        raise NotSent("There is nothing in these turns to ask about.")
    prompt = extract.prompt(
        turns=[turn_row(number, turn, person, timezone) for number, turn in enumerate(shown, 1)],
        candidates=[candidate_row(number, found, shown) for number, found in enumerate(local, 1)],
        known=[known_row(number, memory) for number, memory in enumerate(known[:MAX_KNOWN], 1)],
        limit=limit,
    )
    answer = model.ask(prompt, extract.ExtractedItems)
    check = ItemChecker(shown, local, known[:MAX_KNOWN], person, timezone, limit)
    for item in answer.value.items:
        check.take(item)
    return ConversationReading(check.items, check.dismissed(answer.value.dismissed), check.dropped, answer.source)


MAX_TURN = 4_000
MAX_DIALOGUE = 40_000
"""Characters shown, about 10,000 tokens: several sessions. Of more, the latest turns."""

MAX_KNOWN_TEXT = 300


def turns_to_show(turns: Sequence[SpokenTurn]) -> list[SpokenTurn]:
    """What was said in conversation, without turns that speak to the machinery; of too much, the latest."""
    spoken = [
        turn
        for turn in turns
        if turn.role in ("user", "assistant")
        and (turn.mode, turn.outcome) == ("conversation", "ok")
        and not is_hostile(turn.content)
    ]
    room, first = MAX_DIALOGUE, len(spoken)
    while first and (room := room - min(len(spoken[first - 1].content), MAX_TURN)) >= 0:
        first -= 1
    return spoken[first:]


def turn_row(number: int, turn: SpokenTurn, person: str, timezone: ZoneInfo) -> dict[str, object]:
    by = "assistant" if turn.role == "assistant" else speaker_name(turn, person)
    at = f"{turn.spoken_at.astimezone(timezone):%A %-d %B %Y %H:%M}" if turn.spoken_at else None
    return {"turn": number, "by": by, "at": at, "text": mask_sensitive(turn.content[:MAX_TURN])}


def candidate_row(number: int, found: Finding, shown: Sequence[SpokenTurn]) -> dict[str, object]:
    numbers = {turn.index: number for number, turn in enumerate(shown, 1)}
    turns = [numbers[index] for index in found.turns if index in numbers]
    return {"candidate": number, "text": mask_sensitive(found.content), "turns": turns}


def known_row(number: int, memory: KnownMemory) -> dict[str, object]:
    return {"known": number, "text": mask_sensitive(shortened(memory.content, MAX_KNOWN_TEXT))}


def speaker_name(turn: SpokenTurn, person: str) -> str:
    return turn.speaker or person or UNNAMED_PERSON


MAX_QUOTES = 3

REASON = "Noticed by the language model"


@dataclass
class ItemChecker:
    """The items of one answer as they are checked, in order. Each that falls is counted under the first reason."""

    shown: Sequence[SpokenTurn]
    local: Sequence[Finding]
    known: Sequence[KnownMemory]
    person: str
    timezone: ZoneInfo
    limit: int
    items: list[ExtractedItem] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)

    def take(self, item: extract.Item) -> None:
        """Takes the item up, or counts why not."""
        quotes = self._quotes(item)
        content = clean_line(item.content, MAX_CONTENT)
        summary, keywords = clean_summary(item.summary, content), clean_keywords(item.keywords)
        words = "\n".join((content, summary, *keywords))
        if fault := self._fault(item, quotes, content, words):
            self.dropped[fault] += 1
            return
        self.items.append(
            ExtractedItem(
                self._found(item, quotes, content, summary, keywords),
                self._local(item),
                item.global_safe,
                self._relation(item, content),
            )
        )

    def dismissed(self, numbers: Sequence[int]) -> frozenset[int]:
        """The places of the candidates dismissed; one that an item says better is not."""
        places = {number - 1 for number in numbers}
        if unknown := {place for place in places if not 0 <= place < len(self.local)}:
            self.dropped["unknown candidate"] += len(unknown)
        return frozenset(places - unknown - {item.local for item in self.items})

    def _fault(self, item: extract.Item, quotes: Sequence[Quote], content: str, words: str) -> str:
        """Why an item cannot be kept, in the order from the cheapest check; "" if it can."""
        if len(self.items) >= self.limit:
            return "too many"
        if item.type not in extract.TYPES or item.category not in extract.CATEGORIES:
            return "unknown type or category"
        if not quotes:
            return "no evidence"
        if not content:
            return "empty"
        if is_hostile(words):
            return "hostile"
        if sensitive_kinds(words):
            return "sensitive"
        if invented_parts(words, self._sources(item)):
            return "invented"
        if denies(content) != any(denies(quote.text) for quote in quotes):
            return "contradicts its quote"
        earlier = {normalised(other.found.content) for other in self.items}
        return "repeated" if normalised(content) in earlier else ""

    def _said(self, quote: Quote) -> SpokenTurn:
        return next(turn for turn in self.shown if turn.index == quote.index)

    def _quotes(self, item: extract.Item) -> list[Quote]:
        found: list[Quote] = []
        for quoted in item.quotes[: 2 * MAX_QUOTES]:
            turn = self.shown[quoted.turn - 1] if 1 <= quoted.turn <= len(self.shown) else None
            quote = check_quote(turn, quoted.text)
            if isinstance(quote, str):
                self.dropped[quote] += 1
            elif quote not in found:
                found.append(quote)
        return found[:MAX_QUOTES]

    def _sources(self, item: extract.Item) -> list[str]:
        """Where the names and numbers of an item may come from."""
        turn_texts = [text for turn in self.shown for text in (turn.content, turn.speaker)]
        related = self._related(item)
        return [*turn_texts, self.person, *([self.known[related].content] if related is not None else [])]

    def _found(
        self, item: extract.Item, quotes: Sequence[Quote], content: str, summary: str, keywords: tuple[str, ...]
    ) -> Finding:
        turn = self._said(quotes[0])
        speaker, event = speaker_name(turn, self.person), self._event(quotes, turn.spoken_at)
        local = self._local(item)
        return Finding(
            summary=summary,
            content=content,
            speaker=speaker,
            type=item.type,
            category=item.category,
            # A key is a slot of the person's own.
            key=clean_key(item.key) if speaker in (self.person, UNNAMED_PERSON) else "",
            keywords=keywords,
            confidence=round(min(max(item.confidence, 0.0), 1.0), 3),
            quotes=tuple(quotes),
            reason=REASON if local is None else self.local[local].reason,
            event_time=event[0],
            event_end=event[1],
        )

    def _event(self, quotes: Sequence[Quote], at: datetime | None) -> tuple[datetime | None, datetime | None]:
        """The time that the quoted words tell of, read by our own rules: a model's arithmetic is not needed."""
        if at is None:
            return None, None
        event_time = understand(" ".join(quote.text for quote in quotes), at=at, timezone=self.timezone).event_time
        return event_time or (None, None)

    def _local(self, item: extract.Item) -> int | None:
        """The place of the candidate that an item says better, unless an earlier item did."""
        place = (item.candidate or 0) - 1
        taken = {other.local for other in self.items}
        return place if 0 <= place < len(self.local) and place not in taken else None

    def _related(self, item: extract.Item) -> int | None:
        place = item.relation.known - 1 if item.relation else -1
        return place if 0 <= place < len(self.known) else None

    def _relation(self, item: extract.Item, content: str) -> ItemRelation | None:
        """What the item says it does to a known memory; not where our rules see that it cannot be."""
        if item.relation is None:
            return None
        number, kind = item.relation.known, item.relation.kind
        if fault := relation_error(number, kind, content, [memory.content for memory in self.known]):
            self.dropped[fault] += 1
            return None
        return ItemRelation(number - 1, cast(Judgement, kind))
