"""What is told in another language, put into English sentence by sentence, as far as texts are compared."""

from collections.abc import Callable

from memory_app.rules.speaker import led
from memory_app.rules.text import sentences

LONGEST = 240
"""Characters of a sentence that is put into English: in a longer one more is told than two can be compared by."""


def by_sentences(text: str, is_of_it: Callable[[str], bool], put: Callable[[str], str]) -> str:
    """The text with every short sentence of that language put so; its lead, and what is in another, as it is."""
    said = led(text).said
    told = [put(part) if len(part) <= LONGEST and is_of_it(part) else part for part in sentences(said)]
    return text[: len(text) - len(said)] + " ".join(told)


def table(listed: str) -> dict[str, str]:
    """Lines of "english: word word" as English by word."""
    rows = (line.split(":") for line in listed.strip().splitlines())
    return {word: english for english, words in rows for word in words.split()}
