"""A sentence that tells several things in one breath, taken apart where each has a subject and a verb of its own: "I
moved to Rome and my budget is 50,000" is two.

For comparing: each is compared with what is told of its own subject. English, by the form of the words; in doubt a
sentence stays whole.
"""

import re

from memory_app.rules.assertion import states
from memory_app.rules.statement import begins_a_claim, tells
from memory_app.rules.text import vocabulary

LONGEST = 1_000
"""Characters of a sentence that is taken apart: nobody says a longer one."""

_JOINT = re.compile(r"\s*[,;]\s*(?:(?:and|plus)\s+)?(?:also\s+)?|\s+(?:and|plus)\s+(?:also\s+)?", re.IGNORECASE)
# What follows one of these is said, thought or supposed, to the end of the sentence.
_HANGS_ON = re.compile(
    r"\b(?:if|unless|when(?:ever)?|while|until|because|since|would|might|whether|that|who|which|where|why|how)\b",
    re.IGNORECASE,
)
_SAID = vocabulary(
    "say says said tell tells told claim claims claimed ask asks asked hear heard hears know knows knew learn learned "
    "dream dreamt dreamed see saw find found decide decided agree agreed"
)


def parted(sentence: str) -> list[str]:
    """The clauses that each tell something of their own subject, in order; else the sentence alone."""
    if len(sentence) > LONGEST or _JOINT.search(sentence) is None or _hangs_together(sentence):
        return [sentence]
    parts, start = list[str](), 0
    for joint in _JOINT.finditer(sentence):
        before, after = sentence[start : joint.start()], sentence[joint.end() :]
        if begins_a_claim(after) and tells(before):
            parts.append(before)
            start = joint.end()
    return [*parts, sentence[start:]]


def _hangs_together(sentence: str) -> bool:
    said = not _SAID.isdisjoint(sentence.lower().split())
    return said or _HANGS_ON.search(sentence) is not None or not states(sentence)
