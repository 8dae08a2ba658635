"""Whether a text holds a name or a number that its sources do not: what a model added of its own.

Dates are left out here: "last Friday" may well have become one. English names; in other languages few are found.
"""

from collections.abc import Iterable

from memory_app.language.names import entities
from memory_app.rules import linear_re as re
from memory_app.rules.text import words
from memory_app.rules.times.words import MONTHS, NUMBERS

NAMES = ("person", "organization", "location", "project")

SURE_FROM = 0.7
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
_SAID_WITHOUT_NUMBER = {1.0}


def invented(text: str, sources: Iterable[str]) -> set[str]:
    """The names and numbers of the text that none of the sources holds, in small letters."""
    known = "\n".join(sources)
    named = {part for name in names_of(text) for part in plain_words(name)}
    added = numbers(_DATE.sub(" ", text)) - numbers(known) - _SAID_WITHOUT_NUMBER
    return (named - plain_words(known)) | {f"{number:g}" for number in added}


def plain_words(text: str) -> set[str]:
    """The words of a text, small, "Alice's" as "alice"."""
    return set(words(text.replace("'s", " ").replace("’s", " ")))


def names_of(text: str) -> list[str]:
    """People, places, organisations and projects named in a text."""
    return [name.canonical for name in entities(text) if name.type in NAMES and name.confidence >= SURE_FROM]


def numbers(text: str) -> set[float]:
    """The numbers of a text, in digits or in words."""
    spelt = {float(NUMBERS[word]) for word in words(text) if word in NUMBERS}
    return spelt | {float(digits.replace(",", "")) for digits in _DIGITS.findall(text)}
