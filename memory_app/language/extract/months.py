"""A day named alone is of the month just spoken of: "the wedding is on June 12th", and later "it's on the 15th".

It is written out with its month before anything is read in it, so that whoever reads the words means the same day.
"""

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from memory_app.language.extract.claims import Claim, Heard, spoken
from memory_app.language.extract.repair import corrects
from memory_app.language.extract.said import Said
from memory_app.language.extract.vocabulary import content_words
from memory_app.rules.timephrase import TimePhrase, time_phrases
from memory_app.rules.times.absolute import DAY_ALONE
from memory_app.rules.times.tense import tense_at
from memory_app.rules.times.words import MONTHS, SHORT_MONTH

REACH = 2
"""Turns of people after which a day alone is of a month named before only where it speaks of the same matter."""

LONGEST = timedelta(days=32)
"""A phrase that means more than a month names no month to take a day of."""

FARTHEST = timedelta(days=400)
"""From when it is said: "it was founded in March 1945" is no month that plans are made in."""

_DAY = timedelta(days=1)
_MONTH_NAMED = re.compile(rf"\b{SHORT_MONTH}|\d[/.-]\d", re.IGNORECASE)
# The same thing on another day, which may be an earlier one.
_CHANGED = re.compile(r"\b(?:moved|changed|rescheduled|brought forward|instead|after all)\b", re.IGNORECASE)
_DATE_WORDS = frozenset(MONTHS)


@dataclass(frozen=True, slots=True)
class _Named:
    """A date with its month: in which turn and where it was named, and beside which words."""

    turn: int
    at: int
    day: date
    whole_month: bool
    beside: frozenset[str]


def with_months(people: Sequence[Heard]) -> list[tuple[Claim, ...]]:
    """The claims of each turn of people, in order; those that name a day alone with the month it is of."""
    named: list[_Named] = []
    placed: list[tuple[Claim, ...]] = []
    for turn, (said, claims) in enumerate(people):
        if said.spoken_at is None:
            placed.append(claims)
            continue
        now = said.spoken_at.astimezone(UTC)
        named += _named(turn, said, now)
        placed.append(tuple(_placed(claim, turn, said, now, named) for claim in claims))
    return placed


def _named(turn: int, said: Said, now: datetime) -> Iterator[_Named]:
    text = spoken(said.content)
    beside = frozenset(content_words(text)) - _DATE_WORDS
    for phrase in _phrases(text, now):
        words = text[slice(*phrase.span)]
        near = phrase.end - phrase.start <= LONGEST and abs(phrase.start - now) <= FARTHEST
        if near and _MONTH_NAMED.search(words):
            whole_month = phrase.end - phrase.start > _DAY
            yield _Named(turn, phrase.span[0], phrase.start.date(), whole_month, beside)


def _placed(claim: Claim, turn: int, said: Said, now: datetime, named: Sequence[_Named]) -> Claim:
    """The claim with the month of its first day alone; those after it are counted from it as they are."""
    alone = DAY_ALONE.search(claim.text)
    if alone is None or any(phrase.span[0] < alone.start() for phrase in _phrases(claim.text, now)):
        return claim
    words = frozenset(content_words(claim.text))
    before = [one for one in named if (one.turn, one.at) < (turn, claim.start)]
    changed = corrects(said.content) or _CHANGED.search(claim.text) is not None
    near = (one for one in reversed(before) if changed or one.beside & words or turn - one.turn <= REACH)
    one = next(near, None)
    day = _day(int(alone["day"]), one, within=changed) if one else None
    if day is None or not _fits(day, tense_at(claim.text, *alone.span()), now.date()):
        return claim
    named_out = f"{day.day} {MONTHS[day.month - 1].capitalize()} {day.year}"
    lead = alone[0].split()[0]
    return replace(claim, text=f"{claim.text[: alone.start()]}{lead} {named_out}{claim.text[alone.end() :]}")


def _day(number: int, named: _Named, *, within: bool) -> date | None:
    """That day of the month named, or where a day of it was, the nearest to that day unless it must be `within`."""
    first = named.day.replace(day=1)
    months = [first] if within or named.whole_month else [first - timedelta(days=1), first + timedelta(days=32), first]
    days = [month.replace(day=number) for month in months if number <= monthrange(month.year, month.month)[1]]
    return min(days, key=lambda day: abs(day - named.day), default=None)


def _fits(day: date, tense: str, today: date) -> bool:
    return not (tense == "past" and day > today) and not (tense == "future" and day < today)


def _phrases(text: str, now: datetime) -> list[TimePhrase]:
    return time_phrases(text, at=now, timezone=ZoneInfo("UTC"))
