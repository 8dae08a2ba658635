"""A text as its owner would say it: to Alice, "Alice's dog is called Rex" is "my dog is called Rex".

For comparing alone: no one is shown such words. Only the owner's own names are read so, and only where it is the owner
who speaks; verbs keep their endings, for texts are compared by the base forms of their words.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from memory_app.rules.inflection import base
from memory_app.rules.quantities import QUANTITY_WORDS
from memory_app.rules.speaker import led
from memory_app.rules.statement import happened
from memory_app.rules.text import vocabulary
from memory_app.rules.tokens import FUNCTION_WORDS

SHORTEST_IN_SMALL_LETTERS = 3
"""Letters of a name that is known though it is not written with a capital: "al" would be found in too much."""

AROUND = 120
"""Characters before and after a name by which it is told what it is there: a few words. A pasted talk of 50,000
characters names its owner in every line, and took half a minute where all around each was looked at."""

REMEMBERED = 2048

_FIRST_PERSON = re.compile(r"\b(?:i|me|my|mine|myself)\b", re.IGNORECASE)
# The "'s" of "Alice's a nurse" is no owner's.
_IS_OR_HAS = r"['’]s(?=\s+(?:an?|the|been|got|not|now|in|at|on|from|very|always|never|also|\w+ing|\d+)\b)"
_HAS = re.compile(r"\s+(?:(?:not|now|always|never|also)\s+)?(?:been|got)\b", re.IGNORECASE)
_OWNING = r"['’]s?(?!\w)"
_BEFORE_A_SUBJECT = re.compile(
    r"(?:^|[.,;:!?–—(\"“]|\b(?:and|but|that|because|so|or|if|when|while|then|now))\s*$", re.I
)
_AFTER_A_PREPOSITION = re.compile(
    r"\b(?:to|for|with|by|from|of|about|at|than|near|on|behind|before|after|against|like|without)\s+$", re.IGNORECASE
)
_VERBS_AFTER_A_SUBJECT = vocabulary(
    "is was has had does did will would can could should must may might isn't wasn't hasn't doesn't didn't won't can't "
    "never always often still now no"
)
# A capitalised word beside a name makes one longer name of the two: "Alice Springs", "Mary Alice", but not "ALICE IS".
_CAPITAL_AFTER = re.compile(r"[^\S\n]+[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]")
_LAST_WORD = re.compile(r"([^\W\d_][\w'’-]*)[^\S\n]+$")


def of_oneself(text: str, names: Iterable[str]) -> str:
    """The text with every name of its owner as "I", "my" or "me", and without the owner's name in its lead; the text
    itself where someone else speaks, or it names the owner nowhere."""
    return _of_oneself(text, tuple(sorted(_usable(names), key=len, reverse=True)))


def in_first_person(text: str) -> bool:
    """Whether a text speaks of whoever tells it."""
    return _FIRST_PERSON.search(led(text).said) is not None


def _usable(names: Iterable[str]) -> set[str]:
    """Names that are no plain word, and the first of a full one: "Alice Lee" is Alice too."""
    full = {name.strip() for name in names}
    first = {name.split()[0] for name in full if " " in name and name[:1].isupper()}
    return {name for name in full | first if name.casefold() not in FUNCTION_WORDS | QUANTITY_WORDS and len(name) > 1}


@lru_cache(maxsize=REMEMBERED)
def _of_oneself(text: str, names: Sequence[str]) -> str:
    lead = led(text)
    if lead.speaker:
        if lead.speaker.casefold() not in {name.casefold() for name in names}:
            return text
        before = f"[{lead.told}] " if lead.told else ""
    else:
        before = text[: len(text) - len(lead.said)]
    if not names or not any(name.casefold() in lead.said.casefold() for name in names):
        return before + lead.said
    listed = "|".join(map(re.escape, names))
    pattern = re.compile(rf"(?<![\w@#/-])(?:{listed})(?:(?P<be>{_IS_OR_HAS})|(?P<own>{_OWNING})|(?![\w-]))", re.I)
    return before + pattern.sub(_instead, lead.said)


def _instead(found: re.Match[str]) -> str:
    start, end = found.span()
    before, after = found.string[max(start - AROUND, 0) : start], found.string[end : end + AROUND]
    if not _is_the_name(found[0], before, after, owning=bool(found["own"])):
        return found[0]
    if found["own"]:
        return "my"
    if found["be"]:
        return "I have" if _HAS.match(after) else "I am"
    return "I" if _is_subject(before, after) else "me"


def _is_the_name(written: str, before: str, after: str, *, owning: bool) -> bool:
    if written[:1].islower():
        at_the_start = not before.strip() and len(written) >= SHORTEST_IN_SMALL_LETTERS
        return at_the_start or owning or any(character.isdigit() for character in written)
    if not owning and _CAPITAL_AFTER.match(after):
        return False
    last = _LAST_WORD.search(before)
    # What opens the text has a capital anyway.
    return last is None or not before[: last.start()].strip() or last[1].isupper() or not last[1][:1].isupper()


def _is_subject(before: str, after: str) -> bool:
    if _AFTER_A_PREPOSITION.search(before):
        return False
    if _BEFORE_A_SUBJECT.search(before):
        return True
    following = after.split(maxsplit=1)[:1]
    word = following[0].lower().rstrip(".,;:!?") if following else ""
    return word in _VERBS_AFTER_A_SUBJECT or happened([word]) or (word.endswith("s") and base(word) != word)
