"""What can be measured of a turn that tells whether it says something worth keeping: one number per signal.

Words, form and place in the conversation only. What each is worth, `worth` says. Speakers are told apart, assistants
only answer and ask: what they said is measured for its effect on the turns around it.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile

from memory_app.language.extract.changed import with_corrections, without_outdated
from memory_app.language.extract.claims import Claim, Heard, caption, claims, spoken, told
from memory_app.language.extract.concern import LONGEST_SAID, is_of_concern
from memory_app.language.extract.months import with_months
from memory_app.language.extract.plain import plain_claims
from memory_app.language.extract.plans import changed
from memory_app.language.extract.replanned import with_changed_plans
from memory_app.language.extract.said import Said
from memory_app.language.extract.tongues import Grammar
from memory_app.language.extract.vocabulary import (
    CHEER,
    ENGLISH,
    EVENTS,
    OPENS_WITH_SELF,
    PLACES,
    SELF,
    TIMES,
    VAGUE,
    content_words,
    named,
    plain_words,
    speaks_of,
)

USER = "user"
_SOMEONE_BEFORE = re.compile(r"(?:he|she|they|his|her|their|him|them|hers|theirs)\b", re.IGNORECASE)
SHORT_BESIDE_A_PICTURE = 80
"""Characters under which a turn with a picture mostly points at it ("Here it is!")."""

ORDINARY_LENGTH = 4.8
"""Logarithm of the characters of a turn in the learning conversations, on average."""

SHORTEST_MEASURED, LONGEST_MEASURED = 10, 45
"""Turns of a conversation between which its length says how many of them are worth keeping; from the learning
conversations."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn taken apart: what was claimed, and the words of it that say what it is about."""

    said: Said
    claims: tuple[Claim, ...]
    told: str
    words: tuple[str, ...]
    seen: frozenset[str]

    @property
    def speaker(self) -> str:
        return self.said.speaker or self.said.role


def taken_apart(turns: Sequence[Said], person: str = "", grammar: Grammar | None = None) -> list[Turn]:
    """Every turn that was meant for the conversation, in order: not overheard, not a command, not failed. `person` is
    who speaks where a turn does not say, `grammar` that of their language where it is not English."""
    names = frozenset(part for turn in turns for part in plain_words(turn.speaker.lower()))
    assisted = any(turn.role != USER for turn in turns)
    meant = [turn for turn in turns if turn.mode == "conversation" and turn.outcome == "ok"]
    taken = [_taken_apart(turn, turn.speaker or person, names, assisted, grammar) for turn in meant]
    held = iter(_holding([(turn.said, turn.claims) for turn in taken if turn.said.role == USER]))
    taken = [replace(turn, claims=next(held)) if turn.said.role == USER else turn for turn in taken]
    return [turn if not assisted or _tells_of_own(turn) else replace(turn, claims=()) for turn in taken]


def _holding(people: Sequence[Heard]) -> list[tuple[Claim, ...]]:
    """What is claimed at the end of the talk: corrected, with its dates, and without what no longer holds."""
    said = [one for one, _ in people]
    for settled in (with_corrections, with_months, with_changed_plans):
        people = list(zip(said, settled(people), strict=True))
    return without_outdated(people)


def _taken_apart(turn: Said, who: str, names: frozenset[str], assisted: bool, grammar: Grammar | None) -> Turn:
    found = tuple(_claims(turn.content, who, grammar)) if turn.role == USER else ()
    # To an assistant one also talks about the world, or pastes it; a friend is told what has to do with oneself.
    if assisted:
        found = _anchored(found) if any(_own(claim, turn) or changed(claim.text) for claim in found) else ()
    said = told(turn.content, [who])
    words = tuple(word for word in content_words(said) if word not in names)
    return Turn(turn, found, said, words, frozenset({*words, *content_words(caption(turn.content))}))


def _claims(content: str, who: str, grammar: Grammar | None) -> list[Claim]:
    """The claims in the speaker's language; else, where it is plainly English, those in English."""
    if grammar is None:
        return claims(content, [who])
    if plain := plain_claims(content, grammar, [who]):
        return plain
    found = claims(content, [who])
    return found if any(speaks_of(claim.text, ENGLISH) for claim in found) else []


def _anchored(found: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims from the first on that says whom it is about: "He's my boss" alone does not."""
    return tuple(dropwhile(lambda claim: _SOMEONE_BEFORE.match(claim.text) and not changed(claim.text), found))


def _tells_of_own(turn: Turn) -> bool:
    """Whether there is something of one's own in it, if only what became of a plan that one told before."""
    return any(_own(claim, turn.said) or claim.amended for claim in turn.claims)


def _own(claim: Claim, turn: Said) -> bool:
    to_be_kept = claim.asked and len(turn.content) <= LONGEST_SAID
    return claim.personal or to_be_kept or is_of_concern(claim, turn.content, turn.spoken_at)


def signals(turns: Sequence[Turn]) -> list[dict[str, float]]:
    """The signals of each turn, by name, in order; of an assistant's turn none."""
    first_said = _first_said(turns)
    people = [n for n, turn in enumerate(turns) if turn.said.role == USER]
    ranks = _own_ranks([turns[n] for n in people])
    measured: list[dict[str, float]] = [{} for _ in turns]
    for place, at in enumerate(people):
        turn = turns[at]
        beside = [turns[n] for n in people[max(place - 2, 0) : place + 3] if n != at]
        fresh = sum(first_said[word] == at for word in set(turn.words))
        measured[at] = {
            **_of_text(turn),
            **_of_place(turns, at, beside),
            "own_rank": ranks[place],
            "fresh": math.log1p(fresh),
        }
    return measured


def _first_said(turns: Sequence[Turn]) -> dict[str, int]:
    first: dict[str, int] = {}
    for at, turn in enumerate(turns):
        for word in turn.words:
            first.setdefault(word, at)
    return first


def _substance(turn: Turn) -> float:
    """How much is claimed, and mostly how much by the speaker about themselves."""
    own = {word for claim in turn.claims if claim.personal for word in content_words(claim.text)}
    every = {word for claim in turn.claims for word in content_words(claim.text)}
    return math.log1p(len(own)) + 0.3 * math.log1p(len(every))


def _of_text(turn: Turn) -> dict[str, float]:
    told, lower = turn.told, [word.lower() for word in plain_words(turn.told)]
    own = sum(word in SELF for word in lower)
    names = {name for claim in turn.claims for name in named(claim.text, frozenset())}
    return {
        "own_words": min(own, 8),
        "speaks_of_self": float(own > 0),
        "possessions": min(lower.count("my"), 4),
        "times": min(len(TIMES.findall(told)), 5),
        "events": min(len(EVENTS.findall(told)), 6),
        "places": min(len(PLACES.findall(told)), 4),
        "names": min(len(names), 5),
        "vague": min(len(VAGUE.findall(told)), 8),
        "opens_with_self": float(bool(OPENS_WITH_SELF.match(told))),
        "points_at_picture": float("[" in turn.said.content and len(told) < SHORT_BESIDE_A_PICTURE),
    }


def _of_place(turns: Sequence[Turn], at: int, beside: Sequence[Turn]) -> dict[str, float]:
    before, after = _other(turns, at, -1), _other(turns, at, 1)
    asked = spoken(before.said.content).rstrip() if before else ""
    lengths = [len(turn.said.content) for turn in beside]
    ordinary = sum(lengths) / len(lengths) if lengths else len(turns[at].said.content)
    return {
        "answers": float(asked.endswith("?")),
        "was_asked": float("?" in asked),
        "after_much": _length_of(before, asked),
        # An assistant's length is no measure of a person's: only people's turns stand beside.
        "stands_out": min(len(turns[at].said.content) / max(ordinary, 1), 4.0),
        "taken_up": min(len(set(turns[at].words) & after.seen), 4) if after else 0.0,
        "cheered": min(len(CHEER.findall(after.told)), 4) if after else 0.0,
        "among": math.log(min(max(len(turns), SHORTEST_MEASURED), LONGEST_MEASURED)),
    }


def _length_of(before: Turn | None, asked: str) -> float:
    if before is not None and before.said.role != USER:
        # However long an assistant's answers are, they say nothing of what comes after.
        return ORDINARY_LENGTH
    return min(math.log1p(len(asked)), 6.0)


def _other(turns: Sequence[Turn], at: int, step: int) -> Turn | None:
    """The nearest turn of someone else, before or after."""
    places = range(at + step, len(turns) if step > 0 else -1, step)
    return next((turns[n] for n in places if turns[n].speaker != turns[at].speaker), None)


def _own_ranks(turns: Sequence[Turn]) -> list[float]:
    """Of each turn the share of the same speaker's turns that claim more."""
    claimed = [_substance(turn) for turn in turns]
    of_speaker: dict[str, list[float]] = {}
    for turn, substance in zip(turns, claimed, strict=True):
        of_speaker.setdefault(turn.speaker, []).append(substance)
    for substances in of_speaker.values():
        substances.sort()
    return [
        1 - bisect_right(of_speaker[turn.speaker], substance) / len(of_speaker[turn.speaker])
        for turn, substance in zip(turns, claimed, strict=True)
    ]
