"""How a language asks of oneself: whose life is asked of, and by which words each side of it is asked of and told."""

from dataclasses import dataclass

from memory_app.rules import linear_re as re


@dataclass(frozen=True, slots=True)
class Side:
    """asked: a question that has one of these means this side; told: these, and what else it is told by."""

    asked: frozenset[str]
    told: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asking:
    """of_oneself: fits a question about one's own life, "where do I live?" and "who employs me?", but not "how do I
    boil an egg?" or "tell me a joke". empty: words that ask of nothing else than the sides."""

    of_oneself: re.Pattern
    sides: tuple[Side, ...]
    empty: frozenset[str]


def sides(listed: str) -> tuple[Side, ...]:
    """One a line: "asked by: told by"."""
    parts = [line.partition(":") for line in listed.strip().splitlines()]
    return tuple(Side(frozenset(by.split()), (*by.split(), *else_by.split())) for by, _, else_by in parts)
