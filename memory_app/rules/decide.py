"""What becomes of a memory that comes in, given its nearest neighbours: the decision table, pure and with no model.

The caller keeps within one owner and one visibility: it passes no neighbour of anyone else's, nor of another level,
space or channel. Nothing here could tell.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal
from uuid import UUID

from memory_app.rules.contrast import Difference
from memory_app.rules.differences import alike, compatible, differences, same_particulars, whose_preferences
from memory_app.rules.reading import may_be_one, may_say_the_same, overlap, read
from memory_app.rules.text import normalised

Outcome = Literal["add", "duplicate", "supersede", "outdated", "merge", "conflict"]

DUPLICATE_FROM = 0.75
"""Jaccard of the words from which two texts may be one (design: the decision table)."""

MERGE_FROM = 0.85
"""Cosine from which two compatible texts are proposed as one memory (design: the decision table)."""

CLOSE_FROM = 0.25
"""Cosine from which two texts may contradict. Low, for "the boss of the team is Ann" and "the team is led by Ben" come
to .38 with all-MiniLM-L6-v2, and only a stated difference about the same subject makes a conflict; from the tests'
pairs."""

CLOSE_AMONG_OTHERS = 0.15
"""The same where one of the two tells other things too, which draw its vector away: "I live in Oslo" and "I moved to
Rome and my budget is now 50,000" come to .24."""

ONE_CHOICE_FROM, ONE_CHOICE_BY_NAME_FROM = 0.5, 0.68
"""Cosine from which two preferences are of one thing. Who prefers tea prefers window seats too (.43), but hardly coffee
(.75). 35 of 38 written pairs of one thing come to as much, and 4 of 33 of two; a name in both draws all together."""

ONESELF = frozenset({("i",), ("user",)})
"""How someone is spoken of without a name."""

ACTIVE = "active"


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is to be kept. `key` names a slot that holds one value at a time; `value`, where known, is that value."""

    text: str
    key: str = ""
    value: str = ""
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A memory that is there already, with the cosine of its vector and the candidate's. later: it was told after the
    candidate. named: its text has its owner's name. contradicted_by: the newer one that stands against it;
    contradicted_later: which was told after the candidate too."""

    id: UUID
    text: str
    key: str = ""
    cosine: float = 0.0
    status: str = ACTIVE
    value: str = ""
    contradicted_by: UUID | None = None
    later: bool = False
    named: bool = False
    contradicted_later: bool = False

    @property
    def is_past(self) -> bool:
        """Whether it counted for little already when the candidate was told."""
        return self.contradicted_by is not None and not self.contradicted_later


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do, with which memory, and why in plain words. Only "add" has no target. also: what else it contradicts.
    retires: what was contradicted before, and gives way to the same said anew, or to its slot's new value."""

    outcome: Outcome
    target: UUID | None
    reason: str
    differences: frozenset[Difference] = frozenset()
    also: tuple[UUID, ...] = ()
    retires: UUID | None = None


def decide(candidate: Candidate, neighbours: Sequence[Neighbour]) -> Decision:
    """The first finding that holds, in the order of the table; within one finding the closest memory."""
    # What was replaced or deleted says nothing any more: it may be said again, and is then new.
    standing = sorted((n for n in neighbours if n.status == ACTIVE), key=lambda n: -n.cosine)
    holding = [n for n in standing if n.contradicted_by is None]
    past = [n for n in standing if n.is_past and not n.later]
    outdone = [n for n in standing if n.contradicted_by is not None and not n.is_past]
    # The slot first: were another memory with the same text counted instead, the slot would keep its old value.
    slot = [n for n in holding if candidate.key and n.key == candidate.key]
    if slot:
        return _in_the_slot(candidate, slot[0])
    decision = (
        _duplicate(candidate, [*holding, *outdone])
        or _again(candidate, past)
        or _conflict(candidate, holding)
        or _merge(candidate, holding)
        or Decision("add", None, "nothing kept says this yet")
    )
    left = [n.id for n in past if candidate.key and n.key == candidate.key and decision.outcome != "duplicate"]
    return replace(decision, retires=decision.retires or next(iter(left), None))


def contradicted(candidate: Candidate, neighbours: Sequence[Neighbour]) -> Decision | None:
    """What a memory that is kept already contradicts, and why; nothing of what says the same."""
    holding = [n for n in neighbours if n.status == ACTIVE and n.contradicted_by is None]
    others = [n for n in holding if not _says_the_same(candidate, n)]
    return _conflict(candidate, sorted(others, key=lambda n: -n.cosine))


def _again(candidate: Candidate, past: Sequence[Neighbour]) -> Decision | None:
    """What was contradicted, said anew: it holds once more, and what stood against it does not."""
    for neighbour in past:
        if _says_the_same(candidate, neighbour):
            found = "says again what was told otherwise since"
            return Decision("conflict", neighbour.contradicted_by, found, retires=neighbour.id)
    return None


def _in_the_slot(candidate: Candidate, neighbour: Neighbour) -> Decision:
    if _says_the_same(candidate, neighbour) or _same_value(candidate, neighbour):
        return Decision("duplicate", neighbour.id, f"already kept under “{candidate.key}”")
    if neighbour.later:
        return Decision("outdated", neighbour.id, f"another value for “{candidate.key}” was told since")
    return Decision("supersede", neighbour.id, f"a new value for “{candidate.key}”")


def _same_value(candidate: Candidate, neighbour: Neighbour) -> bool:
    return bool(candidate.value) and normalised(candidate.value) == normalised(neighbour.value)


def _duplicate(candidate: Candidate, standing: Sequence[Neighbour]) -> Decision | None:
    for neighbour in standing:
        if _says_the_same(candidate, neighbour):
            return Decision("duplicate", neighbour.id, "already kept, in the same words or nearly")
    return None


def _says_the_same(candidate: Candidate, neighbour: Neighbour) -> bool:
    mine, theirs = read(candidate.text), read(neighbour.text)
    # The rest takes time, which two that have little in common are not worth.
    if not may_be_one(mine, theirs):
        return False
    if mine.lead == theirs.lead and mine.normal == theirs.normal:
        return True
    shared = overlap(mine, theirs)
    if shared < DUPLICATE_FROM and (neighbour.cosine < CLOSE_FROM or not may_say_the_same(mine, theirs)):
        return False
    if alike(candidate.text, neighbour.text):
        return True
    # A name, number or "not" on one side only is news, however few words it adds; so is another word instead of one.
    return (
        shared >= DUPLICATE_FROM
        and same_particulars(candidate.text, neighbour.text)
        and not differences(candidate.text, neighbour.text)
    )


def _conflict(candidate: Candidate, standing: Sequence[Neighbour]) -> Decision | None:
    # Far apart is another topic, whatever the words: "3" of one thing does not contradict "4" of another.
    close = [neighbour for neighbour in standing if neighbour.cosine >= _close_from(candidate, neighbour)]
    told = [(one, found) for one in close if (found := differences(candidate.text, one.text))]
    against = [(one, found) for one, found in told if _of_one_choice(candidate, one, found)]
    if not against:
        return None
    first, found = against[0]
    return Decision(
        "conflict", first.id, f"says otherwise: {_listed(found)}", found, tuple(n.id for n, _ in against[1:])
    )


def _of_one_choice(candidate: Candidate, neighbour: Neighbour, found: frozenset[Difference]) -> bool:
    """Unless one thing and another are preferred, of two kinds: no words of two values tell whether they are of one."""
    whose = whose_preferences(candidate.text, neighbour.text) if found <= {"value", "name"} else None
    if whose is None:
        return True
    by_name = neighbour.named or not whose <= ONESELF
    return neighbour.cosine >= (ONE_CHOICE_BY_NAME_FROM if by_name else ONE_CHOICE_FROM)


def _close_from(candidate: Candidate, neighbour: Neighbour) -> float:
    alone = len(read(candidate.text).sentences) == len(read(neighbour.text).sentences) == 1
    return CLOSE_FROM if alone else CLOSE_AMONG_OTHERS


def _merge(candidate: Candidate, standing: Sequence[Neighbour]) -> Decision | None:
    for neighbour in standing:
        if neighbour.cosine < MERGE_FROM:
            continue
        # "Alice's birthday is 3 May" and "Bob's birthday is 4 May" are close in form only.
        if compatible(candidate.text, neighbour.text):
            return Decision("merge", neighbour.id, "about the same; the two could be one memory")
    return None


def _listed(found: frozenset[Difference]) -> str:
    return ", ".join(sorted(found))
