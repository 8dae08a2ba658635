"""What becomes of a memory that comes in, given its nearest neighbours: the decision table, pure and with no model.

The caller keeps within one owner and one visibility: it passes no neighbour of anyone else's, nor of another level,
space or channel. Also: when two keys are one, whether something was refused before, and one text in the place of two.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory_app.nlp import linear_re as re
from memory_app.nlp.comparison import adds_nothing, differs_in_a_particular
from memory_app.nlp.text import jaccard, sentences, words

_SPACING = re.compile(r"[\s_-]+")


def comparable_key(key: str) -> str:
    """What equal key names have in common: "Home  City", "home_city" and "home-city" are "home city"."""
    return "".join(map(_lower, _SPACING.sub(" ", key))).strip(" ") if key else ""


def _lower(character: str) -> str:
    """As PostgreSQL does it: one character for one, whatever stands beside it."""
    lower = character.lower()
    return lower if len(lower) == 1 else lower[0]


def same_key(one: str, other: str) -> bool:
    """Whether both name the same key; no key is not the same as no key."""
    return (key := comparable_key(one)) != "" and key == comparable_key(other)


Outcome = Literal["add", "duplicate", "supersede", "outdated"]

Judgement = Literal["same", "update", "contradiction", "addition"]
"""How a language model says that what is told relates to a memory: it says the same; it tells what holds now in its
place; the two cannot both be true; both hold."""

CONFLICT_FROM = 0.75
"""Cosine from which the person is asked how two texts relate (design: the decision table)."""

LEAST_RELATED = 0.25
"""Cosine under which two texts are of two subjects, whatever their words have in common."""


JUDGED_FROM = 0.2
"""Cosine from which it is believed that a text replaces or contradicts another: of 20 changed facts that are told as an
event (bench/understanding, seen half) 19 are as close to what they replace, of 106 other pairs of one person 35."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is to be stored. key: a slot that holds one value at a time. speaker: who said it, "" for its owner.
    event_time: what its phrase of time means. record: "meeting" or "journal" for a record of many statements, which no
    single statement repeats."""

    text: str
    key: str = ""
    speaker: str = ""
    said_at: datetime | None = None
    event_time: datetime | None = None
    record: str = ""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A memory that holds now, with the cosine of its vector and the candidate's. later: it was said after the
    candidate."""

    id: UUID
    text: str
    key: str = ""
    cosine: float = 0.0
    speaker: str = ""
    event_time: datetime | None = None
    record: str = ""
    later: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do, with which memory, and why in plain words. Only "add" has no target.

    conflicts: the memories that may not hold beside it, closest first; the person is asked about each.
    """

    outcome: Outcome
    target: UUID | None
    reason: str
    conflicts: tuple[UUID, ...] = ()


def decide(
    candidate: Candidate, neighbours: Sequence[Neighbour], judged: Mapping[UUID, Judgement] | None = None
) -> Decision:
    """The first finding that holds, in the order of the table; within one finding the closest memory.

    judged: what a language model says of some neighbours. Where `is_believable`, it stands for the comparison of the
    two; it never changes what the words alone make certain.
    """
    closest = sorted(neighbours, key=lambda neighbour: -neighbour.cosine)
    # The slot first: were another memory with the same text counted instead, the slot would keep its old value.
    for neighbour in closest:
        if same_key(candidate.key, neighbour.key):
            return _in_the_slot(candidate, neighbour)
    for neighbour in closest:
        if says_the_same(candidate, neighbour):
            return Decision("duplicate", neighbour.id, "already saved in the same words, or with more")
    believed = [(one, judged[one.id]) for one in closest if judged and one.id in judged]
    believed = [(one, judgement) for one, judgement in believed if is_believable(judgement, candidate, one)]
    for neighbour, judgement in believed:
        if judgement in ("same", "update"):
            return _by_judgement(candidate, neighbour, judgement)
    settled = {one.id for one, _ in believed}
    against = tuple(one.id for one, judgement in believed if judgement == "contradiction")
    found = against + conflicts(candidate, [one for one in closest if one.id not in settled])
    reason = "close to another memory: the two may not both hold" if found else "no memory says this yet"
    return Decision("add", None, reason, found)


def is_believable(judgement: Judgement, candidate: Candidate, neighbour: Neighbour) -> bool:
    """Whether what a model says of two texts can be so: what is the same is close, and differs in no number, date, name
    or "not"; what replaces or contradicts another is at least of its subject."""
    if judgement in ("same", "addition") and differs_in_a_particular(candidate.text, neighbour.text):
        return False
    least = {"same": CONFLICT_FROM, "update": JUDGED_FROM, "contradiction": JUDGED_FROM, "addition": -1.0}[judgement]
    return _are_comparable(candidate, neighbour) and neighbour.cosine >= least


def _by_judgement(candidate: Candidate, neighbour: Neighbour, judgement: Judgement) -> Decision:
    if judgement == "same" and not adds_nothing(neighbour.text, candidate.text):
        return Decision("duplicate", neighbour.id, "already saved in other words, as the language model reads it")
    if neighbour.later:
        return Decision("outdated", neighbour.id, "something newer was said since, as the language model reads it")
    reason = "says the same and more" if judgement == "same" else "tells what holds now in place of another memory"
    return Decision("supersede", neighbour.id, f"{reason}, as the language model reads it")


def conflicts(candidate: Candidate, neighbours: Sequence[Neighbour]) -> tuple[UUID, ...]:
    """The neighbours that may not hold beside the candidate, in their order."""
    return tuple(neighbour.id for neighbour in neighbours if may_conflict(candidate, neighbour))


def may_conflict(candidate: Candidate, neighbour: Neighbour) -> bool:
    """Whether the two are close, or the same statement but for a number, a date, a name or a "not"."""
    if not _are_comparable(candidate, neighbour) or neighbour.cosine < LEAST_RELATED:
        return False
    if _is_another_occasion(candidate, neighbour) or says_the_same(candidate, neighbour):
        return False
    return neighbour.cosine >= CONFLICT_FROM or differs_in_a_particular(candidate.text, neighbour.text)


def says_the_same(candidate: Candidate, neighbour: Neighbour) -> bool:
    """Whether the candidate has no word that the neighbour has not; "tomorrow" of another day is another word."""
    if not _are_comparable(candidate, neighbour) or not adds_nothing(candidate.text, neighbour.text):
        return False
    return candidate.event_time is None or candidate.event_time == neighbour.event_time


def _are_comparable(candidate: Candidate, neighbour: Neighbour) -> bool:
    return candidate.speaker == neighbour.speaker and candidate.record == neighbour.record


def _is_another_occasion(candidate: Candidate, neighbour: Neighbour) -> bool:
    """Whether the older one speaks of a time that was over when the candidate was said: last month's appointment says
    nothing about the next."""
    if candidate.event_time is None or neighbour.event_time is None or candidate.said_at is None:
        return False
    return candidate.event_time != neighbour.event_time and neighbour.event_time < candidate.said_at


def _in_the_slot(candidate: Candidate, neighbour: Neighbour) -> Decision:
    if says_the_same(candidate, neighbour):
        return Decision("duplicate", neighbour.id, f"already saved under “{candidate.key}”")
    if neighbour.later:
        return Decision("outdated", neighbour.id, f"another value for “{candidate.key}” was said since")
    return Decision("supersede", neighbour.id, f"a new value for “{candidate.key}”")


REPEATED_FROM = 0.85
"""Cosine from which a text repeats one that was refused; from written pairs of one statement in two wordings."""

Vector = NDArray[np.float32]

SAME_QUOTE = 0.5
"""Of the words of two quotes, those that both have: the rules quote sentences, a model often a clause of one."""


def repeats_refused(text: str, vector: Vector, earlier: Iterable[tuple[str, Vector | list[float] | None]]) -> bool:
    """Whether a text says what one of the earlier ones (text, unit vector), which were refused, said.

    In whatever words; but who refused to have "I live in Rome" kept has not been asked about "I live in Oslo".
    """
    return any(
        adds_nothing(text, refused) or (_is_close(vector, other) and not differs_in_a_particular(text, refused))
        for refused, other in earlier
    )


def is_same_quote(quote: tuple[str, str], earlier: tuple[str, str]) -> bool:
    """Whether two quotes, each a turn and words of it, are nearly the same words. A turn may tell several things, and
    only one of them was refused."""
    return quote[0] == earlier[0] and jaccard(quote[1], earlier[1]) >= SAME_QUOTE


def say_the_same(a: str, b: str) -> bool:
    """Whether one of the two texts has no word that the other has not."""
    return adds_nothing(a, b) or adds_nothing(b, a)


def same_statements(text: str, others: Sequence[str]) -> list[bool]:
    """For each of the others, whether it and the text say the same."""
    return [say_the_same(text, other) for other in others]


def _is_close(vector: Vector, other: Vector | list[float] | None) -> bool:
    return other is not None and float(np.asarray(other, dtype=np.float32) @ vector) >= REPEATED_FROM


def merged_text(old: str, new: str) -> str:
    """What both texts say, the older one first; of two sentences of which one holds all words of the other, the fuller.

    Nothing is reworded: two sentences that only resemble each other both stay.
    """
    later = sentences(new)
    older = [sentence for sentence in sentences(old) if not _said_in(sentence, later)]
    added = [sentence for sentence in later if not _said_in(sentence, older)]
    both = [*older, *added]
    return " ".join([*(_ended(sentence) for sentence in both[:-1]), *both[-1:]])


def _said_in(sentence: str, others: list[str]) -> bool:
    own = set(words(sentence))
    return any(own <= set(words(other)) for other in others)


def _ended(sentence: str) -> str:
    return f"{sentence}." if sentence[-1].isalnum() else sentence
