"""What someone told in one turn and takes back in a later one: only what holds at the end is noticed.

"The wedding is on June 12th", and later "sorry, on the 15th": the correction is noticed, with what it corrects before
it. A later claim that corrects one about the same thing, or fills the same slot of the person's, takes its place. That
two tell different things of one matter is not enough: one paints a horse today, and a sunset tomorrow.
"""

from collections.abc import Sequence
from dataclasses import replace

from memory_app.language.extract.claims import Claim, Heard
from memory_app.language.extract.patterns import TAKES_BACK_WORDS
from memory_app.language.extract.vocabulary import content_words
from memory_app.language.keys import key_of
from memory_app.rules import linear_re as re
from memory_app.rules.comparison import adds_nothing

REACH = 4
"""Turns of people within which a word alone corrects what was told."""

LONGEST = 60
"""Characters of a turn that is no more than such a word."""

ABOUT_THE_SAME = 0.5
"""Share of the shorter claim's content words from which two may speak of the same thing."""

# Says that something is corrected; "no" and "actually" may as well answer.
_CORRECTS = re.compile(
    rf"^(?:(?:oh|ah|hmm|wait|well|hey)\b[\s,.:!…–—-]*)*"
    rf"(?:{TAKES_BACK_WORDS}|sorry(?! (?:to|for|about|that|you)\b)|oops|my (?:mistake|bad))\b",
    re.IGNORECASE,
)
# Only a time or a number takes another's place: a name may as well be who is spoken to.
_PARTICULAR = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|january|"
    r"february|march|april|may|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)


def corrects(content: str) -> bool:
    """Whether what someone says opens as one does to correct oneself, whatever comes then."""
    return _CORRECTS.match(content.lstrip()) is not None


def settled(people: Sequence[Heard]) -> list[tuple[Claim, ...]]:
    """The claims of each turn of people, in order, without those that a later one corrects, or whose slot it fills."""
    told = [list(claims) for _, claims in people]
    for turn, (said, claims) in enumerate(people):
        earlier, correcting = _earlier(people, turn), corrects(said.content)
        if correcting and len(said.content) <= LONGEST and _PARTICULAR.search(said.content):
            told[turn] = _correction(people, told, [n for n in earlier if turn - n <= REACH], turn)
        for n in earlier if claims else ():
            told[n] = [claim for claim in told[n] if not any(_gives_way(claim, one, correcting) for one in claims)]
    return [tuple(claims) for claims in told]


def _correction(people: Sequence[Heard], told: Sequence[list[Claim]], near: Sequence[int], turn: int) -> list[Claim]:
    """The words of a correction with the last claim that they can correct before them, which is told no more alone."""
    content = people[turn][0].content
    for n in near:
        at = next((at for at in reversed(range(len(told[n]))) if _PARTICULAR.search(told[n][at].text)), None)
        if at is not None:
            old = told[n].pop(at)
            before = old.context or people[n][0].content[old.start : old.end]
            start = len(content) - len(content.lstrip())
            return [replace(old, start=start, end=len(content.rstrip()), text=content, context=before)]
    return told[turn]


def _earlier(people: Sequence[Heard], turn: int) -> list[int]:
    """The same speaker's turns before one, the latest first."""
    speaker = people[turn][0].speaker
    return [n for n in range(turn - 1, -1, -1) if people[n][0].speaker == speaker]


def _gives_way(claim: Claim, later: Claim, correcting: bool) -> bool:
    mine, theirs = set(content_words(claim.text)), set(content_words(later.text))
    if len(mine & theirs) < ABOUT_THE_SAME * min(len(mine), len(theirs)):
        return False
    key = key_of(claim.text)
    return correcting or (key != "" and key == key_of(later.text) and not adds_nothing(later.text, claim.text))
