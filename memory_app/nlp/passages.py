"""Which text is embedded: of a long one its passages, whole sentences in order; of a turn also what it answers."""

from collections.abc import Iterator, Sequence

from memory_app.nlp import linear_re as re

MAX_PASSAGE = 300
"""Characters that a passage has at most, but for the longest texts: at 500 and 1,000 a fact inside a long answer was
found less often (`docs/benchmarks.md`)."""

MAX_PASSAGES = 32
"""Of one text: a longer one has longer passages."""

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|\n+")
_WORD_END = re.compile(r"\s+")


def split_passages(text: str) -> list[str]:
    """The text in parts of up to `PASSAGE` characters, cut after sentences, and a longer sentence between words. Of a
    blank text one that is empty: with none it would wait for them for ever."""
    room = max(MAX_PASSAGE, -(-len(text) // (MAX_PASSAGES // 2)))
    found = [""]
    for part in _parts(text, room):
        if found[-1] and len(found[-1]) + len(part) > room:
            found.append("")
        found[-1] += part
    return [passage.strip() for passage in found if passage.strip()] or [""]


def _parts(text: str, room: int) -> Iterator[str]:
    """Sentences with what follows them; of a sentence that exceeds the room, its words; of such a word, pieces."""
    for sentence in _cut(text, _SENTENCE_END):
        if len(sentence) <= room:
            yield sentence
            continue
        for word in _cut(sentence, _WORD_END):
            yield from (word[start : start + room] for start in range(0, len(word), room))


def _cut(text: str, after: re.Pattern) -> Iterator[str]:
    start = 0
    for found in after.finditer(text):
        yield text[start : found.end()]
        start = found.end()
    yield text[start:]


LONGEST_BEFORE = 200
"""Characters of each turn before: enough to tell what was asked, too few to drown the answer (`docs/benchmarks.md`)."""

MIN_LONG_TURN = 1_000
"""Characters from which a turn explains itself, and is embedded alone."""


def turn_text(own: str, before: Sequence[str]) -> str:
    """The turn, led by its speaker, and the ones before it, nearest first, each cut at a word."""
    if len(own) > MIN_LONG_TURN:
        return own
    return "\n".join([own, *(_beginning(text) for text in before)])


def _beginning(text: str) -> str:
    return text if len(text) <= LONGEST_BEFORE else text[:LONGEST_BEFORE].rsplit(" ", 1)[0]
