"""How sure one may be that a turn says something worth keeping: a weighted sum of its signals, as a probability.

Signals are numbers of words, form and place in the conversation, not of topics. Their weights were learned by
`bench/extraction_weights.py` on conversations between friends (LoCoMo, five development conversations): that a turn
was noted as an observation, and half as much that a question is answered by it; calibrated on conversations left out.
What an assistant said is measured for its effect on the turns around it.
"""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memory_app.nlp.extract.claims import Claim, apply_corrections, blank_unspoken, caption, claims, statements_of
from memory_app.nlp.extract.context import (
    asks_about_person,
    begins_with_pronoun,
    context_of,
    is_bare_answer,
    question_before,
)
from memory_app.nlp.extract.others_words import foreign_turns
from memory_app.nlp.extract.personal import MAX_SPOKEN_LENGTH, is_about_own_life
from memory_app.nlp.extract.turns import SpokenTurn
from memory_app.nlp.extract.vocabulary import (
    ENGLISH_FIRST_PERSON,
    EVENTS,
    OPENS_WITH_SELF,
    PLACES,
    PRAISE,
    SELF,
    TIMES,
    VAGUE,
    content_words,
    has_any_pronoun,
    names_in,
    plain_words,
)
from memory_app.nlp.locales import WORDINGS

BIAS = 1.812
WEIGHTS: Mapping[str, float] = {
    "own_rank": -1.471,
    "among": -1.072,
    "speaks_of_self": 0.697,
    "fresh": 0.591,
    "points_at_picture": 0.528,
    "was_asked": 0.517,
    "times": 0.387,
    "answers": 0.368,
    "possessions": 0.355,
    "opens_with_self": 0.336,
    "names": 0.319,
    "stands_out": 0.248,
    "events": 0.212,
    "places": 0.184,
    "taken_up": 0.133,
    "own_words": -0.126,
    "after_much": -0.124,
    "vague": -0.098,
    "cheered": 0.093,
}


def worth(signals: Mapping[str, float]) -> float:
    """0 to 1; 0 for a turn without signals."""
    if not signals:
        return 0.0
    return 1 / (1 + math.exp(-(BIAS + sum(weight * signals[name] for name, weight in WEIGHTS.items()))))


USER = "user"
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

    spoken: SpokenTurn
    claims: tuple[Claim, ...]
    statements: str
    words: tuple[str, ...]
    seen: frozenset[str]

    @property
    def speaker(self) -> str:
        return self.spoken.speaker or self.spoken.role


def analyse_turns(turns: Sequence[SpokenTurn], language: str = "") -> list[Turn]:
    """Every turn that was meant for the conversation, in order: not overheard, not a command, not failed. `language`:
    the person's."""
    names = frozenset(part for turn in turns for part in plain_words(turn.speaker.lower()))
    assisted = any(turn.role != USER for turn in turns)
    meant = [turn for turn in turns if turn.mode == "conversation" and turn.outcome == "ok"]
    others = foreign_turns(meant) if assisted else frozenset[int]()
    found = [
        tuple(_claims(turn.content, language)) if turn.role == USER and at not in others else ()
        for at, turn in enumerate(meant)
    ]
    people = [at for at, turn in enumerate(meant) if turn.role == USER]
    for at, corrected in zip(people, apply_corrections([(meant[at], found[at]) for at in people]), strict=True):
        found[at] = corrected
    if assisted:
        found = [_personal_claims(meant, at, claims) for at, claims in enumerate(found)]
    return [_analyse_turn(turn, found[at], names) for at, turn in enumerate(meant)]


def _analyse_turn(turn: SpokenTurn, found: Sequence[Claim], names: frozenset[str]) -> Turn:
    statements = statements_of(turn.content)
    words = tuple(word for word in content_words(statements) if word not in names)
    return Turn(turn, tuple(found), statements, words, frozenset({*words, *content_words(caption(turn.content))}))


def _claims(content: str, language: str) -> list[Claim]:
    """The claims; of who speaks another language, those of a turn that is plainly English: what is sensitive in others
    no rule knows."""
    found = claims(content)
    return (
        found
        if language not in WORDINGS or any(has_any_pronoun(claim.text, ENGLISH_FIRST_PERSON) for claim in found)
        else []
    )


def _personal_claims(turns: Sequence[SpokenTurn], at: int, found: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims of a turn if they have to do with the person: to an assistant one also talks about the world."""
    turn, question = turns[at], question_before(turns, at)
    answers = asks_about_person(question)
    if found and is_bare_answer(turn.content) and not any(_is_personal(turns, at, claim) for claim in found):
        return tuple(replace(claim, context=question) for claim in found) if answers else ()
    if (answers and len(turn.content) <= MAX_SPOKEN_LENGTH) or any(_is_personal(turns, at, claim) for claim in found):
        return _with_person_context(turns, at, found)
    return ()


def _with_person_context(turns: Sequence[SpokenTurn], at: int, found: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims, the first with what says whom it is about; without it, if that is not known."""
    if not found or not begins_with_pronoun(found[0]):
        return tuple(found)
    context = context_of(turns, at, found[0], found[:1])
    return (replace(found[0], context=context), *found[1:]) if context else tuple(found[1:])


def _is_personal(turns: Sequence[SpokenTurn], at: int, claim: Claim) -> bool:
    content, said_at = turns[at].content, turns[at].spoken_at
    short = len(content) <= MAX_SPOKEN_LENGTH
    of_someone = short and begins_with_pronoun(claim) and context_of(turns, at, claim, [claim]) is not None
    return claim.personal or bool(claim.context) or of_someone or is_about_own_life(claim, content, said_at)


def signals(turns: Sequence[Turn]) -> list[dict[str, float]]:
    """The signals of each turn, by name, in order; of an assistant's turn none."""
    first_said = _first_said(turns)
    people = [n for n, turn in enumerate(turns) if turn.spoken.role == USER]
    ranks = _own_ranks([turns[n] for n in people])
    measured: list[dict[str, float]] = [{} for _ in turns]
    for place, at in enumerate(people):
        turn = turns[at]
        beside = [turns[n] for n in people[max(place - 2, 0) : place + 3] if n != at]
        fresh = sum(first_said[word] == at for word in set(turn.words))
        measured[at] = {
            **_text_signals(turn),
            **_position_signals(turns, at, beside),
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


def _text_signals(turn: Turn) -> dict[str, float]:
    statements, lower = turn.statements, [word.lower() for word in plain_words(turn.statements)]
    own = sum(word in SELF for word in lower)
    names = {name for claim in turn.claims for name in names_in(claim.text, frozenset())}
    return {
        "own_words": min(own, 8),
        "speaks_of_self": float(own > 0),
        "possessions": min(lower.count("my"), 4),
        "times": min(len(TIMES.findall(statements)), 5),
        "events": min(len(EVENTS.findall(statements)), 6),
        "places": min(len(PLACES.findall(statements)), 4),
        "names": min(len(names), 5),
        "vague": min(len(VAGUE.findall(statements)), 8),
        "opens_with_self": float(bool(OPENS_WITH_SELF.match(statements))),
        "points_at_picture": float("[" in turn.spoken.content and len(statements) < SHORT_BESIDE_A_PICTURE),
    }


def _position_signals(turns: Sequence[Turn], at: int, beside: Sequence[Turn]) -> dict[str, float]:
    before, after = _nearest_turn_of_other(turns, at, -1), _nearest_turn_of_other(turns, at, 1)
    question = blank_unspoken(before.spoken.content).rstrip() if before else ""
    lengths = [len(turn.spoken.content) for turn in beside]
    ordinary = sum(lengths) / len(lengths) if lengths else len(turns[at].spoken.content)
    return {
        "answers": float(question.endswith("?")),
        "was_asked": float("?" in question),
        "after_much": _length_of(before, question),
        # An assistant's length is no measure of a person's: only people's turns stand beside.
        "stands_out": min(len(turns[at].spoken.content) / max(ordinary, 1), 4.0),
        "taken_up": min(len(set(turns[at].words) & after.seen), 4) if after else 0.0,
        "cheered": min(len(PRAISE.findall(after.statements)), 4) if after else 0.0,
        "among": math.log(min(max(len(turns), SHORTEST_MEASURED), LONGEST_MEASURED)),
    }


def _length_of(before: Turn | None, question: str) -> float:
    if before is not None and before.spoken.role != USER:
        # However long an assistant's answers are, they say nothing of what comes after.
        return ORDINARY_LENGTH
    return min(math.log1p(len(question)), 6.0)


def _nearest_turn_of_other(turns: Sequence[Turn], at: int, step: int) -> Turn | None:
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
