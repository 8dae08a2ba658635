"""What two texts say differently that cannot both be true, whether they could be one memory, and whether they are one.

Claim by claim: a paraphrase has no difference, neither has more detail on one side, and claims about different
subjects do not differ, they are unrelated. Pure, English, with no model: where it cannot tell, it finds no
contradiction, and `alike` finds no sameness either.
"""

from collections.abc import Sequence

from memory_app.rules.claims import about_one_subject, claims, comparable_claims, one_subject
from memory_app.rules.clash import clash_of_names, clash_of_quantities
from memory_app.rules.contrast import Difference, contrast, names_of, turned_round
from memory_app.rules.opposites import opposed
from memory_app.rules.reading import Reading, read
from memory_app.rules.statement import Statement, same
from memory_app.rules.text import normalised

COVERED = 0.66
"""Share of the words of the shorter claim that the longer one must have for both to be one memory. From the written
pairs of the tests, and statements noted from real conversations."""

_PREFERS = (same("prefer"),)


def differences(a: str, b: str) -> frozenset[Difference]:
    """What the two texts say differently of the same subject, in any of their claims."""
    return frozenset(found for x, y in comparable_claims(read(a), read(b)) for found in contrast(x, y))


def whose_preferences(a: str, b: str) -> frozenset[tuple[str, ...]] | None:
    """The subjects, where the two contradict each other in nothing but what someone prefers; None where they do in more
    than that."""
    pairs = [(x, y) for x, y in comparable_claims(read(a), read(b)) if contrast(x, y)]
    if all(x.content[:1] == y.content[:1] == _PREFERS for x, y in pairs):
        return frozenset(claim.subject for pair in pairs for claim in pair)
    return None


def compatible(a: str, b: str) -> bool:
    """Whether both can stand in one memory: each claim of the shorter is in the other too, and nothing is replaced."""
    mine, theirs = read(a), read(b)
    # What is mostly talk is not kept for the claim in it, and a document stays as it is.
    if mine.unread or theirs.unread or not (_mostly_claims(mine) and _mostly_claims(theirs)):
        return False
    left, right = claims(mine, theirs)
    pairs = list(about_one_subject(left, right))
    if not pairs or any(contrast(x, y) or _replaced(x, y) or disagree(x, y) for x, y in pairs):
        return False
    shorter, longer = sorted((left, right), key=lambda said: len(_words(said)))
    return all(any(_covers(x, y) for y in longer) for x in shorter)


def alike(a: str, b: str) -> bool:
    """Whether both say the same, claim by claim: no word, name, number, date or "not" is on one side only."""
    mine, theirs = read(a), read(b)
    left, right = claims(mine, theirs)
    if not _told_alike(mine, theirs, left):
        return False
    return len(left) == len(right) and all(_equal(x, y) for x, y in zip(left, right, strict=True))


def same_particulars(a: str, b: str) -> bool:
    """Whether both hold the same names, numbers, dates and as many denials, and neither swaps a word for another."""
    mine, theirs = read(a), read(b)
    left, right = claims(mine, theirs)
    if not _told_alike(mine, theirs, left) or _particulars(left) != _particulars(right):
        return False
    return _words(left) <= _words(right) or _words(right) <= _words(left)


def _told_alike(a: Reading, b: Reading, said: Sequence[Statement]) -> bool:
    """By the same person, with the same around it, and on the same day if it is news: "I went there yesterday" means
    another day each time."""
    if (a.speaker, a.shown, a.unread) != (b.speaker, b.shown, b.unread) or _beside(a) != _beside(b):
        return False
    return a.told == b.told or not any(claim.past or "when" in claim.quantities.dates for claim in said)


def _beside(reading: Reading) -> list[str]:
    """What a text says beside its claims."""
    return [normalised(sentence.text) for sentence in reading.sentences if not sentence.states]


def _mostly_claims(reading: Reading) -> bool:
    return 2 * sum(sentence.states for sentence in reading.sentences) >= len(reading.sentences)


def _replaced(x: Statement, y: Statement) -> bool:
    """Another name, or one word in the place of another: "likes tea" and "likes coffee" are two memories, not one."""
    if clash_of_names(names_of(x), names_of(y)):
        return True
    left, right = set(x.content) - set(y.content), set(y.content) - set(x.content)
    # Even a verb: "eats gluten" and "skips gluten" differ in no word that a list of opposites is sure to hold.
    return len(left) == 1 and len(right) == 1


def disagree(x: Statement, y: Statement) -> bool:
    """Of one thing, but with another number or date, or with a "not" or its like on one side."""
    if not _covers(x, y):
        return False
    mine, theirs = set(x.content), set(y.content)
    turned = any(opposed(p, q) for p in mine - theirs for q in theirs - mine)
    return turned or x.negative != y.negative or bool(clash_of_quantities(x.quantities, y.quantities))


def _covers(x: Statement, y: Statement) -> bool:
    """Whether one claim says most of what another says, of the same subject."""
    mine, theirs = {*x.content, *names_of(x)}, {*y.content, *names_of(y)}
    shorter = min(len(mine), len(theirs))
    return bool(shorter) and one_subject(x.subject, y.subject) and len(mine & theirs) >= COVERED * shorter


def _equal(x: Statement, y: Statement) -> bool:
    return (
        x.subject == y.subject
        and (x.content == y.content or (set(x.content) == set(y.content) and not turned_round(x, y)))
        and names_of(x) == names_of(y)
        and x.quantities == y.quantities
        and (x.negative, x.bond) == (y.negative, y.bond)
    )


def _particulars(said: Sequence[Statement]) -> object:
    return (
        sorted(name for s in said for name in (*names_of(s), *s.subject)),
        sorted(number for s in said for number in s.quantities.numbers),
        sorted((part, str(value)) for s in said for part, values in s.quantities.dates.items() for value in values),
        sum(s.negative for s in said),
    )


def _words(said: Sequence[Statement]) -> set[str]:
    return {word for s in said for word in s.content}
