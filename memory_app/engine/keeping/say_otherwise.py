"""Say otherwise: a memory given other words is judged anew against what is kept beside it, as if it were told."""

from collections.abc import Iterable
from copy import copy
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import Q

from ...embedding.encoder import Encoder
from ...models import Memory, Proposal, ProposalStatus, Status
from ...rules.decide import contradicted
from ...rules.told_anew import told_anew
from ..author import Author
from ..change import change
from ..forgetting.released import CONTRADICTED_CONFIDENCE, confidence_before, oppose, stand_again, stands, weaken
from .compared import BothWays, decided_by, differ
from .marked import marked
from .questions import PENDING, ask_again, close, other_of, put_up, questions_about
from .surroundings import Surroundings
from .take_place import beside, locked_all


def say_otherwise(
    memory: Memory,
    *,
    operation: str,
    author: Author,
    now: datetime,
    encoder: Encoder | None,
    reason: str = "",
    anew: bool = False,
    **fields: Any,
) -> Memory:
    """As `change`. What it contradicted, and does not any more, stands by itself, and the question is closed; what it
    contradicts by now is asked about. Of two, the one that was told first counts for little. Expects the scope, and
    other writers held off.

    encoder: of the vector among the fields; None where there is none, and nothing that it contradicts for the first
    time is looked for.
    anew: its person says so now, and so it is told now if it claims something else.
    """
    holds = fields.get("status", memory.status) == Status.ACTIVE
    if not holds or fields.get("content", memory.content) == memory.content:
        return change(memory, operation=operation, author=author, now=now, reason=reason, **fields)
    said = copy(memory)
    for name, value in fields.items():
        setattr(said, name, value)
    known, questions, beyond = beside(memory), _questions(memory), memory.contradicted_by
    others = locked_all(memory.space_id, {*known, *beside(said), *questions})
    against = [other for other in others if differ(said, other)]
    found = newly_against(memory, said, others, now, encoder) if encoder else []
    if anew and is_told_anew(memory, said, [*against, *found]):
        said.valid_from = fields["valid_from"] = now
    fields |= _marks(memory, said, sorted([*against, *found], key=lambda one: one.told))
    changed = change(memory, operation=operation, author=author, now=now, reason=reason, **fields)
    for other in [*others, *found]:
        otherwise = other in against or other in found
        if stands(other):
            _mark(changed, other, beyond, author, now, otherwise=otherwise)
        if asked := questions.get(other.id):
            _ask_again(asked, changed, other, author, now, otherwise=otherwise)
        elif otherwise and other.id not in known and stands(other):
            older, newer = sorted((changed, other), key=lambda one: one.told)
            put_up(older, newer, now)
    return changed


def _questions(memory: Memory) -> dict[UUID | None, Proposal]:
    """By the other memory, those that wait; and those that the last change closed, for this one may undo it."""
    closed = Q(status=ProposalStatus.EXPIRED, decided_at=memory.updated_at)
    return {other_of(asked, memory.id): asked for asked in questions_about(memory.id, closed | PENDING)}


def is_told_anew(before: Memory, said: Memory, against: Iterable[Memory]) -> bool:
    """Whether a memory claims by its new words something else, or what it is contradicted in."""
    others = [decided_by(other.person, other.content, other.source_speaker) for other in against]
    was, now_is = (decided_by(one.person, one.content, one.source_speaker) for one in (before, said))
    return told_anew(was, now_is, others)


def newly_against(before: Memory, said: Memory, but: Iterable[Memory], now: datetime, encoder: Encoder) -> list[Memory]:
    """What a memory contradicts by what it says now, and did not by what it said before; the oldest first. What it
    contradicted already has been judged: the person may have said that both hold.

    but: what is judged already."""
    if not said.is_told:
        return []
    vectors = np.asarray([said.embedding], dtype=np.float32)
    around = Surroundings([said], vectors, BothWays([said], encoder, vectors).otherwise, now, encoder.name)
    judged = {before.id, said.id, *(one.id for one in but)}
    found = contradicted(around.candidate(0), [near for near in around.of(0) if near.id not in judged])
    ids = {found.target, *found.also} if found else set()
    return [other for other in locked_all(said.space_id, ids) if not differ(before, other)]


def contradict_anew(new: Memory, found: Iterable[Memory], author: Author, now: datetime) -> None:
    """What a correction contradicts, and what it corrects did not, is asked about. `new` is not stored yet."""
    for other in found:
        oppose(new, other, author, now)
        older, newer = sorted((other, new), key=lambda one: one.told)
        put_up(older, newer, now)


def _marks(memory: Memory, said: Memory, against: list[Memory]) -> dict[str, Any]:
    """Which memory it is marked with, and what it is worth by that, as fields to set. What was forgotten may come back;
    what was replaced has someone to stand in its stead."""
    standing = [other for other in against if stands(other)]
    forgotten = [other for other in against if other.status == Status.DELETED]
    attributes = marked(said, next(reversed(standing or forgotten), None))
    fields: dict[str, Any] = {} if attributes == memory.attributes else {"attributes": attributes}
    worth = said.confidence
    if any(other.told > said.told for other in standing):
        worth = min(worth, CONTRADICTED_CONFIDENCE)
    elif said.contradicted_by:
        worth = max(worth, confidence_before(memory))
    return fields if worth == memory.confidence else {**fields, "confidence": worth}


def _mark(
    memory: Memory, other: Memory, beyond: UUID | None, author: Author, now: datetime, *, otherwise: bool
) -> None:
    """The other one with what it is to be marked with, and what it is worth by that. beyond: what the memory was
    contradicted by."""
    is_older = other.told < memory.told
    if otherwise and is_older and other.contradicted_by is None:
        weaken(other, memory, author, now)
    elif otherwise and not is_older and other.contradicted_by == memory.id:
        worth = confidence_before(other)
        change(other, operation="release", author=author, now=now, confidence=worth, attributes=marked(other, memory))
    elif otherwise and not is_older and other.conflicts_with is None:
        change(other, operation="contradict", author=author, now=now, attributes=marked(other, memory))
    elif not otherwise and other.conflicts_with == memory.id:
        stand_again(other, memory, beyond, author, now, operation="release")


def _ask_again(
    asked: Proposal, memory: Memory, other: Memory, author: Author, now: datetime, *, otherwise: bool
) -> None:
    """The question which of the two holds: shown with the words of now, or closed."""
    if otherwise and not memory.sensitive and not other.sensitive:
        ask_again(asked, other, memory)
    elif asked.status == ProposalStatus.PENDING:
        close([asked], author, now)
