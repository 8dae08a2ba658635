"""How what was noticed is told of its speaker and understood: by the rules of English, or by a small grammar."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from memory_app.language.extract.claims import Claim
from memory_app.language.extract.plain import key_in, keywords_in, retold
from memory_app.language.extract.quotations import sheltered
from memory_app.language.extract.reword import Reworder
from memory_app.language.extract.tongues import Grammar
from memory_app.language.local import Understanding, understand
from memory_app.rules.timephrase import time_phrases
from memory_app.rules.tongues import times_in_english
from memory_app.rules.tongues.wording import WAS, WILL

# Says by itself whether it is past or to come, or its clause does; a day of the week is the next one, if nothing does.
_PLACED = re.compile(r"\b(?:(?:19|20)\d\d|ago|last|this|next|yesterday|today|tomorrow|in \d+ days)\b", re.IGNORECASE)
_DAY_OF_THE_WEEK = re.compile(r"^(?:on )?\w+day$")
_TENSE = re.compile(rf"\b(?:{WAS}|{WILL}) (?:(?:in|on|at) )?(?:the )?$")


@dataclass(frozen=True, slots=True)
class Wording:
    """Who speaks, where the clock is, and the grammar of their language where it is not English."""

    who: str
    timezone: ZoneInfo
    grammar: Grammar | None

    def told(self, claim: Claim, at: datetime | None) -> str:
        """The claim in words that stand alone."""
        if claim.plain and self.grammar:
            return retold(claim, self.grammar, self.who)
        return Reworder(self.who, at, self.timezone)(claim.text)

    def understood(self, claims: Sequence[Claim], at: datetime | None) -> Understanding:
        """What the claims hold, in the words that were said."""
        said = " ".join(claim.text for claim in claims)
        if self.grammar and claims[0].plain:
            return self._plainly(said, self.grammar, at)
        # What others are quoted to have said is neither when it was, nor a slot of the person's own.
        return self._english(sheltered(said)[0], at)

    def keywords(self, content: str, claims: Sequence[Claim], at: datetime | None) -> tuple[str, ...]:
        """Of the standing text, where names and dates are written out; without the name of who speaks."""
        if self.grammar and claims[0].plain:
            return keywords_in(" ".join(claim.text for claim in claims), self.grammar)
        known = (self.who.lower(), *self.who.lower().split())
        return tuple(keyword for keyword in self._english(content, at).keywords if keyword.lower() not in known)

    def _english(self, content: str, at: datetime | None) -> Understanding:
        read = understand(content, at=at or datetime(1970, 1, 1, tzinfo=self.timezone), timezone=self.timezone)
        # Without knowing when it was said, a phrase of time means nothing.
        return read if at else replace(read, event_time=None)

    def _plainly(self, said: str, grammar: Grammar, at: datetime | None) -> Understanding:
        likes = grammar.likes.search(said) is not None
        time = self._time_in(said, grammar, at)
        coming = bool(at and time and time[0] > at)
        return Understanding(
            type="preference" if likes else "event" if coming else "fact",
            category="preference" if likes else "personal",
            key=key_in(said, grammar),
            summary=said,
            keywords=keywords_in(said, grammar),
            entities=(),
            event_time=time,
            sensitive=frozenset(),
            global_safe=False,
            negated=False,
            type_sure=likes or coming,
        )

    def _time_in(self, said: str, grammar: Grammar, at: datetime | None) -> tuple[datetime, datetime] | None:
        """The period of the first phrase of time that is one in the language; a number alone is none."""
        put = times_in_english(said, grammar.language)
        if at is None or put == said:
            return None
        sure = [
            (phrase.start, phrase.end)
            for phrase in time_phrases(put, at=at, timezone=self.timezone)
            if _PLACED.search(words := put[slice(*phrase.span)])
            or _TENSE.search(put[: phrase.span[0]])
            or _DAY_OF_THE_WEEK.match(words)
        ]
        return sure[0] if sure else None
