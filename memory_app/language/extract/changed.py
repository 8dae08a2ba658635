"""What someone told in one turn and takes back in a later one: only what holds at the end is noticed.

"The wedding is on June 12th", and later "sorry, on the 15th": the claim is told with the word that came instead, and
quotes both turns. A later claim that corrects one about the same thing, or fills the same slot of the person's, takes
its place. That two tell different things of one matter is not enough: one paints a horse today, and a sunset tomorrow.
"""

from collections.abc import Sequence
from dataclasses import replace

from memory_app.language.extract.claims import Claim, Heard, located, spoken
from memory_app.language.extract.repair import corrected, corrects
from memory_app.language.extract.said import Quote, Said
from memory_app.language.extract.vocabulary import content_words
from memory_app.language.keys import key_of
from memory_app.rules.differences import differences

REACH = 4
"""Turns of people within which a word alone corrects what was told."""

LONGEST = 60
"""Characters of a turn that is no more than such a word."""

ABOUT_THE_SAME = 0.5
"""Share of the shorter claim's content words from which two may speak of the same thing."""


def with_corrections(people: Sequence[Heard]) -> list[tuple[Claim, ...]]:
    """The claims of each turn of people, in order, with the words that came instead in later ones."""
    told = [list(claims) for _, claims in people]
    for turn, (said, _) in enumerate(people):
        near = [n for n in _earlier(people, turn) if turn - n <= REACH]
        if len(said.content) <= LONGEST and _correct(told, near, said):
            told[turn] = []
    return [tuple(claims) for claims in told]


def without_outdated(people: Sequence[Heard]) -> list[tuple[Claim, ...]]:
    """The claims of each turn of people, in order, without those that a later one corrects, or whose slot it fills."""
    told = [list(claims) for _, claims in people]
    for turn, (said, claims) in enumerate(people):
        correcting = corrects(said.content)
        for n in _earlier(people, turn) if claims else ():
            told[n] = [claim for claim in told[n] if not any(_gives_way(claim, one, correcting) for one in claims)]
    return [tuple(claims) for claims in told]


def _earlier(people: Sequence[Heard], turn: int) -> list[int]:
    """The same speaker's turns before one, the latest first."""
    speaker = people[turn][0].speaker
    return [n for n in range(turn - 1, -1, -1) if people[n][0].speaker == speaker]


def _gives_way(claim: Claim, later: Claim, correcting: bool) -> bool:
    mine, theirs = set(content_words(claim.text)), set(content_words(later.text))
    if claim.plain or len(mine & theirs) < ABOUT_THE_SAME * min(len(mine), len(theirs)):
        return False
    key = key_of(claim.text)
    return correcting or (key != "" and key == key_of(later.text) and bool(differences(claim.text, later.text)))


def _correct(told: Sequence[list[Claim]], earlier: Sequence[int], said: Said) -> bool:
    """Whether there was a claim with a word of the kind that comes instead; the last one is told with that word."""
    _, sentence = next(located(spoken(said.content)), (0, ""))
    for n in earlier:
        for at in reversed(range(len(told[n]))):
            claim = told[n][at]
            if not claim.plain and (text := corrected(claim.text, sentence)):
                told[n][at] = replace(claim, text=text, amended=(*claim.amended, Quote(said.index, sentence)))
                return True
    return False
