"""Take place: what was held against a memory, or it against others, once another one stands in its stead."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from ...models import Memory, ProposalStatus, Status
from ..author import Author
from ..change import locked
from ..forgetting.released import confidence_before, marked_with, oppose, stand_again, stands
from .compared import differ
from .marked import marked
from .questions import PENDING, ask_again, ask_of, close, other_of, questions_about


def take_place(
    old: Memory, new: Memory, author: Author, now: datetime, *, but: Collection[UUID] = (), both: bool = False
) -> list[Memory]:
    """Of each memory that contradicts the old one: the question goes on with the new one, which may not be stored yet;
    or it is closed, where both may be true. Answers those that contradict it, the newest first. Expects the scope, and
    other writers held off.

    but: the question of these is closed, and how they stand is the caller's to say. both: whatever they say, both hold.
    """
    questions = questions_about(old.id)
    named = {other_of(asked, old.id) for asked in questions}
    others = locked_all(old.space_id, {*beside(old), *named} - {*but})
    otherwise = [other for other in others if _contradict(old, new, other, author, now, both=both)]
    for asked in questions:
        other = next((one for one in others if one.id == other_of(asked, old.id)), None)
        ask_of(asked, other, new)
        asked.save()
        if other not in otherwise or other.sensitive or new.sensitive:
            close([asked], author, now)
    return [other for other in reversed(otherwise) if stands(other)]


def give_place_back(old: Memory, new: UUID, corrected_at: datetime, *, of: Collection[UUID] | None = None) -> None:
    """The other way round, once a correction is undone: what was asked about the old one is asked again.

    of: about these and it alone, where the new one was there before, and asked about by itself."""
    closed = Q(status=ProposalStatus.EXPIRED, decided_at=corrected_at)
    for asked in questions_about(new, PENDING | closed):
        if of is not None and other_of(asked, new) not in of:
            continue
        (other,) = locked_all(old.space_id, {other_of(asked, new)}) or (None,)
        ask_again(asked, other, old)


def still_against(memory: Memory) -> dict[str, Any]:
    """What of a memory that comes back is no longer so: what contradicted it is gone or says something else, or another
    one stands in its stead by now. As fields to set. Expects the scope, and other writers held off."""
    if memory.contradicted_by is None:
        return {}
    newer = _standing_for(memory.space_id, memory.contradicted_by)
    if newer is None or not differ(newer, memory):
        return {"attributes": marked(memory, None), "confidence": confidence_before(memory)}
    return {"attributes": marked(memory, newer)}


def _contradict(old: Memory, new: Memory, other: Memory, author: Author, now: datetime, *, both: bool) -> bool:
    """Whether another memory contradicts the new one too. The marks of what stands are set accordingly; what was
    forgotten may come back, and is asked about until then."""
    otherwise = not both and differ(new, other)
    if stands(other) and otherwise:
        oppose(new, other, author, now)
    elif stands(other) and other.conflicts_with == old.id:
        stand_again(other, old, old.contradicted_by, author, now, operation="release")
    return otherwise


def beside(memory: Memory) -> set[UUID]:
    """What it contradicts and is contradicted by, as the marks of both say."""
    named = {memory.conflicts_with} if memory.conflicts_with else set()
    return named | set(marked_with(memory).kept().values_list("id", flat=True))


def locked_all(space: UUID, ids: Iterable[UUID | None]) -> list[Memory]:
    """The oldest first, so that what is marked with the last one is marked with the newest."""
    found = [locked(space, one) for one in sorted(filter(None, ids))]
    return sorted((one for one in found if one), key=lambda one: one.told)


def _standing_for(space: UUID, memory: UUID) -> Memory | None:
    """The memory, or what replaced it, and that one; None where nothing of these stands."""
    found = locked(space, memory)
    while found and found.deleted_at is None and found.status == Status.SUPERSEDED and found.superseded_by:
        found = locked(space, found.superseded_by)
    return found if found and stands(found) else None
