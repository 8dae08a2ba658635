"""The inbox: what was noticed about a person, as they may see it."""

from datetime import datetime

from memory_app.engine.enter import Entered
from memory_app.models import Proposal, ProposalStatus
from memory_app.models.proposal import ProposalQuerySet
from memory_app.models.scope import within


def inbox(entered: Entered, status: str | None = ProposalStatus.PENDING) -> ProposalQuerySet:
    """A person's own proposals of a status (None: any), to be evaluated within the venue's spaces."""
    rows = Proposal.objects.select_related("person", "space", "conversation")
    own = rows.filter(space_id__in=entered.venue.spaces, person=entered.person)
    return own.filter(status=status) if status else own


def waiting_count(entered: Entered, now: datetime) -> int:
    """How many proposals wait for the person's decision."""
    with within(entered.venue.spaces):
        return inbox(entered).waiting(now).count()
