"""Which turns are proposed: the best above a bar, each thing once, and no more proposals than asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memory_app.nlp.extract.vocabulary import content_words
from memory_app.nlp.extract.worth import USER, Turn

THRESHOLD_AT_FIVE, THRESHOLD_STEP, MIN_THRESHOLD = 0.65, 0.03, 0.4
"""Worth from which a turn is proposed. Who asks for more than five gets what is less sure. Set on the learning
conversations so that at five a conversation .85 of what is proposed was noted there too."""

ASSISTANT_DISCOUNT = 0.15
"""To an assistant one tells about oneself unasked and in passing: the signals that a friend's answer gives are missing.
From written chats, not from the learning conversations, which have no assistant."""

SAME_WORDS_SHARE = 0.6
"""Share of the shorter claim's content words from which two say the same."""

SAME_MEANING_COSINE = 0.85
"""Cosine of two turns' vectors from which they say the same; as in the decision table."""

Similarity = Callable[[int, int], float]


@dataclass(frozen=True, slots=True)
class Choice:
    """A turn to be proposed, by its position among the turns."""

    worth: float
    position: int


def worth_threshold(limit: int, assisted: bool = False) -> float:
    """The worth that a turn needs when at most `limit` proposals are asked for; `assisted`: an assistant takes part."""
    lower = THRESHOLD_STEP * max(limit - 5, 0) + ASSISTANT_DISCOUNT * assisted
    return max(MIN_THRESHOLD, THRESHOLD_AT_FIVE - lower)


def choose_turns(
    turns: Sequence[Turn], worths: Sequence[float], limit: int, alike: Similarity | None = None
) -> list[Choice]:
    """At most `limit` choices, best first."""
    needed = worth_threshold(limit, assisted=any(turn.said.role != USER for turn in turns))
    able = [n for n, turn in enumerate(turns) if turn.claims and worths[n] >= needed]
    chosen: list[Choice] = []
    for at in sorted(able, key=lambda n: (-worths[n], n)):
        if len(chosen) < limit and not any(_says_the_same(turns, at, one.position, alike) for one in chosen):
            chosen.append(Choice(worths[at], at))
    return chosen


def _says_the_same(turns: Sequence[Turn], at: int, other: int, alike: Similarity | None) -> bool:
    mine, theirs = _claim_words(turns[at]), _claim_words(turns[other])
    if mine and theirs and len(mine & theirs) >= SAME_WORDS_SHARE * min(len(mine), len(theirs)):
        return True
    return alike is not None and alike(at, other) >= SAME_MEANING_COSINE


def _claim_words(turn: Turn) -> set[str]:
    return {word for claim in turn.claims for word in content_words(claim.text)}
