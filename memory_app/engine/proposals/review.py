"""Review proposals: list and count them, and reject, snooze, reopen or expire one."""

from datetime import datetime
from uuid import UUID

from memory_app.engine.audit.log import Author
from memory_app.engine.memories.delete_and_restore import REASON_UNDONE, delete_memory
from memory_app.engine.memories.edit import MemoryRef
from memory_app.engine.memories.find import WITH_NAMES
from memory_app.engine.memories.versions import undo_last_change
from memory_app.engine.proposals.accept_proposal import (
    lock_pending,
    lock_proposal,
    log_proposal,
    proposal_venue,
    store_decision,
)
from memory_app.engine.venue_context import VenueContext
from memory_app.engine.write_access import check_write
from memory_app.errors import ConflictError, Invalid
from memory_app.models import Memory, Proposal, ProposalStatus
from memory_app.models.person import lock_writers
from memory_app.models.proposal import ProposalQuerySet
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.rules.grant import EVERYTHING, Grant


def reject(*, proposal: Proposal, reason: str = "", author: Author, now: datetime) -> Proposal:
    """Refuses a proposal; nothing like it is proposed again. Raises ConflictError for one that was decided already."""
    with allowed_spaces([proposal.space_id]):
        # First: a run holds all that waits, and who refuses several holds them one after another.
        lock_writers(proposal.person_id)
        row = lock_pending(proposal)
        return store_decision(row, ProposalStatus.REJECTED, author, now, reject_reason=reason)


def snooze(*, proposal: Proposal, until: datetime, author: Author, now: datetime) -> Proposal:
    """Puts a proposal off: it leaves the inbox until then."""
    if until <= now:
        raise Invalid("until", "Choose a time to come.")
    with allowed_spaces([proposal.space_id]):
        row = lock_pending(proposal)
        row.snoozed_until = until
        row.save(update_fields=["snoozed_until"])
        log_proposal("snooze", row, author, now, until=until.isoformat())
        return row


def reopen(*, proposal: Proposal, grant: Grant = EVERYTHING, author: Author, now: datetime) -> Proposal:
    """Undoes a decision: what it kept is forgotten, what it changed is as before, and it waits again.

    Raises ConflictError where what it was merged into has changed since, NotAllowed where what it kept lives where the
    grant does not reach.
    """
    check_write(grant, proposal)
    with allowed_spaces(proposal_venue(proposal, grant).venue.spaces | {proposal.space_id}):
        lock_writers(proposal.person_id)
        row = lock_proposal(proposal)
        was_put_off = row.snoozed_until is not None
        # One that expired would expire again the same night: put off until now, it waits for some days more.
        row.snoozed_until = now if row.status == ProposalStatus.EXPIRED else None
        if row.status != ProposalStatus.PENDING:
            _undo_decision(row, grant, author, now)
            row.status, row.decided_at, row.decided_by = ProposalStatus.PENDING, None, ""
            row.reject_reason, row.memory_id = "", None
        elif not was_put_off:
            return row
        log_proposal("reopen", row, author, now)
        row.save()
        return row


def _undo_decision(proposal: Proposal, grant: Grant, author: Author, now: datetime) -> None:
    if proposal.memory_id is None:
        return
    # It may have been accepted at a level that lives in another space than it was proposed in.
    rows = Memory.objects.select_related(*WITH_NAMES).filter(person_id=proposal.person_id)
    saved = rows.filter(id=proposal.memory_id).first()
    if saved is not None:
        check_write(grant, saved)
    if proposal.status == ProposalStatus.MERGED:
        _undo_merge(proposal, saved, author, now)
    elif saved is not None and saved.deleted_at is None:
        _delete_accepted(proposal, saved, author, now)


def _undo_merge(proposal: Proposal, target: Memory | None, author: Author, now: datetime) -> None:
    if target is None or (proposal.decided_at and target.updated_at > proposal.decided_at):
        raise ConflictError("What this was merged into has changed since; edit that memory instead.")
    _revert_if_unchanged(proposal, MemoryRef(target.space_id, target.id), author, now)
    quoted_turns = [UUID(quote["turn"]) for quote in proposal.quotes]
    turns = [turn for turn in target.source_turns if turn not in quoted_turns]
    Memory.objects.filter(space_id=target.space_id, id=target.id).update(
        source_count=max(target.source_count - 1, 1), source_turns=turns
    )


def _delete_accepted(proposal: Proposal, saved: Memory, author: Author, now: datetime) -> None:
    """Forgets what accepting made. What was there before, or what another proposal became too, stays."""
    others = Proposal.objects.filter(person_id=proposal.person_id, memory_id=saved.id).exclude(id=proposal.id)
    if saved.created_at != proposal.decided_at or others.exists():
        return
    delete_memory(at=MemoryRef(saved.space_id, saved.id), author=author, now=now, reason=REASON_UNDONE)
    if saved.supersedes:
        _revert_if_unchanged(proposal, MemoryRef(saved.space_id, saved.supersedes), author, now)


def _revert_if_unchanged(proposal: Proposal, at: MemoryRef, author: Author, now: datetime) -> Memory | None:
    """Puts back a memory that is still as the decision left it: a later change is not this one's to undo."""
    found = Memory.objects.filter(space_id=at.space, id=at.id).first()
    as_left = found is not None and found.updated_at == proposal.decided_at
    return undo_last_change(space=at.space, memory=at.id, author=author, now=now) if as_left else None


def proposals_of(venue_context: VenueContext, status: str | None = ProposalStatus.PENDING) -> ProposalQuerySet:
    """A person's own proposals of a status (None: any), to be evaluated within the venue's spaces."""
    rows = Proposal.objects.select_related("person", "space", "conversation")
    own = rows.filter(space_id__in=venue_context.venue.spaces, person=venue_context.person)
    return own.filter(status=status) if status else own


def count_waiting(venue_context: VenueContext, now: datetime) -> int:
    """How many proposals wait for the person's decision."""
    with allowed_spaces(venue_context.venue.spaces):
        return proposals_of(venue_context).waiting(now).count()


def expire_proposals(now: datetime) -> int:
    """How many expired: one statement, and none the second time. One that someone decides on just now is theirs."""
    with every_space():
        overdue = Proposal.objects.overdue(now)
        free = overdue.select_for_update(skip_locked=True).values("pk")
        return overdue.filter(pk__in=free).update(
            status=ProposalStatus.EXPIRED, decided_at=now, decided_by="job:expire"
        )
