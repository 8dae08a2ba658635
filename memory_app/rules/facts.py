"""What someone tells of themselves in one breath, taken into facts that each stand alone: "my name is Ann, I live in
Rome and I like tea" is three. English, by the form of the words.

In doubt what belongs together stays together: what happened, one thing told in two sentences, what points back.
"""

import re
from collections.abc import Sequence

from memory_app.rules.inflection import base
from memory_app.rules.opposites import SAME
from memory_app.rules.reading import read
from memory_app.rules.statement import happened
from memory_app.rules.text import sentences, vocabulary

LONGEST = 1_000
"""Characters of a sentence that is taken apart: nobody says a longer one, and each clause is read with those before."""

_SELF = r"(?:I|we)\b(?:['’](?:m|re|ve|ll))?|(?:my|our) (?!own\b)[\w-]+"
# Where one clause about oneself ends and the next one begins.
_JOINT = re.compile(
    rf"\s*(?:[,;]\s*(?:and\s+|plus\s+)?|\s+[–—]\s+|\s+and\s+)(?:also\s+)?(?=(?:{_SELF})\s+\w)", re.IGNORECASE
)
_OPENING = re.compile(
    r"^(?:(?:and|also|plus|oh|btw|by the way|well|hi|hello|hey|so|anyway|okay|ok|yes|yeah|no|lol|i mean)\b[\s,!.]*)+",
    re.IGNORECASE,
)
_OF_SELF = re.compile(
    r"^(?:(?:I|we)\b(?P<short>['’](?:m|re|ve|ll))?|(?P<mine>my|our)\s+(?:[\w'’-]+\s+){1,5}?(?=(?:is|are|lives?|works?|has|"
    r"likes?|loves?|was born|comes?|speaks?|goes|prefers?|plays?|visits?|teaches|studies|starts?|moves?|arrives?|"
    r"turns?|needs?|wants?|owns?|drives?|runs?|stays?|hates?|enjoys?)\b))\s*(?P<said>.*)$",
    re.IGNORECASE | re.DOTALL,
)
# What happened once is told by what came of it; these are what came of it.
_SETTLED = re.compile(
    r"^(?:have |['’]ve )?(?:decided|agreed|chose|chosen|picked|settled|was born|were born)\b", re.IGNORECASE
)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|that|this|those|these|then|so|he|she|they|him|her|them|his|hers|their|both|either|neither|such|same|"
    r"which|therefore|otherwise|instead|too|as well|though|there|ones?)\b",
    re.IGNORECASE,
)
# "My boss is great, my pay is not" leaves out what is not said of the pay.
_CUT_SHORT = vocabulary(
    "not isn't aren't don't doesn't didn't won't can't is are am do does did too neither isn’t don’t"
)
_SUPPOSED = re.compile(r"\b(?:if|unless|when(?:ever)?|while|until|would|might|maybe|perhaps|because)\b", re.IGNORECASE)
# Said of many things: two facts may well share one of these.
_OF_ANYTHING = frozenset(
    SAME.get(base(word), base(word))
    for word in vocabulary(
        "like prefer need want use live work call have go decide choose agree favourite new speak play"
    )
)


def facts(sentence: str) -> list[str]:
    """The clauses of one sentence that each tell a fact of their own, as they stand in it; else the sentence alone."""
    if len(sentence) > LONGEST:
        return [sentence]
    cuts = [(found.start(), found.end()) for found in _JOINT.finditer(sentence)]
    parts, start = list[str](), 0
    for end, following in cuts:
        before, after = sentence[start:end], sentence[following : _next(cuts, following, len(sentence))]
        if stands_alone(before) and stands_alone(after) and not _shares(before, after):
            parts.append(before)
            start = following
    return [*parts, sentence[start:]]


def stands_alone(clause: str) -> bool:
    """Whether a clause tells of oneself what holds, or was settled, in words that need no other clause."""
    told = _OF_SELF.match(_OPENING.sub("", clause.strip()))
    if told is None or _POINTS_BACK.search(clause) or _SUPPOSED.search(clause):
        return False
    said = told["said"].split()
    if said[1:2] == ["to"] and said[0].lower() in ("need", "have", "want", "got"):
        # "I need to prepare": for what was told before.
        return False
    if said and said[-1].lower().rstrip(".!") in _CUT_SHORT:
        return False
    if not said or (len(said) == 1 and not (told["short"] or told["mine"])):
        return False
    return bool(_SETTLED.match(told["said"])) or told["short"] is not None or not happened(said)


def goes_on(before: str, clause: str) -> bool:
    """Whether a clause tells no fact of its own after another: one of the two does not stand, or they share words. What
    was settled stands after what happened: "we met the architect; we decided to move the sink"."""
    apart = stands_alone(clause) and (stands_alone(before) or settles(clause))
    return not apart or _shares(before, clause)


def settles(clause: str) -> bool:
    """Whether a clause tells what was decided."""
    told = _OF_SELF.match(_OPENING.sub("", clause.strip()))
    return told is not None and _SETTLED.match(told["said"]) is not None


def separate(text: str) -> list[str]:
    """A text as the facts it tells, if every one of them stands alone; else the text, whole."""
    parts = [part.strip() for sentence in sentences(text) for part in facts(sentence)]
    clear = all(map(stands_alone, parts)) and not any(_shares(a, b) for n, b in enumerate(parts) for a in parts[:n])
    return parts if clear and len(parts) > 1 else [text]


def _next(cuts: Sequence[tuple[int, int]], at: int, end: int) -> int:
    return next((start for start, _ in cuts if start > at), end)


def _shares(a: str, b: str) -> bool:
    return bool((read(a).keys & read(b).keys) - _OF_ANYTHING - {"i"})
