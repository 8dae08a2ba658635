"""Whether a text holds a name or a number that its sources do not: what a model added of its own.

Dates are left out here: "last Friday" may well have become one. English names; in other languages few are found.
"""

from collections.abc import Iterable

from memory_app.language.names import entities
from memory_app.rules import linear_re as re
from memory_app.rules.quantities import quantities
from memory_app.rules.text import words
from memory_app.rules.tokens import plain_tokens

NAMES = ("person", "organization", "location", "project")

SURE_FROM = 0.7
"""Below this, `names` only saw a capital letter."""

_DIGITS = re.compile(r"\d{1,15}")
# "A daughter" may be one daughter.
_SAID_WITHOUT_NUMBER = {1.0}


def invented(text: str, sources: Iterable[str]) -> set[str]:
    """The names and numbers of the text that none of the sources holds, in small letters."""
    known = "\n".join(sources)
    counted = numbers(known) | {float(digits) for digits in _DIGITS.findall(known)} | _SAID_WITHOUT_NUMBER
    named = {part for name in names_of(text) for part in plain_words(name)}
    return (named - plain_words(known)) | {f"{number:g}" for number in numbers(text) - counted}


def plain_words(text: str) -> set[str]:
    """The words of a text, small, "Alice's" as "alice"."""
    return {part for token in plain_tokens(text) for part in words(token)}


def names_of(text: str) -> list[str]:
    """People, places, organisations and projects named in a text."""
    return [name.canonical for name in entities(text) if name.type in NAMES and name.confidence >= SURE_FROM]


def numbers(text: str) -> set[float]:
    """The numbers of a text that are no part of a date or a time, in the units of `rules.quantities`."""
    found, _ = quantities([token.lower() for token in plain_tokens(text)])
    return {value for _, value in found.numbers}
