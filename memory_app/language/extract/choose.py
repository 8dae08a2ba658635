"""Which turns are proposed: the best above a bar, each thing once, and no more proposals than asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from memory_app.language.extract.signals import USER, Turn
from memory_app.language.extract.vocabulary import content_words

BAR_AT_FIVE, LOWER_FOR_EACH_MORE, LOWEST_BAR = 0.7, 0.04, 0.4
"""Worth from which a turn is proposed. Who asks for more than five gets what is less sure. Set on the learning
conversations so that at five a conversation .85 of what is proposed was noted there too."""

LOWER_WITH_AN_ASSISTANT = 0.2
"""To an assistant one tells about oneself unasked and in passing: the signals that a friend's answer gives are missing.
From written chats, not from the learning conversations, which have no assistant."""

MOST_TURNS = 3
"""Turns that one proposal may quote."""

NEXT_BUT_ONE = 2
"""Turns from one to the same speaker's next, with the other's answer between."""

SAID_ALREADY = 0.6
"""Share of the shorter claim's content words from which two say the same."""

ALIKE_FROM = 0.85
"""Cosine of two turns' vectors from which they say the same; as in the decision table."""

Alike = Callable[[int, int], float]


@dataclass
class Choice:
    """The turns of one proposal, by their position among the turns; the first chosen has the highest worth."""

    worth: float
    positions: list[int] = field(default_factory=list)


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
        if any(_says_the_same(turns, at, other, alike) for choice in chosen for other in choice.positions):
            continue
        if len(chosen) < limit:
            chosen.append(Choice(worths[at], [at]))
        elif goes_with := _continued(turns, at, chosen):
            goes_with.positions = sorted([*goes_with.positions, at])
    return chosen


def _continued(turns: Sequence[Turn], at: int, chosen: Sequence[Choice]) -> Choice | None:
    """The choice that this turn goes on with: the same speaker's, next to it, about the same thing."""
    for choice in chosen:
        if len(choice.positions) < MOST_TURNS and any(_goes_on(turns, at, other) for other in choice.positions):
            return choice
    return None


def _goes_on(turns: Sequence[Turn], at: int, other: int) -> bool:
    if turns[at].speaker != turns[other].speaker or abs(at - other) > NEXT_BUT_ONE:
        return False
    between = turns[(at + other) // 2].seen if abs(at - other) == NEXT_BUT_ONE else frozenset()
    return bool(turns[at].seen & (turns[other].seen | between))


def _says_the_same(turns: Sequence[Turn], at: int, other: int, alike: Alike | None) -> bool:
    mine, theirs = _claimed(turns[at]), _claimed(turns[other])
    if mine and theirs and len(mine & theirs) >= SAID_ALREADY * min(len(mine), len(theirs)):
        return True
    return alike is not None and alike(at, other) >= ALIKE_FROM


def _claimed(turn: Turn) -> set[str]:
    return {word for claim in turn.claims for word in content_words(claim.text)}
