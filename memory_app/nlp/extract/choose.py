"""Which turns are proposed: the best above a bar, each thing once, and no more proposals than asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memory_app.nlp.extract.vocabulary import content_words
from memory_app.nlp.extract.worth import USER, Turn

BAR_AT_FIVE, LOWER_FOR_EACH_MORE, LOWEST_BAR = 0.65, 0.03, 0.4
"""Worth from which a turn is proposed. Who asks for more than five gets what is less sure. Set on the learning
conversations so that at five a conversation .85 of what is proposed was noted there too."""

LOWER_WITH_AN_ASSISTANT = 0.15
"""To an assistant one tells about oneself unasked and in passing: the signals that a friend's answer gives are missing.
From written chats, not from the learning conversations, which have no assistant."""

SAID_ALREADY = 0.6
"""Share of the shorter claim's content words from which two say the same."""

ALIKE_FROM = 0.85
"""Cosine of two turns' vectors from which they say the same; as in the decision table."""

Alike = Callable[[int, int], float]


@dataclass(frozen=True, slots=True)
class Choice:
    """A turn to be proposed, by its position among the turns."""

    worth: float
    position: int


def bar(limit: int, assisted: bool = False) -> float:
    """The worth that a turn needs when at most `limit` proposals are asked for; `assisted`: an assistant takes part."""
    lower = LOWER_FOR_EACH_MORE * max(limit - 5, 0) + LOWER_WITH_AN_ASSISTANT * assisted
    return max(LOWEST_BAR, BAR_AT_FIVE - lower)


def choose(turns: Sequence[Turn], worths: Sequence[float], limit: int, alike: Alike | None = None) -> list[Choice]:
    """At most `limit` choices, best first."""
    needed = bar(limit, assisted=any(turn.said.role != USER for turn in turns))
    able = [n for n, turn in enumerate(turns) if turn.claims and worths[n] >= needed]
    chosen: list[Choice] = []
    for at in sorted(able, key=lambda n: (-worths[n], n)):
        if len(chosen) < limit and not any(_says_the_same(turns, at, one.position, alike) for one in chosen):
            chosen.append(Choice(worths[at], at))
    return chosen


def _says_the_same(turns: Sequence[Turn], at: int, other: int, alike: Alike | None) -> bool:
    mine, theirs = _claimed(turns[at]), _claimed(turns[other])
    if mine and theirs and len(mine & theirs) >= SAID_ALREADY * min(len(mine), len(theirs)):
        return True
    return alike is not None and alike(at, other) >= ALIKE_FROM


def _claimed(turn: Turn) -> set[str]:
    return {word for claim in turn.claims for word in content_words(claim.text)}
