"""Phrases of time written as dates: what is said on Monday as "last Friday" can be read next year."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from memory_app.language.kind_forms import WEEKLY
from memory_app.rules.text import vocabulary
from memory_app.rules.timephrase import TimePhrase, time_phrases
from memory_app.rules.times.words import MONTHS

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_PART_OF_DAY = re.compile(r"\b(morning|afternoon|evening|night)\b|\btonight\b", re.IGNORECASE)
_BRINGS_ITS_PREPOSITION = vocabulary("in on at since by until till before after from for of during around to between")
_OPEN_ENDED = ("since", "after", "before")
_RECURRING = vocabulary("every each most")
_AT_NOON = re.compile(r"^(\s(?:noon|midday|midnight|lunchtime)\b)", re.IGNORECASE)
# A day of each year, whichever is the next: "my birthday is on the 3rd of May".
_YEARLY = re.compile(r"\b(?:birthday|anniversary|name day|born)\b", re.IGNORECASE)
_MONTH_NAMED = re.compile(rf"\b(?:{'|'.join(month[:3] for month in MONTHS)})", re.IGNORECASE)
_GAP = re.compile(r"(?<=\w)\s?(?:\b(?:to|and|until|till|through)\b|[-–])\s?", re.IGNORECASE)
# Words that a phrase of a month may begin with, and that change what it means.
# What takes a day as its object: "taking Friday off", "I prefer Mondays".
_TAKES = vocabulary(
    "take takes taking took spend spends spending spent prefer prefers love loves hate hates like likes"
)
_LEADS = re.compile(
    r"(?:since|by|until|before|after|around|early|late|mid|for|through)[\s-](?:early |late |mid[ -])?", re.I
)
# A phrase of a day may begin with what the verb asks for: "moved to the 15th".
_UP_TO = re.compile(r"(?:to|till|from|for)\s", re.IGNORECASE)
_OF_PERIODS = vocabulary("in on at around during")
_DAY_WORD = re.compile(r"(?:today|tomorrow|yesterday|tonight)\b", re.IGNORECASE)
_OWN_PREPOSITION = re.compile(r"(?:on|in|at|during|by)\s", re.IGNORECASE)
# "I have Monday off".
_OFF = re.compile(r"\s(?:off|free)\b", re.IGNORECASE)
_IS = re.compile(r"\s(?:is|was|will be|works|suits)\b", re.IGNORECASE)
_THE = re.compile(r"\bthe\s$", re.IGNORECASE)

# How long what a phrase means may be, to be written as that; an hour more for the change of the clock.
_HOUR, _DAY, _WEEKEND, _WEEK = timedelta(hours=1), timedelta(days=1), timedelta(days=3), timedelta(days=7)
_MONTH, _YEAR_LONG = (timedelta(days=27), timedelta(days=32)), (timedelta(days=364), timedelta(days=367))


def with_dates(text: str, at: datetime, timezone: ZoneInfo) -> str:
    """The text with relative phrases of time, as understood at `at`, replaced by dates; others stay as they are."""
    if WEEKLY.search(text):
        return text
    for phrase in sorted(time_phrases(text, at=at, timezone=timezone), key=lambda phrase: -phrase.span[0]):
        if said := _said_as_date(text, _named(text, phrase, at, timezone), timezone):
            first, date = said
            text = text[:first] + date + _AT_NOON.sub(r" at\1", text[phrase.span[1] :])
    return text


def _named(text: str, phrase: TimePhrase, at: datetime, timezone: ZoneInfo) -> TimePhrase:
    """The period that the words name: "since yesterday" lasts until now, but it is yesterday that gets a date."""
    start, end = phrase.span
    if not text[:start].lower().rstrip().endswith(_OPEN_ENDED):
        return phrase
    alone = time_phrases(text[start:end], at=at, timezone=timezone)
    return replace(alone[0], span=phrase.span) if alone and alone[0].start <= at else phrase


def _said_as_date(text: str, phrase: TimePhrase, timezone: ZoneInfo) -> tuple[int, str] | None:
    """What stands for the phrase and from which character on, or None where it should stay: it is a date already, or
    part of something, or a day of each year."""
    start, end = phrase.span
    words, before = text[start:end], (text[:start].lower().split() or [""])[-1]
    if _YEAR.search(words) or before in _RECURRING or text[end : end + 1] in ("'", "-"):
        return None
    if _MONTH_NAMED.search(words) and _YEARLY.search(text[:start]):
        return None
    from_, to = phrase.start.astimezone(timezone), phrase.end.astimezone(timezone)
    lead, gap = _LEADS.match(words), _GAP.search(words)
    if lead is None and gap and to - from_ > _DAY + _HOUR:
        return _without_the(text, start), _days(from_, to, gap[0])
    preposition, date = _dated(from_, to, words)
    if not date:
        return None
    if lead := lead or _UP_TO.match(words):
        return start, lead[0] + date
    first = _without_the(text, start)
    if first < start or _IS.match(text[end:]) or _OFF.match(text[end:]):
        return first, date
    # "I won't be in tomorrow", "they fly in on the 15th": that "in" is of the verb.
    of_verb = before in _OF_PERIODS and (_DAY_WORD.match(words) or _OWN_PREPOSITION.match(words))
    brought = before in _BRINGS_ITS_PREPOSITION and not of_verb
    return first, date if brought or before in _TAKES else f"{preposition} {date}"


def _without_the(text: str, start: int) -> int:
    """Where the phrase begins with its article: "the 3rd of May" is "3 May 2027"."""
    the = _THE.search(text[:start])
    return the.start() if the else start


def _days(start: datetime, end: datetime, between: str) -> str:
    """A stretch of days by its first and last, or by its months; what they have in common is said once."""
    last = end - _HOUR
    day, month = ("", "%B") if start.day == 1 == end.day and start.month != last.month else ("%-d", " %B")
    first = day + month * (start.month != last.month) + " %Y" * (start.year != last.year)
    return f"{start:{first}}{between}{last:{day}{month} %Y}"


def _dated(start: datetime, end: datetime, words: str) -> tuple[str, str]:
    """A preposition and the date for a period, as exact as the period is; both empty where no date says it."""
    length = end - start
    month = f"{MONTHS[start.month - 1].capitalize()} {start.year}"
    day = f"{start.day} {month}"
    if length <= _HOUR and (start.hour or start.minute):
        return "on", f"{day} at {start:%H:%M}"
    if length <= _DAY + _HOUR:
        part = _PART_OF_DAY.search(words)
        return "on", f"the {(part[1] or 'night').lower()} of {day}" if part else day
    if length <= _WEEKEND + _HOUR:
        return "on", f"the weekend of {day}"
    if length <= _WEEK + _HOUR:
        return "in", f"the week of {day}"
    if _MONTH[0] < length < _MONTH[1]:
        return "in", month
    return ("in", str(start.year)) if _YEAR_LONG[0] < length < _YEAR_LONG[1] else ("", "")
