"""Contradiction: of two memories that are kept, the newer says otherwise, and the person tells which of them holds.

Until they do, the newer one stands and the older one counts for little; `keep` saw to that.
"""

from datetime import datetime
from typing import Any, Literal

from ...errors import InConflict
from ...models import Memory, Proposal, Relation, Status
from ..author import Author
from ..change import change, locked
from ..edit import At
from ..forgetting.forget import forget
from ..forgetting.released import confidence_before, hold_against, stand_alone

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
        return stand_alone(new, old, author, now, supersedes=old.id)
    stand_alone(old, new, author, now, confidence=confidence_before(old))
    if holds == "both":
        return stand_alone(new, old, author, now)
    forget(at=At(proposal.space_id, new.id), author=author, now=now, reason="contradicted")
    return old


def hold_again(proposal: Proposal, author: Author, now: datetime) -> None:
    """Once a choice is undone and both are as they were: what else the newer one contradicts is in doubt as well."""
    if new := _standing(proposal, proposal.folds):
        hold_against(new, author, now)


def _standing(proposal: Proposal, memory: Any) -> Memory | None:
    found = locked(proposal.space_id, memory) if memory else None
    return found if found and found.status == Status.ACTIVE and found.deleted_at is None else None


def _replace(old: Memory, new: Memory, author: Author, now: datetime) -> None:
    fields: dict[str, Any] = {"status": Status.SUPERSEDED, "valid_to": new.valid_from, "superseded_by": new.id}
    change(old, operation="supersede", author=author, now=now, **fields)
