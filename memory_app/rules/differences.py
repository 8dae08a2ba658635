"""In what two texts differ that cannot both be true: "not", a number, a name, a date, an opposite, an order, a value.

A paraphrase has no difference; neither has more detail on one side. Two claims about different subjects do not
differ, they are unrelated. Pure, English, with no model: where it cannot tell, it finds no contradiction, and
`alike` finds no sameness either.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from memory_app.rules.opposites import opposed
from memory_app.rules.statement import Statement, same, statements
from memory_app.rules.text import vocabulary
from memory_app.rules.tokens import names_in

Difference = Literal["negation", "number", "name", "date", "antonym", "order", "value"]

LEAST_SHARED = 0.5
"""Share of the smaller claim's words that both must hold to be about one thing. From the written pairs of the tests."""

LONGEST_VALUE = 3
"""Words that one value may have ("dark olive green") when two claims differ in nothing else."""

# One person likes, visits or owns many things: another name there is no contradiction.
MANY_VALUED = frozenset(
    same(word)
    for word in vocabulary(
        "admire allergic argue ask attend avoid bake bring buy climb collect cook donate draw drink eat enjoy find "
        "finish follow get give go have hear help hike invite join know learn like listen make meet miss own paint "
        "plan play read receive recommend run see sell send show sing speak start support swim take talk tell thank "
        "travel trust try use visit volunteer want watch win write"
    )
)
# And lives, works, or is named in one way at a time.
SINGLE_VALUED = frozenset(
    same(word)
    for word in vocabulary(
        "live work bear marry move name called prefer favourite cost weigh belong married engaged born native stay "
        "based located birthday capital"
    )
)


def differences(a: str, b: str) -> frozenset[Difference]:
    """What the two texts say differently of the same subject, in any of their claims."""
    found: set[Difference] = set()
    for x, y in _pairs(a, b):
        found |= _between(x, y)
    return frozenset(found)


def compatible(a: str, b: str) -> bool:
    """Whether both can stand in one memory: about one subject, and no claim is the other with something replaced."""
    pairs = _pairs(a, b)
    return bool(pairs) and not any(_between(x, y) or _replaced(x, y) for x, y in pairs)


def alike(a: str, b: str) -> bool:
    """Whether both say the same, claim by claim: no word, name, number, date or "not" is on one side only."""
    left, right = _read(a, b)
    return len(left) == len(right) and all(_equal(x, y) for x, y in zip(left, right, strict=True))


def same_particulars(a: str, b: str) -> bool:
    """Whether both hold the same names, numbers, dates and as many denials, and neither swaps a word for another."""
    left, right = _read(a, b)
    mine, theirs = _words(left), _words(right)
    return _particulars(left) == _particulars(right) and (mine <= theirs or theirs <= mine)


def _pairs(a: str, b: str) -> list[tuple[Statement, Statement]]:
    left, right = _read(a, b)
    return [(x, y) for x in left for y in right if _one_subject(x.subject, y.subject)]


@lru_cache(maxsize=256)
def _read(a: str, b: str) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
    """Both texts taken apart, in the light of each other's names. Remembered, for each pair is asked several things."""
    known = names_in(a) | names_in(b)
    return tuple(statements(a, known)), tuple(statements(b, known))


def _one_subject(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """ "The meeting" is "the team meeting"; "Alice" is not "Alice's sister", nor is her birthday Bob's."""
    if not a or not b:
        return True
    return a[-1] == b[-1] and (set(a) <= set(b) or set(b) <= set(a))


def _between(x: Statement, y: Statement) -> set[Difference]:
    mine, theirs = set(x.content), set(y.content)
    opposites = {(p, q) for p in mine - theirs for q in theirs - mine if opposed(p, q)}
    left = mine - theirs - {p for p, _ in opposites}
    right = theirs - mine - {q for _, q in opposites}
    if left and right:
        return _swapped(x, y, left, right)
    if not _enough_shared(mine, theirs, len(opposites)):
        return set()
    found = _particular_differences(x, y)
    # "Not old" and "young" agree: a denial and an opposite cancel out.
    if (x.negative != y.negative) != bool(opposites):
        found.add("antonym" if opposites else "negation")
    if not found and _reordered(x, y):
        found.add("order")
    return found


def _replaced(x: Statement, y: Statement) -> bool:
    """Another name, or one word in the place of another: "likes tea" and "likes coffee" are two memories, not one."""
    if _clash_of_names(x.names, y.names):
        return True
    left, right = set(x.content) - set(y.content), set(y.content) - set(x.content)
    # Even a verb: "eats gluten" and "skips gluten" differ in no word that a list of opposites is sure to hold.
    return len(left) == 1 and len(right) == 1


def _enough_shared(mine: set[str], theirs: set[str], opposites: int) -> bool:
    smaller, larger = sorted((len(mine), len(theirs)))
    if smaller == 0 or smaller == opposites:
        return larger <= 1 + opposites
    return (len(mine & theirs) + opposites) / smaller >= LEAST_SHARED


def _swapped(x: Statement, y: Statement, left: set[str], right: set[str]) -> set[Difference]:
    """Another word in the place of one: a contradiction where only one can hold ("her favourite colour is …")."""
    short = len(left) <= LONGEST_VALUE and len(right) <= LONGEST_VALUE
    if short and x.negative == y.negative and _one_value(x) and _one_value(y) and _same_frame(x, y):
        return {"value"}
    return set()


def _same_frame(x: Statement, y: Statement) -> bool:
    if x.copula and y.copula and x.subject == y.subject:
        return True
    return bool(x.content and y.content and x.content[0] == y.content[0] and x.content[0] in SINGLE_VALUED)


def _one_value(statement: Statement) -> bool:
    said = {*statement.content, *statement.subject}
    if said & SINGLE_VALUED:
        return True
    return statement.copula and statement.possessive and len(statement.subject) > 1


def _particular_differences(x: Statement, y: Statement) -> set[Difference]:
    found: set[Difference] = set()
    if _numbers_clash(x, y):
        found.add("number")
    if any(_clash(values, y.quantities.dates.get(part, [])) for part, values in x.quantities.dates.items()):
        found.add("date")
    if _clash_of_names(x.names, y.names) and not (_many_valued(x) and _many_valued(y)):
        found.add("name")
    return found


def _many_valued(statement: Statement) -> bool:
    said = set(statement.content)
    return bool(said & MANY_VALUED) and not said & SINGLE_VALUED and not statement.passive


def _numbers_clash(x: Statement, y: Statement) -> bool:
    kinds = {kind for kind, _ in x.quantities.numbers}
    return any(
        _clash([v for k, v in x.quantities.numbers if k == kind], [v for k, v in y.quantities.numbers if k == kind])
        for kind in kinds
    )


def _clash(a: Sequence[object], b: Sequence[object]) -> bool:
    """Both say something, and neither is the other with some left out."""
    return bool(a) and bool(b) and not _within(a, b) and not _within(b, a)


def _within(part: Sequence[object], whole: Sequence[object]) -> bool:
    rest = iter(whole)
    return all(any(value == other for other in rest) for value in part)


def _clash_of_names(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """As `_clash`, where "New York" is "New York City"."""
    full = [next((other for other in b if _one_name(name, other)), name) for name in a]
    return _clash(full, b)


def _one_name(a: str, b: str) -> bool:
    mine, theirs = set(a.split()), set(b.split())
    return mine <= theirs or theirs <= mine


def _reordered(x: Statement, y: Statement) -> bool:
    """The same words about one another the other way round: "prefers tea to coffee", "prefers coffee to tea"."""
    if x.listed or y.listed or x.content == y.content or Counter(x.content) != Counter(y.content):
        return False
    if x.compares or y.compares:
        return True
    twice = (*x.content, *x.content)
    return not any(twice[n : n + len(y.content)] == y.content for n in range(len(y.content)))


def _equal(x: Statement, y: Statement) -> bool:
    return (
        x.subject == y.subject
        and (x.content == y.content or (set(x.content) == set(y.content) and not _reordered(x, y)))
        and x.names == y.names
        and x.quantities == y.quantities
        and x.negative == y.negative
    )


def _particulars(said: Sequence[Statement]) -> object:
    return (
        sorted(name for s in said for name in (*s.names, *s.subject)),
        sorted(number for s in said for number in s.quantities.numbers),
        sorted((part, str(value)) for s in said for part, values in s.quantities.dates.items() for value in values),
        sum(s.negative for s in said),
    )


def _words(said: Sequence[Statement]) -> set[str]:
    return {word for s in said for word in s.content}
