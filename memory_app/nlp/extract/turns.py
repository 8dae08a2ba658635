"""What goes into the extractor and what comes out: turns as they were said, and what was found in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """One turn. `index` is the caller's own number for it, which quotes refer to; a `speaker` may be empty."""

    index: int
    role: str
    content: str
    speaker: str = ""
    spoken_at: datetime | None = None
    mode: str = "conversation"
    outcome: str = "ok"


@dataclass(frozen=True, slots=True)
class Quote:
    """The words of a turn that a finding rests on: `text` occurs in the content of turn `index`, letter for letter."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Something worth keeping: `content` as it stands in a turn, `summary` a cut of it, and `context`, what was said
    before, where the words do not stand alone; `reason` is for people. What a language model words is not a quotation.

    `confidence` is from 0 to 1. `key` is empty where someone other than the person speaks. The event, where one is
    spoken of, lasts from `event_time` up to, not including, `event_end`.
    """

    summary: str
    content: str
    speaker: str
    type: str
    category: str
    key: str
    keywords: Sequence[str]
    confidence: float
    quotes: Sequence[Quote]
    reason: str
    event_time: datetime | None = None
    event_end: datetime | None = None
    context: str = ""

    @property
    def turns(self) -> list[int]:
        """The indexes of the turns quoted, each once, in order."""
        return list(dict.fromkeys(quote.index for quote in self.quotes))
