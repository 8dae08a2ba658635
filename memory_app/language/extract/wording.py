"""How what was noticed is told of its speaker and understood: by the rules of English, or by a small grammar."""

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


@dataclass(frozen=True, slots=True)
class Wording:
    """Who speaks, where the clock is, and the grammar of their language where it is not English."""

    who: str
    timezone: ZoneInfo
    grammar: Grammar | None

    def told(self, claim: Claim, at: datetime | None) -> str:
        """The claim in words that stand alone."""
        if claim.plain and self.grammar:
            return retold(claim.text, self.grammar, self.who)
        return Reworder(self.who, at, self.timezone)(claim.text)

    def understood(self, claims: Sequence[Claim], at: datetime | None) -> Understanding:
        """What the claims hold, in the words that were said."""
        said = " ".join(claim.text for claim in claims)
        if self.grammar and claims[0].plain:
            return self._plainly(said, self.grammar)
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

    def _plainly(self, said: str, grammar: Grammar) -> Understanding:
        likes = grammar.likes.search(said) is not None
        return Understanding(
            type="preference" if likes else "fact",
            category="preference" if likes else "personal",
            key=key_in(said, grammar),
            summary=said,
            keywords=keywords_in(said, grammar),
            entities=(),
            event_time=None,
            sensitive=frozenset(),
            global_safe=False,
            negated=False,
            type_sure=likes,
        )
