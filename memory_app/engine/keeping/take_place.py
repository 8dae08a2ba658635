"""Take place: what was held against a memory, or it against others, once another one stands in its stead.

A correction may say otherwise still, or no more. `keep` finds contradictions; none is found anew here.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from ...models import Memory, Proposal, ProposalStatus, Relation, Status
from ...models.memory import CONFLICTS_WITH
from ...rules.differences import differences
from ..author import Author
from ..change import locked
from ..forgetting.released import confidence_before, marked_with, stand_alone, weaken
from .compared import decided_by

SHOWN = ("visibility", "channel_id", "type", "category", "key", "summary", "content", "keywords", "confidence")
"""What a question about two memories shows of the newer one."""


def take_place(old: Memory, new: Memory, author: Author, now: datetime) -> None:
    """Of each memory that contradicts the old one: the question goes on with the new one, which is not stored yet, and
    stands as the newer; or it is closed, where both may be true. Expects the scope, and other writers held off."""
    questions = list(_questions(Q(status=ProposalStatus.PENDING), old.id))
    others = _locked(old.space_id, {*_beside(old), *(_other(question, old.id) for question in questions)})
    otherwise = {other.id for other in others if _contradict(old, new, other, author, now)}
    for question in questions:
        other = next((one for one in others if one.id == _other(question, old.id)), None)
        _ask_of(question, other, new)
        if other is None or other.id not in otherwise or other.sensitive or new.sensitive:
            question.status, question.decided_at, question.decided_by = ProposalStatus.EXPIRED, now, author.label
        question.save()


def give_place_back(old: Memory, new: UUID, corrected_at: datetime) -> None:
    """The other way round, once a correction is undone: what was asked about the old one is asked again."""
    closed = Q(status=ProposalStatus.EXPIRED, decided_at=corrected_at)
    for question in _questions(Q(status=ProposalStatus.PENDING) | closed, new):
        (other,) = _locked(old.space_id, {_other(question, new)}) or (None,)
        _ask_of(question, other, old)
        question.status, question.decided_at, question.decided_by = ProposalStatus.PENDING, None, ""
        question.save()


def still_against(memory: Memory) -> dict[str, Any]:
    """What of a memory that comes back is no longer so: what contradicted it is gone, or another one stands in its
    stead by now. As fields to set. Expects the scope, and other writers held off."""
    if memory.contradicted_by is None:
        return {}
    newer = _standing_for(memory.space_id, memory.contradicted_by)
    if newer is None or (newer.id != memory.contradicted_by and not _differ(newer, memory)):
        attributes = {name: value for name, value in memory.attributes.items() if name != CONFLICTS_WITH}
        return {"attributes": attributes, "confidence": confidence_before(memory)}
    return {"attributes": {**memory.attributes, CONFLICTS_WITH: str(newer.id)}}


def _contradict(old: Memory, new: Memory, other: Memory, author: Author, now: datetime) -> bool:
    """Whether another memory contradicts the new one too. The marks of what stands are set accordingly."""
    stands, differ = other.status == Status.ACTIVE and other.deleted_at is None, _differ(new, other)
    if stands and differ:
        new.attributes = {**new.attributes, CONFLICTS_WITH: str(other.id)}
        weaken(other, new, author, now)
    elif stands and other.conflicts_with == old.id:
        worth = {"confidence": confidence_before(other)} if other.id < old.id else {}
        stand_alone(other, old, author, now, operation="release", **worth)
    return differ


def _differ(one: Memory, other: Memory) -> bool:
    said, told = (decided_by(memory.person, memory.content, memory.source_speaker) for memory in (one, other))
    return bool(differences(said, told))


def _beside(memory: Memory) -> set[UUID]:
    """What it contradicts and is contradicted by, as the marks of both say."""
    named = {memory.conflicts_with} if memory.conflicts_with else set()
    return named | set(marked_with(memory).kept().values_list("id", flat=True))


def _locked(space: UUID, ids: Iterable[UUID | None]) -> list[Memory]:
    """The oldest first, so that what is marked with the last one is marked with the newest."""
    found = [locked(space, one) for one in sorted(filter(None, ids))]
    return [one for one in found if one]


def _standing_for(space: UUID, memory: UUID) -> Memory | None:
    """The memory, or what replaced it, and that one; None where nothing of these stands."""
    found = locked(space, memory)
    while found and found.deleted_at is None and found.status == Status.SUPERSEDED and found.superseded_by:
        found = locked(space, found.superseded_by)
    return found if found and found.deleted_at is None and found.status == Status.ACTIVE else None


def _questions(which: Q, memory: UUID) -> Iterable[Proposal]:
    """The questions about a memory that is kept: which of two holds."""
    either = Q(target_id=memory) | Q(folds=memory)
    return Proposal.objects.select_for_update().filter(which, either, relation=Relation.CONFLICT, folds__isnull=False)


def _other(question: Proposal, memory: UUID) -> UUID | None:
    return question.folds if question.target_id == memory else question.target_id


def _ask_of(question: Proposal, other: Memory | None, memory: Memory) -> None:
    """Makes it a question about these two, which shows the newer one."""
    if other is None:
        return
    older, newer = sorted((other, memory), key=lambda one: one.id)
    question.target_id, question.folds = older.id, newer.id
    for name in SHOWN:
        setattr(question, name, getattr(newer, name))
