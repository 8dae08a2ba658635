"""Undo a run: take back, as one act, all that one reading of a conversation put up or kept."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q

from memory_app.engine.author import Author
from memory_app.engine.change import one_writer
from memory_app.engine.forgetting.undo import Undone, undo
from memory_app.engine.listening.review import reject
from memory_app.models import ExtractionRun, Operation, Proposal, ProposalStatus
from memory_app.rules.grant import EVERYTHING, Grant

REASON = "the run that noticed it was undone"


def undo_run(*, run: ExtractionRun, grant: Grant = EVERYTHING, author: Author, now: datetime) -> tuple[Undone, int]:
    """What it kept is forgotten, what that replaced holds again, and what it put up is refused, so that it is not put
    up again: how many that were. What the person has decided on stays. Expects a scope
    that holds the run."""
    one_writer(run.person_id)
    undone = undo(operations=done_by(run), grant=grant, author=author, now=now)
    # Held as they are found: one that is decided on at the same moment is the person's, and no longer among them.
    held = Proposal.objects.select_for_update(of=("self",)).select_related("person__space", "space", "conversation")
    waiting = held.filter(space_id=run.space_id, run_id=run.id, status=ProposalStatus.PENDING).order_by("id")
    refused = [reject(proposal=proposal, reason=REASON, author=author, now=now) for proposal in waiting]
    return undone, len(refused)


def done_by(run: ExtractionRun) -> Sequence[Operation]:
    """What a run did to memories, first to last; of the request that it may have been a part of, nothing else."""
    its = Q(detail__run=str(run.id)) | Q(request_id=str(run.id))  # the latter alone named those of older versions
    rows = Operation.objects.filter(its, person_id=run.person_id, at__gte=run.started_at)
    return list(rows.order_by("id"))
