"""Expire: let go of proposals that nobody decided on for a month. The inbox says so a week before."""

from datetime import datetime

from ..models import Proposal, ProposalStatus
from ..models.proposal import EXPIRES_AFTER
from ..models.scope import every_space


def expire(now: datetime) -> int:
    """How many expired: one statement, and none the second time."""
    with every_space():
        old = Proposal.objects.filter(status=ProposalStatus.PENDING, created_at__lt=now - EXPIRES_AFTER)
        return old.update(status=ProposalStatus.EXPIRED, decided_at=now, decided_by="job:expire")
