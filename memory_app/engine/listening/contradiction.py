"""Contradiction: of two memories that are kept, the newer says otherwise, and the person tells which of them holds.

Until they do, the newer one stands and the older one counts for little; `keep` saw to that.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.db.models import Q

from ...errors import InConflict
from ...models import Memory, Proposal, ProposalStatus, Relation, Status
from ..author import Author
from ..change import change, locked
from ..edit import At
from ..forgetting.forget import forget
from ..forgetting.released import confidence_before, hold_against, stand_alone
from ..keeping.questions import PENDING, other_of, questions_about
from ..keeping.take_place import beside, give_place_back, locked_all, take_place

Holds = Literal["newest", "both", "oldest"]


def is_contradiction(proposal: Proposal) -> bool:
    """Whether a proposal asks which of two kept memories holds."""
    return proposal.relation == Relation.CONFLICT and proposal.folds is not None


def settle(proposal: Proposal, holds: Holds, author: Author, now: datetime) -> Memory | None:
    """Carries out what the person chose; answers the memory that holds, of both the newer one. None, and nothing done,
    where the oldest is to hold and one of the two is gone already.

    Expects the scope, and other writers held off. Raises InConflict where one of the two is gone, but for the oldest.
    """
    old, new = (_standing(proposal, memory) for memory in (proposal.target_id, proposal.folds))
    if old is None or new is None:
        if holds == "oldest":
            return None
        raise InConflict("One of the two is gone by now, so there is nothing to choose: reject this to let it go.")
    if holds == "newest":
        _replace(old, new, author, now)
        # What is newer still is asked about the newest itself.
        take_place(old, new, author, now, but=_not_before(new, beside(old)))
        return stand_alone(new, old, author, now, supersedes=old.id)
    stand_alone(old, new, author, now, confidence=confidence_before(old))
    if holds == "both":
        return stand_alone(new, old, author, now)
    forget(at=At(proposal.space_id, new.id), author=author, now=now, reason="contradicted")
    return old


def hold_again(proposal: Proposal, author: Author, now: datetime, passed_on: Collection[UUID]) -> None:
    """Once a choice is undone and both are as they were: what else the newer one contradicts is in doubt as well.
    passed_on: whose question the newer one had taken over, which is asked about the older one again."""
    old, new = (_standing(proposal, memory) for memory in (proposal.target_id, proposal.folds))
    if old and new and proposal.decided_at:
        give_place_back(old, new.id, proposal.decided_at, of=passed_on)
    if new and (against := hold_against(new, author, now)):
        change(new, operation="contradict", author=author, now=now, **against)


def passed_on_by(proposal: Proposal) -> list[UUID]:
    """What contradicted the older one, where the newer one took its place by the choice: as that left it."""
    if proposal.target_id is None or proposal.folds is None or proposal.status != ProposalStatus.ACCEPTED:
        return []
    old = locked(proposal.space_id, proposal.target_id)
    if old is None or old.superseded_by != proposal.folds:
        return []
    closed = Q(status=ProposalStatus.EXPIRED, decided_at=proposal.decided_at)
    asked = {other_of(one, proposal.folds) for one in questions_about(proposal.folds, closed | PENDING)}
    others = locked_all(proposal.space_id, asked - {old.id})
    return [other.id for other in others if other.updated_at == proposal.decided_at]


def _not_before(memory: Memory, ids: Collection[UUID]) -> list[UUID]:
    return [one.id for one in locked_all(memory.space_id, ids) if one.told >= memory.told]


def _standing(proposal: Proposal, memory: Any) -> Memory | None:
    found = locked(proposal.space_id, memory) if memory else None
    return found if found and found.status == Status.ACTIVE and found.deleted_at is None else None


def _replace(old: Memory, new: Memory, author: Author, now: datetime) -> None:
    fields: dict[str, Any] = {"status": Status.SUPERSEDED, "valid_to": new.valid_from, "superseded_by": new.id}
    change(old, operation="supersede", author=author, now=now, **fields)
