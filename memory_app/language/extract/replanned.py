"""A plan that changes: "my recital is on the 12th", and later "it got moved to the 15th". Only the later one is told.

It quotes both turns, and says which plan it is by the words of the first. Which of two plans of one kind is meant must
be plain from the words; where it is not, both stay.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from memory_app.language.extract.claims import Claim, Heard
from memory_app.language.extract.passing import is_passing
from memory_app.language.extract.plans import Plan, by_so_much, changed, planned, unopened
from memory_app.language.extract.said import Quote, Said
from memory_app.language.extract.vocabulary import content_words
from memory_app.rules.inflection import base

REACH = 4
"""Turns of people within which "it" may be a plan told before."""

_ANYONES = ("the", "this", "that")
_ANOTHERS = ("his", "her", "their")
_LINKS = frozenset({"to", "with", "of", "for", "at", "in", "the"})


@dataclass(frozen=True, slots=True)
class _Told:
    """A plan told before: in which turn, in which claim."""

    turn: int
    said: Said
    claim: Claim
    plan: Plan


def with_changed_plans(people: Sequence[Heard]) -> list[tuple[Claim, ...]]:
    """The claims of each turn of people, in order; of a plan that changed the last, which quotes those before too."""
    told = [list(claims) for _, claims in people]
    for turn, (_, claims) in enumerate(people):
        for claim in claims:
            change = None if claim.plain else changed(claim.text)
            before = _meant(change, list(_before(people, told, turn, claim)), turn) if change else []
            if change and before and not (by_so_much(claim.text) and _on_another_day(before[0].said, people[turn][0])):
                told[turn][told[turn].index(claim)] = _told_of(claim, change, before)
                for one in before:
                    told[one.turn].remove(one.claim)
            elif change and not claim.asked and is_passing(claim.text):
                told[turn].remove(claim)
    return [tuple(claims) for claims in told]


def plan_changed_by(text: str, told: Sequence[str]) -> list[int]:
    """Which of the texts told before, the last first, tell of the plan that this one puts at another time or calls off,
    by its owner and its name: all of one name, or none. Of "the meeting" another conversation may have another one."""
    change = changed(text)
    if change is None or not change.words or change.whose in ("", *_ANYONES):
        return []
    if change.whose in _ANOTHERS and text[:1].isupper():  # "Alice cancelled their flight"
        change = replace(change, whose=f"{text.split()[0]}'s")
    plans = [(at, plan) for at, one in enumerate(told) if (plan := _one_of(change, one)) is not None]
    return [at for at, _ in plans] if len({tuple(_bases(plan.words)) for _, plan in plans}) == 1 else []


def tell_of_one_plan(one: str, other: str) -> bool:
    """Whether both tell when the plan of one owner and name is to be."""
    plan, beside = planned(one), planned(other)
    if plan is None or beside is None or plan.whose.lower() != beside.whose.lower():
        return False
    return _bases(plan.words) == _bases(beside.words)


def _one_of(change: Plan, text: str) -> Plan | None:
    """The plan of that owner and name which a text tells of; "Alice has an exam" is Alice's."""
    plan = None if changed(text) else planned(text)
    if plan is None or not _is_of(change, plan, text):
        return None
    owner = change.whose.lower()
    their = text.lower().startswith(owner.removesuffix("'s").removesuffix("’s") + " ")
    return plan if plan.whose.lower() == owner or (plan.whose == "the" and their) else None


def _before(people: Sequence[Heard], told: Sequence[Sequence[Claim]], turn: int, claim: Claim) -> Iterator[_Told]:
    """The plans that the same speaker told before, the last first."""
    speaker = people[turn][0].speaker
    for n in range(turn, -1, -1):
        said = people[n][0]
        for one in reversed(told[n]) if said.speaker == speaker else ():
            if (n, one.start) < (turn, claim.start) and (plan := planned(one.text)):
                yield _Told(n, said, one, plan)


def _meant(change: Plan, before: Sequence[_Told], turn: int) -> list[_Told]:
    """Those told before that are the plan which changes: all by one name, or none."""
    if not change.words:
        return [one for one in before[:1] if turn - one.turn <= REACH]
    meant = [one for one in before if _is_of(change, one.plan, one.claim.text)]
    return meant if len({tuple(_bases(one.plan.words)) for one in meant}) == 1 else []


def _on_another_day(said: Said, later: Said) -> bool:
    """Whether a "next Friday" of the first would be another day in the later one."""
    days = {one.spoken_at.date() for one in (said, later) if one.spoken_at}
    return len(days) > 1


def _is_of(change: Plan, plan: Plan, text: str) -> bool:
    head, beside = _head(change.words)
    called = {_head(plan.words)[0], *_bases(plan.also)}
    if (head not in called and called.isdisjoint(_bases(change.also))) or not _of_one_owner(change.whose, plan.whose):
        return False
    beside += [word for word in _bases(change.beside) if word not in _LINKS]
    return set(beside) <= {*_bases(plan.words), *content_words(text.lower())}


def _of_one_owner(whose: str, before: str) -> bool:
    """ "The party" may be anyone's, "her party" Clara's, but not "my party"."""
    whose, before = ("my" if one == "our" else one.lower() for one in (whose, before))
    if whose in _ANYONES or before in _ANYONES or whose == before:
        return True
    return whose in _ANOTHERS and before != "my"


def _bases(words: Iterable[str]) -> list[str]:
    return [base(word.lower()) for word in words]


def _head(words: Sequence[str]) -> tuple[str, list[str]]:
    """What names the plan itself, "flight" of "my flight to Rome", and the words beside it."""
    until = next((at for at, word in enumerate(words) if at and word.lower() in _LINKS), len(words))
    said = _bases(words)
    return said[until - 1], [word for at, word in enumerate(said) if at != until - 1 and word not in _LINKS]


def _told_of(claim: Claim, change: Plan, before: Sequence[_Told]) -> Claim:
    """The change, told of the plan by its full name, with the words by which it was told before."""
    plan = before[0].plan
    whose = plan.whose if change.whose in ("", *_ANYONES, *_ANOTHERS) else change.whose
    words = plan.words if set(_bases(change.words)) <= set(_bases(plan.words)) else change.words
    start, end = change.span
    name = claim.text[start:end] if words == change.words and whose == change.whose else " ".join((whose, *words))
    text = claim.text[:start] + (name[:1].upper() + name[1:] if start == 0 else name) + claim.text[end:]
    text = text if change.is_named else claim.text
    quotes = [q for one in reversed(before) for q in (_quote(one), *one.claim.amended)]
    mine = claim.personal or any(one.claim.personal for one in before)
    if by_so_much(claim.text):
        since = f"{claim.text[:start]}{'It' if start == 0 else 'it'}{claim.text[end:]}"
        text = f"{before[0].claim.text.rstrip(' .!')}. {since}"
    return replace(claim, text=unopened(text), personal=mine, amended=(*claim.amended, *quotes))


def _quote(one: _Told) -> Quote:
    return Quote(one.said.index, one.said.content[one.claim.start : one.claim.end])
