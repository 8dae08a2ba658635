"""The items of a model's answer, each checked against the conversation that it is about."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast
from zoneinfo import ZoneInfo

from memory_app.language.extract.hostile import is_hostile
from memory_app.language.extract.notice import LONGEST_CONTENT, NAMELESS
from memory_app.language.extract.said import Found, Quote, Said
from memory_app.language.local import understand
from memory_app.language.sensitive import sensitive_kinds
from memory_app.llm.checks.clean import key_of, keywords_of, plain, summary_of
from memory_app.llm.checks.grounded import invented
from memory_app.llm.checks.quotes import checked
from memory_app.llm.checks.relations import relation_fault
from memory_app.llm.prompts import extract
from memory_app.llm.tasks.conversation_reading import KnownMemory, ReadItem, Relation
from memory_app.llm.tasks.shown_turns import speaker
from memory_app.rules.comparison import denies
from memory_app.rules.decide import Judgement
from memory_app.rules.text import normalised

MOST_QUOTES = 3

REASON = "Noticed by the language model"


@dataclass
class Check:
    """The items of one answer as they are checked, in order. Each that falls is counted under the first reason."""

    shown: Sequence[Said]
    local: Sequence[Found]
    known: Sequence[KnownMemory]
    person: str
    timezone: ZoneInfo
    limit: int
    items: list[ReadItem] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)

    def take(self, item: extract.Item) -> None:
        """Takes the item up, or counts why not."""
        quotes = self._quotes(item)
        content = plain(item.content, LONGEST_CONTENT)
        summary, keywords = summary_of(item.summary, content), keywords_of(item.keywords)
        words = "\n".join((content, summary, *keywords))
        if fault := self._fault(item, quotes, content, words):
            self.dropped[fault] += 1
            return
        self.items.append(
            ReadItem(
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
        if invented(words, self._sources(item)):
            return "invented"
        if denies(content) != any(denies(quote.text) for quote in quotes):
            return "contradicts its quote"
        said = {normalised(other.found.content) for other in self.items}
        return "repeated" if normalised(content) in said else ""

    def _said(self, quote: Quote) -> Said:
        return next(said for said in self.shown if said.index == quote.index)

    def _quotes(self, item: extract.Item) -> list[Quote]:
        found: list[Quote] = []
        for quoted in item.quotes[: 2 * MOST_QUOTES]:
            said = self.shown[quoted.turn - 1] if 1 <= quoted.turn <= len(self.shown) else None
            quote = checked(said, quoted.text)
            if isinstance(quote, str):
                self.dropped[quote] += 1
            elif quote not in found:
                found.append(quote)
        return found[:MOST_QUOTES]

    def _sources(self, item: extract.Item) -> list[str]:
        """Where the names and numbers of an item may come from."""
        said = [text for turn in self.shown for text in (turn.content, turn.speaker)]
        related = self._related(item)
        return [*said, self.person, *([self.known[related].content] if related is not None else [])]

    def _found(
        self, item: extract.Item, quotes: Sequence[Quote], content: str, summary: str, keywords: tuple[str, ...]
    ) -> Found:
        said = self._said(quotes[0])
        who, event = speaker(said, self.person), self._event(quotes, said.spoken_at)
        local = self._local(item)
        return Found(
            summary=summary,
            content=content,
            speaker=who,
            type=item.type,
            category=item.category,
            # A key is a slot of the person's own.
            key=key_of(item.key) if who in (self.person, NAMELESS) else "",
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
        told = understand(" ".join(quote.text for quote in quotes), at=at, timezone=self.timezone).event_time
        return told or (None, None)

    def _local(self, item: extract.Item) -> int | None:
        """The place of the candidate that an item says better, unless an earlier item did."""
        place = (item.candidate or 0) - 1
        taken = {other.local for other in self.items}
        return place if 0 <= place < len(self.local) and place not in taken else None

    def _related(self, item: extract.Item) -> int | None:
        place = item.relation.known - 1 if item.relation else -1
        return place if 0 <= place < len(self.known) else None

    def _relation(self, item: extract.Item, content: str) -> Relation | None:
        """What the item says it does to a known memory; not where our rules see that it cannot be."""
        if item.relation is None:
            return None
        number, kind = item.relation.known, item.relation.kind
        if fault := relation_fault(number, kind, content, [memory.content for memory in self.known]):
            self.dropped[fault] += 1
            return None
        return Relation(number - 1, cast(Judgement, kind))
