"""Which claims of a turn tell most: about the speaker, with names, times and things in them, not warmth alone."""

from collections.abc import Sequence

from memory_app.language.extract.claims import Claim
from memory_app.language.extract.vocabulary import EVENTS, TIMES, VAGUE, content_words, named

MOST_CLAIMS = 3
"""Sentences of one turn that a memory is made of: of more, nobody reads all."""

LEAST_IMPERSONAL = 2
"""Words of substance from which a sentence about nobody tells anything: "it was so magical" has none."""


def telling(claim: Claim) -> float:
    """How much a claim tells, to compare those of one turn."""
    return (
        2 * claim.personal
        + min(len(named(claim.text, frozenset())), 2)
        + min(len(TIMES.findall(claim.text)), 2)
        + 0.5 * min(len(EVENTS.findall(claim.text)), 2)
        + 0.5 * min(_substance(claim), 6)
    )


def best(claims: Sequence[Claim], room: int) -> list[Claim]:
    """The claims that tell most and fit in `room` characters, at least one, in the order in which they were said."""
    kept = list[Claim]()
    for claim in sorted(claims, key=lambda claim: (-telling(claim), claim.start)):
        fits = len(kept) < MOST_CLAIMS and len(claim.text) <= room
        if not kept or (fits and (claim.personal or _substance(claim) >= LEAST_IMPERSONAL)):
            kept.append(claim)
            room -= len(claim.text)
    return sorted(kept, key=lambda claim: claim.start)


def _substance(claim: Claim) -> int:
    return max(len(set(content_words(claim.text))) - len(VAGUE.findall(claim.text)), 0)
