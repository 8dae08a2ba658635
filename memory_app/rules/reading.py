"""A text read once, however often it is compared: what leads it, its words, and the key words of each sentence.

Only what is cheap; the claims of a text are taken apart by `statement`, when its words have something in common with
another's.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from memory_app.rules.assertion import states
from memory_app.rules.inflection import base
from memory_app.rules.joined import parted
from memory_app.rules.opposites import NEGATED, NEGATIONS, SAME
from memory_app.rules.quantities import QUANTITY_WORDS
from memory_app.rules.restated import restated
from memory_app.rules.ruled_out import bear_on
from memory_app.rules.speaker import led
from memory_app.rules.text import normalised, sentences
from memory_app.rules.tokens import FUNCTION_WORDS
from memory_app.rules.work import names_other_work

REMEMBERED, LONGEST_REMEMBERED = 2048, 8_000
"""Readings kept, and characters of the longest text of which one is: more than a batch of 1,000 and its neighbours,
some 3 MB of memory when they are short, 40 at most."""

LONGEST_READ = 2_000
"""Characters of which the sentences are compared; what is longer is a document, which is the same or another one."""

MOST_UNSHARED = 3
"""Key words that one of two close sentences may have alone: a value, a name, "at home". From the tests' pairs."""

MAY_BE_ONE_FROM = 0.4
"""Shared key words over all of both: a fan of jazz who loves it has two of four. From the tests' pairs."""

# What a shared picture shows, as assistants and exports put it beside the words: "[shared image: a cat]".
_CAPTION = re.compile(r"\s*\[[^\[\]]{1,400}\]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NOT_KEYS = (FUNCTION_WORDS | NEGATIONS) - {"i"} | QUANTITY_WORDS


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` is as `restated` puts it; `keys` stand for the words that carry its meaning: base forms, or those of their
    synonyms."""

    text: str
    keys: frozenset[str]

    @property
    def states(self) -> bool:
        """Whether it claims anything."""
        return _states(self.text)


@dataclass(frozen=True, slots=True)
class Reading:
    """`said` and `sentences` are without what leads the text and without what it shows; `keys` are of all of it."""

    said: str
    shown: tuple[str, ...]
    speaker: str
    told: str
    sentences: tuple[Sentence, ...]
    keys: frozenset[str]

    @property
    def normal(self) -> str:
        """What is said and shown in the form in which equal texts are equal."""
        normal = _normal if len(self.said) <= LONGEST_REMEMBERED else _normal.__wrapped__
        return normal(self.said, self.shown)

    @property
    def unread(self) -> str:
        """What of a document is not in `sentences`."""
        return self.said[LONGEST_READ:]

    @property
    def lead(self) -> tuple[str, str]:
        """By whom it was said, and when."""
        return self.speaker, self.told


def read(text: str) -> Reading:
    """The reading of a text; any text will do."""
    return _read(text) if len(text) <= LONGEST_REMEMBERED else _read.__wrapped__(text)


@lru_cache(maxsize=REMEMBERED)
def _read(text: str) -> Reading:
    lead = led(text)
    said, shown = lead.said, tuple(_CAPTION.findall(lead.said)) if "[" in lead.said else ()
    said = _CAPTION.sub("", said) if shown else said
    parts = tuple(_sentence(part) for sentence in sentences(said[:LONGEST_READ]) for part in parted(sentence))
    return Reading(said, shown, lead.speaker, lead.told, parts, frozenset().union(*(part.keys for part in parts)))


@lru_cache(maxsize=REMEMBERED)
def _normal(said: str, shown: tuple[str, ...]) -> str:
    return normalised(" ".join((said, *shown)))


def _sentence(said: str) -> Sentence:
    text = restated(said)
    return Sentence(text, frozenset(filter(None, map(_key, _WORD.findall(text)))))


def overlap(a: Reading, b: Reading) -> float:
    """Shared words over all words of both, 0 to 1."""
    mine, theirs = set(a.normal.split()), set(b.normal.split())
    return len(mine & theirs) / (len(mine | theirs) or 1)


def may_be_one(a: Reading, b: Reading) -> bool:
    """Whether both have so many key words in common that a closer look may find one text in two wordings."""
    return len(a.keys & b.keys) >= MAY_BE_ONE_FROM * len(a.keys | b.keys) or not (a.said.isascii() and b.said.isascii())


def may_say_the_same(a: Reading, b: Reading) -> bool:
    """Whether sentence by sentence both share so much that one may be the other in other words."""
    if len(a.sentences) != len(b.sentences):
        return False
    return all(x.keys == y.keys or close(x, y) for x, y in zip(a.sentences, b.sentences, strict=True))


def close(x: Sentence, y: Sentence) -> bool:
    """Whether two sentences share so much that they may say the same, or the contrary."""
    if bear_on(x.keys, y.keys):
        return True
    if x.keys.isdisjoint(y.keys):
        return False
    shared = len(x.keys & y.keys)
    few = max(len(x.keys), len(y.keys)) - shared <= min(MOST_UNSHARED, 2 * shared)
    return few or names_other_work(x.keys, y.keys)


@lru_cache(maxsize=REMEMBERED)
def _states(sentence: str) -> bool:
    return bool(states(sentence))


@lru_cache(maxsize=16_384)
def _key(word: str) -> str:
    """What stands for a word in a comparison: its base form, or its synonym's; empty for words without a meaning."""
    plain = word.lower().replace("’", "'")
    stem, _, ending = plain.partition("'")
    if stem in _NOT_KEYS or ending == "t":
        return ""
    meant = SAME.get(base(stem), base(stem))
    return NEGATED.get(meant, meant)
