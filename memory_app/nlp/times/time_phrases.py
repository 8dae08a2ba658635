"""Phrases of time in English text, and the period each means: "last week", "on March 15th", "two summers ago".

A grammar of spans: what merely contains a word of time ("where did we meet", "you may", "the sun") is none. Dates
without a year are placed by the tense around them. "5/7/2023" is read month first in time zones of the United
States, day first elsewhere. Weeks begin on Monday; "next Friday" is that of the next week.
"""

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from memory_app.nlp import linear_re as re
from memory_app.nlp.times.calendar_phrases import ABSOLUTE
from memory_app.nlp.times.modifiers import TimePhrase, apply_modifiers, tense_at
from memory_app.nlp.times.periods import Calendar, Moment
from memory_app.nlp.times.relative_phrases import RELATIVE, Reader
from memory_app.nlp.times.words import MONTHS

__all__ = ["TimePhrase", "time_phrases"]

# Longer texts are read this far, in characters: time phrases of a document's end say nothing of it as a whole.
LONGEST = 4000

_GRAMMAR = (*RELATIVE, *ABSOLUTE)
# Without any of these there is no time phrase: most texts are done here.
_ANY_SIGN = re.compile(
    r"\d|day|night|week|month|year|decade|morning|noon|evening|spring|summer|autumn|fall|winter|hour|minute|tomorrow|"
    rf"easter|halloween|christmas|xmas|thanksgiving|valentine|eve\b|{'|'.join(MONTHS)}|"
    r"\b(?:on|by) (?:mon|tue|wed|thu|fri|sat|sun)",
    re.IGNORECASE,
)
_RANGE_LEAD = re.compile(r"(?:from|between)\s$", re.IGNORECASE)
_RANGE_GAP = re.compile(r"\s?(?:\b(?:to|and|until|till|through)\b|[-–])\s?", re.IGNORECASE)


def time_phrases(text: str, *, at: datetime, timezone: ZoneInfo) -> list[TimePhrase]:
    """The time phrases of a text in order, none overlapping, as meant by someone in `timezone` who speaks at `at`.

    `at` must be aware. Of overlapping readings the longest stands. "From … to …" is one phrase.
    """
    read = text[:LONGEST]
    if _ANY_SIGN.search(read) is None:
        return []
    read = read.replace("’", "'")
    moment = Moment(at.astimezone(timezone), Calendar(timezone))
    found = [phrase for pattern, reader in _GRAMMAR for phrase in _read(read, pattern, reader, moment)]
    return _ranges(read, [_safely_refined(read, phrase, moment) for phrase in _longest(found)])


def _read(text: str, pattern: re.Pattern, reader: Reader, moment: Moment) -> list[TimePhrase]:
    phrases = []
    for found in pattern.finditer(text):
        try:
            period = reader(found, replace(moment, tense=tense_at(text, *found.span())))
        except (ValueError, OverflowError, IndexError, StopIteration):
            continue  # no such day ("31 June"), or beyond the calendar
        if period is not None:
            phrases.append(TimePhrase(found.span(), period.start, period.end))
    return phrases


def _safely_refined(text: str, phrase: TimePhrase, moment: Moment) -> TimePhrase:
    try:
        return apply_modifiers(text, phrase, moment)
    except (ValueError, OverflowError):
        return phrase  # the refinement would leave the calendar


def _longest(phrases: list[TimePhrase]) -> list[TimePhrase]:
    chosen: list[TimePhrase] = []
    for phrase in sorted(phrases, key=lambda phrase: (phrase.span[0] - phrase.span[1], phrase.span[0])):
        if all(phrase.span[1] <= other.span[0] or other.span[1] <= phrase.span[0] for other in chosen):
            chosen.append(phrase)
    return sorted(chosen, key=lambda phrase: phrase.span)


def _ranges(text: str, phrases: list[TimePhrase]) -> list[TimePhrase]:
    joined: list[TimePhrase] = []
    for phrase in phrases:
        last = joined[-1] if joined else None
        opened = last and _RANGE_LEAD.search(text[max(last.span[0] - 8, 0) : last.span[0]])
        if last and opened and last.start < phrase.end and _RANGE_GAP.fullmatch(text[last.span[1] : phrase.span[0]]):
            joined[-1] = TimePhrase((last.span[0], phrase.span[1]), last.start, phrase.end)
        else:
            joined.append(phrase)
    return joined
