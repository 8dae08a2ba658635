"""How someone stands to a partner: who is single is not engaged, and who is divorced is not widowed.

English, by the form of the claim: one that says just this. What may go together ("divorced" and "engaged") excludes
nothing; nor does what was so once.
"""

from collections.abc import Sequence

from memory_app.rules.text import vocabulary
from memory_app.rules.tokens import FUNCTION_WORDS

_IS = {
    "single": "single",
    "engaged": "engaged",
    "married": "married",
    "divorced": "divorced",
    **dict.fromkeys(vocabulary("widowed widow widower"), "widowed"),
    "relationship": "together",
}
_HAS = {
    **dict.fromkeys(vocabulary("girlfriend boyfriend partner"), "together"),
    **dict.fromkeys(vocabulary("fiance fiancee fiancé fiancée"), "engaged"),
    **dict.fromkeys(vocabulary("wife husband spouse"), "married"),
}
_SEES = vocabulary("seeing dating")
_SOMEONE = vocabulary("someone somebody")
_EXCLUDED = frozenset(
    frozenset(pair.split())
    for pair in (
        "single together",
        "single engaged",
        "single married",
        "engaged married",
        "married divorced",
        "married widowed",
        "divorced widowed",
    )
)
_IN_PASSING = vocabulary("happily again recently finally newly legally")
_HAVE = vocabulary("have has got")
_ONCE = vocabulary("been was were had")


def bond(predicate: Sequence[str], names: frozenset[str], *, dated: bool) -> str:
    """What of these a claim says, by its words after the subject; empty where it says another thing, or more.

    dated: whether it names a day, on which one may be seeing anyone."""
    if not _ONCE.isdisjoint(predicate):
        return ""
    said = [word for word in predicate if word not in names and word not in FUNCTION_WORDS | _IN_PASSING | _HAVE]
    if said == ["dating"] and not names.isdisjoint(predicate):
        return "together"
    if len(said) == 2 and said[0] in _SEES and said[1] in _SOMEONE:
        return "" if dated else "together"
    if len(said) != 1:
        return ""
    return _HAS.get(said[0], "") if predicate[0] in _HAVE else _IS.get(said[0], "")


def exclude(one: str, other: str) -> bool:
    """Whether no one is both at a time."""
    return frozenset((one, other)) in _EXCLUDED
