"""Whether a text holds a name or a number that its sources do not: what a model added of its own.

Dates are left out here: "last Friday" may well have become one. English names; in other languages few are found.

A model's words made fit to be kept: plain text of bounded length, or nothing.

Quotes of a model checked against what was said: only the person's own words, letter for letter, are evidence.

What a model says that a text is to a known memory, checked by the words of both.
"""

import unicodedata
from collections.abc import Iterable, Sequence

from memory_app.llm.prompts.extract import RELATIONS
from memory_app.nlp import linear_re as re
from memory_app.nlp.comparison import differs_in_a_particular
from memory_app.nlp.entities.find_entities import find_entities
from memory_app.nlp.extract.turns import Quote, SpokenTurn
from memory_app.nlp.extract.vocabulary import content_words
from memory_app.nlp.privacy.sensitive import sensitive_kinds
from memory_app.nlp.text import shortened, words
from memory_app.nlp.times.words import MONTHS, NUMBERS

NAME_TYPES = ("person", "organization", "location", "project")

MIN_CONFIDENCE = 0.7
"""Below this, `names` only saw a capital letter."""

_MONTH = rf"(?:{'|'.join(f'{month[:3]}[a-z]*' for month in MONTHS)})"
# No year, no day of a month and no time of day is a number that was added.
_DATE = re.compile(
    rf"\b\d{{4}}-\d\d?-\d\d?\b|\b\d{{1,2}}[:.]\d\d\b(?: ?[ap]m\b)?|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\b|"
    rf"\b{_MONTH} \d{{1,2}}\b|\b\d{{1,2}} ?[ap]m\b|\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
# "A daughter" may be one daughter.
_IMPLIED_NUMBERS = {1.0}


def invented_parts(text: str, sources: Iterable[str]) -> set[str]:
    """The names and numbers of the text that none of the sources holds, in small letters."""
    known = "\n".join(sources)
    names = {part for name in names_in(text) for part in words_without_possessive(name)}
    added = numbers_in(_DATE.sub(" ", text)) - numbers_in(known) - _IMPLIED_NUMBERS
    return (names - words_without_possessive(known)) | {f"{number:g}" for number in added}


def words_without_possessive(text: str) -> set[str]:
    """The words of a text, small, "Alice's" as "alice"."""
    return set(words(text.replace("'s", " ").replace("’s", " ")))


def names_in(text: str) -> list[str]:
    """People, places, organisations and projects named in a text."""
    return [
        name.canonical for name in find_entities(text) if name.type in NAME_TYPES and name.confidence >= MIN_CONFIDENCE
    ]


def numbers_in(text: str) -> set[float]:
    """The numbers of a text, in digits or in words."""
    spelt = {float(NUMBERS[word]) for word in words(text) if word in NUMBERS}
    return spelt | {float(digits.replace(",", "")) for digits in _DIGITS.findall(text)}


MAX_SUMMARY = 100
MAX_KEY = 60
MAX_KEYWORD = 40
MAX_KEYWORDS = 5

_REPLACED_CATEGORIES = ("Cc", "Cs", "Zl", "Zp")
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_KEY = re.compile(r"[a-z][a-z0-9_]*")


def clean_line(text: str, limit: int) -> str:
    """On one line, without characters that control a terminal, a page's direction or a database, cut to `limit`."""
    spaced = "".join(" " if unicodedata.category(letter) in _REPLACED_CATEGORIES else letter for letter in text)
    return shortened("".join(letter for letter in spaced if letter not in _DIRECTIONS), limit)


def clean_summary(summary: str, content: str) -> str:
    """The summary within its length; that of the content where there is none."""
    return clean_line(summary, MAX_SUMMARY) or clean_line(content, MAX_SUMMARY)


def clean_key(key: str) -> str:
    """A key as rows hold them, or "" where it cannot be one."""
    folded = re.compile(r"[\s-]+").sub("_", key.strip().lower())
    return folded if len(folded) <= MAX_KEY and _KEY.fullmatch(folded) else ""


def clean_keywords(keywords: Sequence[str]) -> tuple[str, ...]:
    """At most five, each once."""
    chosen: dict[str, str] = {}
    for keyword in keywords:
        if word := clean_line(keyword, MAX_KEYWORD):
            chosen.setdefault(word.lower(), word)
    return tuple(chosen.values())[:MAX_KEYWORDS]


MAX_QUOTE = 600


def find_words(text: str, words: str) -> str:
    """The stretch of a text that the words are, whatever the white space between them; "" where they are not in it."""
    parts = words[: MAX_QUOTE * 2].split()
    found = re.compile(r"\s+".join(map(re.escape, parts))).search(text) if parts else None
    return found[0] if found else ""


def check_quote(turn: SpokenTurn | None, text: str) -> Quote | str:
    """The quote as it stands in the turn, or why it is none."""
    if turn is None:
        return "unknown turn"
    if turn.role != "user":
        return "quotes the assistant"
    words = find_words(turn.content, text)
    if not words or len(words) > MAX_QUOTE:
        return "quote not said"
    if not content_words(words):
        return "quote says nothing"
    if sensitive_kinds(words):
        return "sensitive"
    return Quote(turn.index, words)


def relation_error(number: int, kind: str, content: str, known: Sequence[str]) -> str:
    """Why it is not believed that `content` is this to the known memory of that number, from 1; "" if it is. How close
    the two are in meaning is left to `rules/decide.py`."""
    if not 1 <= number <= len(known) or kind not in RELATIONS:
        return "unknown relation"
    # What differs by a number, a date, a name or a "not" is neither the same nor a mere addition.
    if kind in ("same", "addition") and differs_in_a_particular(known[number - 1], content):
        return "relation contradicted"
    return ""
