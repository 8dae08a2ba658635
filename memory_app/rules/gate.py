"""The gate: whether what was found is relevant enough to put before an assistant.

A logistic combination of several features of the five best rows and of the question's words; its coefficients were
fitted on conversations 1–3 of LoCoMo, each one's questions put to its own person and to others (`bench/README.md`).
"""

import re
from collections.abc import Sequence

from .fusion import Signals, Statistics, brevity, closeness, coverage, rarity

SKIPPED_INTENTS = frozenset({"alarm", "cancel", "clock", "command", "greeting", "smalltalk", "stop", "time", "timer"})
"""What an intent may begin with that no memory helps with: `timer_set`, `time.query`, `cancel`."""

_FIRST_WORD = re.compile(r"[a-z]+")

BEST = 5
CLOSE, COVERED, UNSEEN, STRANGER, KNOWN, BIAS = 10.0, 6.7, -1.7, -0.4, 1.2, -7.0
THRESHOLD = -0.4

ENOUGH = 10.0
"""Nats of rarity below which a question has too few words to count as wholly covered ("thanks!", "ok")."""

FEWEST_ROWS = 500.0
"""Rarity is taken as if there were at least so many rows: of a person with two memories, every word is in half."""

MOST_STRANGERS = 2

PART_OF_BEST = 0.6
"""Of the best row's score: what has less is left out even where the gate is open. Measured on what search finds in its
first five: of the evidence that passes the gate, .997 passes this too; at .65 it is .992."""

TOPIC_COVERED, TOPIC_CLOSE = 0.3, 0.6
"""Of a topic whose memories someone asks for ("the blue tile"): the share of its words, by rarity, that a memory is to
have, or how close in meaning it is to be (a cosine of .5), to be one of them. Set by eye."""


# "How do I drive a truck?", "how to drive in snow", but not "how do I take my tea?" or "how do I pay?".
_HOW_TO = re.compile(
    r"^\W*(?:(?:please|can you|could you|tell me|show me|explain)(?: (?:tell|show|explain)(?: to)?)?(?: me)? )*"
    r"how (?:(?:do|can|could|should|would|must) (?:i|we|you|one)|to)(?: (?:best|properly|actually|even))? "
    r"(?P<verb>[a-z]{2,})\b(?! (?:my|our)\b)(?=\W*\w)(?!.*\b(?:my|our|mine|ours|i|we)\b)",
    re.IGNORECASE | re.DOTALL,
)


def gains_nothing(intent: str) -> bool:
    """Whether an assistant's own name for what is asked says that no memory helps."""
    word = _FIRST_WORD.match(intent.casefold().replace("small_talk", "smalltalk"))
    return word is not None and word.group() in SKIPPED_INTENTS


def asks_how_to(question: str) -> str:
    """The verb of what someone asks to be taught, "" where they ask nothing of the kind: that Alice drives a Golf does
    not tell how to drive a truck. Put to someone with 60 memories, 8 of 40 such questions briefed something by the
    verb, and 2 without it; of 58 about their own life 49 were answered, and 48."""
    found = _HOW_TO.match(question)
    return found["verb"].casefold() if found else ""


def without_word(row: Signals, word: str, words: Sequence[str]) -> Signals:
    """A row as if it did not have that one of the question's words, which does not tell what it is about."""
    places = sum(1 << bit for bit, each in enumerate(words) if each.casefold() == word)
    return row._replace(matched=row.matched & ~places)


def opens(best: Sequence[Signals], statistics: Statistics, names_known: bool) -> bool:
    """Whether a brief may hold anything. best: the rows as ranked; names_known: a speaker of theirs is named."""
    return score(best, statistics, names_known) >= THRESHOLD


def admits(score: float, best: float) -> bool:
    """Whether one row is nearly as relevant as the best."""
    return score >= PART_OF_BEST * best


def speaks_of(row: Signals, statistics: Statistics) -> bool:
    """Whether a row is about a topic that was asked for by itself: it has a word of it, or means much the same."""
    return coverage(row, statistics) >= TOPIC_COVERED or closeness(row.bare_cosine) >= TOPIC_CLOSE


def tells_of_a_side(row: Signals, statistics: Statistics) -> bool:
    """Whether a row has a word by which a side of a life is told that was asked of."""
    return bool(row.matched & statistics.sides_asked_of)


def score(best: Sequence[Signals], statistics: Statistics, names_known: bool) -> float:
    """The log-odds, up to a constant, that what was found is relevant."""
    top = best[:BEST]
    if not top:
        return float("-inf")
    weights = _weights(statistics, names_known)
    total = sum(weights)
    unseen = sum(w for w, df in zip(weights, statistics.holding, strict=True) if not df) / total if total else 1.0
    covered = max(_covered(row, weights) for row in top) / max(total, ENOUGH)
    close = max(row.bare_cosine or 0.0 for row in top)
    strangers = min(_strangers(statistics), MOST_STRANGERS)
    return CLOSE * close + COVERED * covered + UNSEEN * unseen + STRANGER * strangers + KNOWN * names_known + BIAS


def _weights(statistics: Statistics, names_known: bool) -> list[float]:
    """Rarity of each word; names of speakers and stop words weigh nothing."""
    rows = max(statistics.rows, FEWEST_ROWS)
    return [
        rarity(rows, holding) if counts and not (name and names_known and holding) else 0.0
        for holding, counts, name in zip(statistics.holding, statistics.counts, statistics.is_name, strict=True)
    ]


def _covered(row: Signals, weights: Sequence[float]) -> float:
    return sum(weight for bit, weight in enumerate(weights) if row.matched >> bit & 1) * brevity(row.words)


def _strangers(statistics: Statistics) -> int:
    """Names in the question that no visible row holds."""
    return sum(name and not holding for name, holding in zip(statistics.is_name, statistics.holding, strict=True))
