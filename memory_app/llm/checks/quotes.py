"""Quotes of a model checked against what was said: only the person's own words, letter for letter, are evidence."""

from memory_app.language.extract.said import Quote, Said
from memory_app.language.extract.vocabulary import content_words
from memory_app.language.sensitive import sensitive_kinds
from memory_app.rules import linear_re as re

LONGEST = 600


def stretch(said: str, words: str) -> str:
    """The stretch of a text that the words are, whatever the white space between them; "" where they are not in it."""
    parts = words[: LONGEST * 2].split()
    found = re.search(r"\s+".join(map(re.escape, parts)), said) if parts else None
    return found[0] if found else ""


def checked(said: Said | None, text: str) -> Quote | str:
    """The quote as it stands in the turn, or why it is none."""
    if said is None:
        return "unknown turn"
    if said.role != "user":
        return "quotes the assistant"
    words = stretch(said.content, text)
    if not words or len(words) > LONGEST:
        return "quote not said"
    if not content_words(words):
        return "quote says nothing"
    if sensitive_kinds(words):
        return "sensitive"
    return Quote(said.index, words)
