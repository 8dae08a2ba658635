"""The gate: whether anything found is relevant enough to put before an assistant."""

from collections.abc import Sequence

from .fusion import Signals

SKIPPED_INTENTS = frozenset({"timer_set", "timer_query", "time_query", "cancel", "command", "smalltalk"})
"""Intents that no memory helps with (seed: skip intents that gain nothing)."""

RELEVANT_COSINE = 0.35


def passes(signals: Signals, everyone: Sequence[Signals]) -> bool:
    """Whether one candidate is relevant, seen beside all of them."""
    return signals.cosine >= RELEVANT_COSINE
