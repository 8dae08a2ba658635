"""What someone told in one turn and takes back in a later one: "it is on June 12th", then "sorry, on the 15th".

The correction is noticed, with what it corrects before it, and that alone no more.
"""

from collections.abc import Sequence
from dataclasses import replace

from memory_app.nlp import linear_re as re
from memory_app.nlp.extract.claims import Claim, TurnClaims
from memory_app.nlp.extract.vocabulary import CORRECTION

MAX_TURNS_BACK = 4
"""Turns of people within which a word alone corrects what was told."""

MAX_CORRECTION_LENGTH = 60
"""Characters of a turn that is no more than such a word."""

# Only a time or a number takes another's place: a name may as well be who is spoken to.
_PARTICULAR = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|january|"
    r"february|march|april|may|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)


def apply_corrections(people: Sequence[TurnClaims]) -> list[tuple[Claim, ...]]:
    """The claims of each turn of people, in order; a correction with the last claim that it can correct before it."""
    told = [list(claims) for _, claims in people]
    for turn, (said, _) in enumerate(people):
        content = said.content.strip()
        if len(content) > MAX_CORRECTION_LENGTH or not CORRECTION.match(content) or not _PARTICULAR.search(content):
            continue
        for n in range(turn - 1, max(turn - MAX_TURNS_BACK, 0) - 1, -1):
            if people[n][0].speaker == said.speaker and told[n] and _PARTICULAR.search(told[n][-1].text):
                old, start = told[n].pop(), said.content.index(content)
                before = old.context or people[n][0].content[old.start : old.end]
                told[turn] = [replace(old, start=start, end=start + len(content), text=content, context=before)]
                break
    return [tuple(claims) for claims in told]
