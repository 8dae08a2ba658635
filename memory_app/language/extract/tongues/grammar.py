"""What a small grammar of a language says: which plain sentences tell of oneself, and how they are told of a person.

Only what can be told whole and right is noticed: a sentence with a verb, a pronoun or a time that the grammar does not
know is left out, as are questions, guesses, what concerns the other one, what passes and what is sensitive.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grammar:
    """`language` by the name that the database has for it; `retold` tells a sentence of the person named, or gives ""
    where it cannot; `left_out` is what no plain statement has in it, `sensitive` what nothing that is noticed has;
    `oneself` marks what whoever speaks says of themselves; `keys` are slots of the person's own by the form of the
    sentence; `likes` marks preferences."""

    language: str
    retold: Callable[[str, str], str]
    left_out: re.Pattern[str]
    sensitive: re.Pattern[str]
    oneself: re.Pattern[str]
    likes: re.Pattern[str]
    keys: Mapping[str, re.Pattern[str]]
    empty: frozenset[str]


def any_of(*listed: str) -> re.Pattern[str]:
    """A question mark, or any of the words listed, parted by white space; "_" stands for a space, and each may be an
    expression of its own."""
    words = (word.replace("_", " ") for each in listed for word in each.split())
    return re.compile(rf"\?|\b(?:{'|'.join(words)})(?!\w)", re.IGNORECASE)
