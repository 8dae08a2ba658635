"""Expire: let go of proposals that nobody decided on for a month. The inbox says so a week before."""

from datetime import datetime

from memory_app.models import Proposal, ProposalStatus
from memory_app.models.scope import every_space


def expire(now: datetime) -> int:
    """How many expired: one statement, and none the second time. One that someone decides on just now is theirs."""
    with every_space():
        overdue = Proposal.objects.overdue(now)
        free = overdue.select_for_update(skip_locked=True).values("pk")
        return overdue.filter(pk__in=free).update(
            status=ProposalStatus.EXPIRED, decided_at=now, decided_by="job:expire"
        )
