"""The gate: whether what was found is relevant enough to put before an assistant.

A logistic combination of several features of the five best rows and of the question's words; its coefficients were
fitted on conversations 1–3 of LoCoMo, as turns, as memories and as the observations made of them, and on short
statements of people written by hand; each one's questions put to its own person and to others (`bench/README.md`).
"""

import math
from collections.abc import Sequence

from memory_app.rules import linear_re as re

from .fusion import Signals, Statistics, brevity, closeness, rarity

SKIPPED_INTENTS = frozenset({"alarm", "cancel", "clock", "command", "greeting", "smalltalk", "stop", "time", "timer"})
"""What an intent may begin with that no memory helps with: `timer_set`, `time.query`, `cancel`."""

_FIRST_WORD = re.compile(r"[a-z]+")

BEST = 5
CLOSE, COVERED, UNSEEN, STRANGER, KNOWN, AMONG, BIAS = 16.1, 1.85, -1.6, -2.7, 2.9, -5.55, 11.0
THRESHOLD = 0.2

HOW_TO = 2.0
"""What more is asked where someone wants to be taught: what is known of a life is seldom what tells it."""

FEWEST_TO_FIND_AMONG, MOST_TO_FIND_AMONG = 40, 1_000
"""Rows among which the nearest was found, as far as the gate was measured. The nearest of many is near by chance: the
largest of n draws grows as √(2 ln n)."""

ENOUGH = 10.0
"""Nats of rarity below which a question has too few words to count as wholly covered ("thanks!", "ok")."""

FEWEST_ROWS = 500.0
"""Rarity is taken as if there were at least so many rows: of a person with two memories, every word is in half."""

PART_OF_BEST = 0.6
"""Of the best row's score: what has less is left out even where the gate is open. Measured on what search finds in its
first five: of the evidence that passes the gate, .997 passes this too; at .65 it is .992."""

TOPIC_COVERED, TOPIC_CLOSE = 0.3, 0.6
"""Of a topic whose memories someone asks for ("the blue tile"): the share that a memory is to have of its words that
any memory has, by rarity, or how close in meaning it is to be (a cosine of .5), to be one of them. Set by eye."""


# "How do I drive a truck?", "how to drive in snow", but not "how do I take my tea?" or "how do I pay?".
_HOW_TO = re.compile(
    r"^\W*(?:(?:please|can you|could you|tell me|show me|explain)(?: (?:tell|show|explain)(?: to)?)?(?: me)? )*"
    r"how (?:(?:do|can|could|should|would|must) (?:i|we|you|one)|to)(?: (?:best|properly|actually|even))? "
    r"(?P<verb>[a-z]{2,})\b(?! (?:my|our)\b)(?=\W*\w)(?!.*\b(?:my|our|mine|ours|i|we)\b)",
    re.IGNORECASE | re.DOTALL,
)
# What one does day by day, and where or when: "how do I pay in shops?", "how do I get to work?"; but not "how do I pay
# a toll?" or "how do you sleep in a tent?". And whatever one is said to do as a habit.
_AS_ONE_LIVES = re.compile(
    r"^\W*(?:(?:please|can you|could you|tell me|remind me)(?: (?:tell|remind) me)? )*how do (?:i|we) (?:"
    r"(?:usually|normally|typically|generally|mostly|always|often|currently|like to|prefer to) \w|"
    r"get (?:to|from|around|home|back|there|paid)\b|"
    r"(?:pay|sleep|eat|drink|live|work|commute|travel|go|shop|train|exercise|study|learn|relax|unwind|stay|start|spend|"
    r"dress|wake up|get up|keep (?:fit|up|going)|stay (?:awake|fit|calm|in touch)) "
    r"(?:in|at|on|to|from|with|by|for|after|before|when|while|without|during|around)\b)",
    re.IGNORECASE,
)


def gains_nothing(intent: str) -> bool:
    """Whether an assistant's own name for what is asked says that no memory helps."""
    word = _FIRST_WORD.match(intent.casefold().replace("small_talk", "smalltalk"))
    return word is not None and word.group() in SKIPPED_INTENTS


def asks_how_to(question: str) -> str:
    """The verb of what someone asks to be taught, "" where they ask nothing of the kind: that Alice drives a Golf does
    not tell how to drive a truck. What someone does day by day is no such thing: "how do I pay in shops?"."""
    found = None if _AS_ONE_LIVES.match(question) else _HOW_TO.match(question)
    return found["verb"].casefold() if found else ""


def without_word(row: Signals, word: str, words: Sequence[str]) -> Signals:
    """A row as if it did not have that one of the question's words, which does not tell what it is about."""
    places = sum(1 << bit for bit, each in enumerate(words) if each.casefold() == word)
    return row._replace(matched=row.matched & ~places)


def opens(
    best: Sequence[Signals],
    statistics: Statistics,
    names_known: bool,
    *,
    named_by_us: bool = False,
    how_to: bool = False,
) -> bool:
    """Whether a brief may hold anything. best: the rows as ranked; names_known: a speaker of theirs is named.
    named_by_us: the name is that of whoever asks, who did not say it; that rows have it says nothing then."""
    if named_by_us:
        best = [row._replace(cosine=row.bare_cosine) for row in best]
    asked = (KNOWN if names_known and named_by_us else 0.0) + (HOW_TO if how_to else 0.0)
    return score(best, statistics, names_known) - asked >= THRESHOLD


def admits(score: float, best: float) -> bool:
    """Whether one row is nearly as relevant as the best."""
    return score >= PART_OF_BEST * best


def speaks_of(row: Signals, statistics: Statistics) -> bool:
    """Whether a row is about a topic that was asked for by itself: it has a word of it, or means much the same."""
    said = sum(weight for bit, weight in enumerate(statistics.weights) if row.matched >> bit & 1)
    covered = said / (sum(statistics.weights) or 1.0) * brevity(row.words)
    return covered >= TOPIC_COVERED or closeness(row.bare_cosine) >= TOPIC_CLOSE


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
    close = (max(row.cosine or 0.0 for row in top) + max(row.bare_cosine or 0.0 for row in top)) / 2
    words = COVERED * covered + UNSEEN * unseen
    names = STRANGER * _names_a_stranger(statistics) + KNOWN * names_known
    return CLOSE * close + words + names + AMONG * _nearest_by_chance(statistics.rows) + BIAS


def _nearest_by_chance(rows: float) -> float:
    among = min(max(rows, FEWEST_TO_FIND_AMONG), MOST_TO_FIND_AMONG)
    return math.sqrt(2 * math.log(among))


def _weights(statistics: Statistics, names_known: bool) -> list[float]:
    """Rarity of each word; names of speakers and stop words weigh nothing."""
    rows = max(statistics.rows, FEWEST_ROWS)
    return [
        rarity(rows, holding) if counts and not (name and names_known and holding) else 0.0
        for holding, counts, name in zip(statistics.holding, statistics.counts, statistics.is_name, strict=True)
    ]


def _covered(row: Signals, weights: Sequence[float]) -> float:
    return sum(weight for bit, weight in enumerate(weights) if row.matched >> bit & 1) * brevity(row.words)


def _names_a_stranger(statistics: Statistics) -> bool:
    """Whether the question has a name that no visible row holds."""
    return any(name and not holding for name, holding in zip(statistics.is_name, statistics.holding, strict=True))
