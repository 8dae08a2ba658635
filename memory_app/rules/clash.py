"""Whether two lists of names, numbers or dates cannot both be true: other ones, not the same with some left out."""

from collections.abc import Sequence
from typing import Literal

from memory_app.rules.quantities import Quantities, one_kind


def clash_of_names(a: Sequence[str], b: Sequence[str]) -> bool:
    """As of numbers, where "New York" is "New York City"."""
    full = [next((other for other in b if _one_name(name, other)), name) for name in a]
    return _clash(full, b)


def clash_of_quantities(x: Quantities, y: Quantities) -> set[Literal["number", "date"]]:
    """Whether they hold other numbers, and other dates."""
    found: set[Literal["number", "date"]] = {"number"} if _numbers_clash(x, y) else set()
    if any(_clash(values, y.dates.get(part, [])) for part, values in x.dates.items()):
        found.add("date")
    return found


def _numbers_clash(x: Quantities, y: Quantities) -> bool:
    mine, theirs = _by_kind(x), _by_kind(y)
    if len(mine) == len(theirs) == 1:
        (kind, values), (other, others) = *mine.items(), *theirs.items()
        return one_kind(kind, other) and _clash(values, others)
    return any(_clash(values, theirs.get(kind, [])) for kind, values in mine.items())


def _by_kind(held: Quantities) -> dict[str, list[float]]:
    kinds: dict[str, list[float]] = {}
    for kind, value in held.numbers:
        kinds.setdefault(kind, []).append(value)
    return kinds


def _clash(a: Sequence[object], b: Sequence[object]) -> bool:
    """Both say something, and neither is the other with some left out."""
    return bool(a) and bool(b) and not _within(a, b) and not _within(b, a)


def _within(part: Sequence[object], whole: Sequence[object]) -> bool:
    rest = iter(whole)
    return all(any(value == other for other in rest) for value in part)


def _one_name(a: str, b: str) -> bool:
    mine, theirs = set(a.split()), set(b.split())
    return mine <= theirs or theirs <= mine
