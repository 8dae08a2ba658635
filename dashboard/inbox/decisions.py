"""What was decided lately: proposals that were decided on in one go taken together, each of which can be undone."""

from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from dashboard.inbox.wording import decided, done
from dashboard.reach import Reach
from memory_app.models import Proposal, ProposalStatus

READ, SHOWN = 200, 5
MOST = 50


@dataclass(frozen=True, slots=True)
class Decision:
    """One act. `proposal`: what it was about, where that was one. `reason`: why it was rejected, if that was said."""

    words: str
    at: datetime
    proposals: list[UUID]
    proposal: Proposal | None
    reason: str
    status: str
    author: str


def decided_lately(reach: Reach) -> list[Decision]:
    """The latest decisions that someone took, newest first."""
    return _taken(reach, SHOWN)


def decided_since(reach: Reach, since: datetime) -> list[Decision]:
    """The same, of a stretch of time."""
    return _taken(reach, MOST, decided_at__gt=since)


def decision_json(decision: Decision) -> dict[str, Any]:
    """status: what was decided, as proposals call it; author: who."""
    return {
        "status": decision.status,
        "author": decision.author,
        "at": decision.at.isoformat(),
        "reason": decision.reason or None,
        "proposals": [str(proposal) for proposal in decision.proposals],
    }


def _taken(reach: Reach, most: int, **narrowed: datetime) -> list[Decision]:
    taken = reach.proposals().exclude(decided_at=None).exclude(status=ProposalStatus.EXPIRED).filter(**narrowed)
    rows = list(taken.defer("embedding").order_by("-decided_at", "-id")[:READ])
    groups = [list(group) for _, group in groupby(rows, key=_together)]
    return [_decision(reach, group) for group in groups[:most]]


def _together(proposal: Proposal) -> tuple[datetime | None, str, str]:
    return (proposal.decided_at, proposal.decided_by, done(proposal))


def _decision(reach: Reach, group: list[Proposal]) -> Decision:
    first = group[0]
    assert first.decided_at is not None  # those that are not decided were left out
    return Decision(
        words=decided(first, len(group), reader=reach.author().label),
        at=first.decided_at,
        proposals=[proposal.id for proposal in group],
        proposal=first if len(group) == 1 else None,
        reason=first.reject_reason if len(group) == 1 else "",
        status=first.status,
        author=first.decided_by,
    )
