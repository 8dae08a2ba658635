"""What is told in another language, put into English sentence by sentence, as far as texts are compared."""

import re
from collections.abc import Callable

from memory_app.rules.speaker import led
from memory_app.rules.text import sentences, vocabulary

LONGEST = 240
"""Characters of a sentence that is put into English: in a longer one more is told than two can be compared by."""


_ENGLISH = vocabulary("i the my our is are and of have has he she it not with")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def by_sentences(text: str, its: frozenset[str], put: Callable[[str], str]) -> str:
    """The text with every short sentence of a language put so; its lead, and what is in another, as it is. its: words
    by which a sentence is known to be of that language, for they are none of English."""
    said = led(text).said
    told = [put(part) if len(part) <= LONGEST and _is_of(part, its) else part for part in sentences(said)]
    return text[: len(text) - len(said)] + " ".join(told)


def _is_of(sentence: str, its: frozenset[str]) -> bool:
    found = {word.lower() for word in _WORD.findall(sentence)}
    return not its.isdisjoint(found) and _ENGLISH.isdisjoint(found)


def table(listed: str) -> dict[str, str]:
    """Lines of "english: word word" as English by word."""
    rows = (line.split(":") for line in listed.strip().splitlines())
    return {word: english for english, words in rows for word in words.split()}
