"""Expire: let go of proposals that nobody decided on for a month. The inbox says so a week before."""

from datetime import datetime

from ...models import Proposal, ProposalStatus
from ...models.scope import every_space


def expire(now: datetime) -> int:
    """How many expired: one statement, and none the second time."""
    with every_space():
        overdue = Proposal.objects.overdue(now)
        return overdue.update(status=ProposalStatus.EXPIRED, decided_at=now, decided_by="job:expire")
