"""Which text stands for a turn when it is embedded: its own words first, then what they answer."""

from collections.abc import Sequence

LONGEST_BEFORE = 200
"""Characters of each turn before: enough to tell what was asked, too few to drown the answer (`docs/benchmarks.md`)."""

LONG = 1_000
"""Characters from which a turn explains itself, and is embedded alone."""


def turn_text(own: str, before: Sequence[str]) -> str:
    """The turn, led by its speaker, and the ones before it, nearest first, each cut at a word."""
    if len(own) > LONG:
        return own
    return "\n".join([own, *(_cut(text) for text in before)])


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_BEFORE else text[:LONGEST_BEFORE].rsplit(" ", 1)[0]
