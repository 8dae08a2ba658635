"""Review proposals: list and find them, and accept, reject, snooze, reopen or expire one."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author, log_event
from memory_app.engine.memories.delete_and_restore import REASON_UNDONE, delete_memory
from memory_app.engine.memories.edit import MemoryRef, edit
from memory_app.engine.memories.find import WITH_NAMES
from memory_app.engine.memories.versions import undo_last_change
from memory_app.engine.proposals.save_proposal import PROPOSED_FIELDS, ConflictChoice, save_proposal
from memory_app.engine.venue_context import VenueContext, conversation_venue
from memory_app.engine.write_access import check_write
from memory_app.errors import ConflictError, Invalid, NotFound
from memory_app.models import Channel, Conversation, Memory, Proposal, ProposalStatus, Relation
from memory_app.models.person import lock_writers
from memory_app.models.proposal import ProposalQuerySet
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.rules.grant import EVERYTHING, Grant
from memory_app.rules.visibility import Visibility

OPERATION_NAMES = {
    ProposalStatus.ACCEPTED: "accept",
    ProposalStatus.MERGED: "merge",
    ProposalStatus.REJECTED: "reject",
}
"""What the log calls a decision."""

EDITABLE_FIELDS = frozenset({*PROPOSED_FIELDS, "visibility"})


@dataclass(frozen=True, slots=True)
class AcceptResult:
    """What a proposal became."""

    proposal: Proposal
    memory: Memory
    outcome: str


def find_proposal(*, proposal: UUID, grant: Grant) -> Proposal:
    """The proposal of that id, where the grant reaches it: it may be refused or put off then. Raises NotFound."""
    with every_space():
        rows = Proposal.objects.select_related("person__space", "space", "conversation")
        found = rows.filter(id=proposal).first()
    if found is None or not grant.allows(found.person.name, found.space.name or None):
        raise NotFound
    return found


def accept(
    *,
    proposal: Proposal,
    edits: dict[str, Any] | None = None,
    merged: str | None = None,
    holds: ConflictChoice | None = None,
    grant: Grant = EVERYTHING,
    author: Author,
    now: datetime,
    encoder: Encoder,
) -> AcceptResult:
    """Keeps what was proposed, as it is or edited, at a level that the grant may write. merged: the text its target
    becomes instead. holds: of what conflicts with a memory, whether the newest holds or both do; if nothing is said,
    the person is asked later.

    Raises ConflictError for one that was decided already, Invalid for a choice where nothing is in conflict, NotAllowed
    for a level that is not the caller's to write.
    """
    unknown = set(edits or {}) - EDITABLE_FIELDS
    if unknown:
        raise Invalid(sorted(unknown)[0], f"Only these can be edited: {', '.join(sorted(EDITABLE_FIELDS))}.")
    level = (edits or {}).get("visibility") if merged is None else None
    check_write(grant, proposal, to=Visibility(level) if level else None)
    venue_context = _proposal_venue(proposal, grant)
    with allowed_spaces(venue_context.venue.spaces | {proposal.space_id}):
        lock_writers(proposal.person_id)
        row = _lock_pending(proposal)
        if holds and row.relation != Relation.CONFLICT:
            raise Invalid("keep", "There is nothing to choose from: this conflicts with no memory.")
        if merged is not None:
            memory, outcome = (
                _merge_into_target(row, merged, (edits or {}).get("summary"), author, now, encoder),
                "merged",
            )
        else:
            saved = save_proposal(venue_context, row, edits or {}, holds, author, now, encoder)
            memory, outcome = saved.memory, saved.outcome
        status = ProposalStatus.MERGED if merged is not None else ProposalStatus.ACCEPTED
        _store_decision(row, status, author, now, memory_id=memory.id)
    return AcceptResult(row, memory, outcome)


def reject(*, proposal: Proposal, reason: str = "", author: Author, now: datetime) -> Proposal:
    """Refuses a proposal; nothing like it is proposed again. Raises ConflictError for one that was decided already."""
    with allowed_spaces([proposal.space_id]):
        # First: a run holds all that waits, and who refuses several holds them one after another.
        lock_writers(proposal.person_id)
        row = _lock_pending(proposal)
        return _store_decision(row, ProposalStatus.REJECTED, author, now, reject_reason=reason)


def snooze(*, proposal: Proposal, until: datetime, author: Author, now: datetime) -> Proposal:
    """Puts a proposal off: it leaves the inbox until then."""
    if until <= now:
        raise Invalid("until", "Choose a time to come.")
    with allowed_spaces([proposal.space_id]):
        row = _lock_pending(proposal)
        row.snoozed_until = until
        row.save(update_fields=["snoozed_until"])
        _log_proposal("snooze", row, author, now, until=until.isoformat())
        return row


def reopen(*, proposal: Proposal, grant: Grant = EVERYTHING, author: Author, now: datetime) -> Proposal:
    """Undoes a decision: what it kept is forgotten, what it changed is as before, and it waits again.

    Raises ConflictError where what it was merged into has changed since, NotAllowed where what it kept lives where the
    grant does not reach.
    """
    check_write(grant, proposal)
    with allowed_spaces(_proposal_venue(proposal, grant).venue.spaces | {proposal.space_id}):
        lock_writers(proposal.person_id)
        row = _lock_proposal(proposal)
        was_put_off = row.snoozed_until is not None
        # One that expired would expire again the same night: put off until now, it waits for some days more.
        row.snoozed_until = now if row.status == ProposalStatus.EXPIRED else None
        if row.status != ProposalStatus.PENDING:
            _undo_decision(row, grant, author, now)
            row.status, row.decided_at, row.decided_by = ProposalStatus.PENDING, None, ""
            row.reject_reason, row.memory_id = "", None
        elif not was_put_off:
            return row
        _log_proposal("reopen", row, author, now)
        row.save()
        return row


def _proposal_venue(proposal: Proposal, grant: Grant) -> VenueContext:
    """Where the proposal was noticed. One with no conversation is about memories of its own space."""
    stand_in = Conversation(
        space=proposal.space, person=proposal.person, visibility=proposal.visibility, channel_id=proposal.channel_id
    )
    if proposal.channel_id:
        with allowed_spaces([proposal.space_id]):
            stand_in.channel = Channel.objects.get(space_id=proposal.space_id, id=proposal.channel_id)
    return conversation_venue(stand_in, grant)


def _lock_proposal(proposal: Proposal) -> Proposal:
    rows = Proposal.objects.select_for_update(of=("self",)).select_related("person__space", "space", "conversation")
    found = rows.filter(space_id=proposal.space_id, id=proposal.id).first()
    if found is None:
        raise NotFound
    return found


def _lock_pending(proposal: Proposal) -> Proposal:
    row = _lock_proposal(proposal)
    if row.status != ProposalStatus.PENDING:
        raise ConflictError(f"This was {row.status} already; undo that first.")
    return row


def _store_decision(
    proposal: Proposal, status: ProposalStatus, author: Author, now: datetime, **fields: Any
) -> Proposal:
    proposal.status, proposal.decided_at, proposal.decided_by = status, now, author.label
    for name, value in fields.items():
        setattr(proposal, name, value)
    proposal.save(update_fields=["status", "decided_at", "decided_by", *fields])
    _log_proposal(OPERATION_NAMES[status], proposal, author, now)
    return proposal


def _log_proposal(act: str, proposal: Proposal, author: Author, now: datetime, **more: str) -> None:
    """Which proposal, of what relation and how sure; what it says is in it."""
    detail = {
        "proposal": str(proposal.id),
        "relation": proposal.relation,
        "confidence": proposal.confidence,
        "extractor": proposal.extractor,
        **more,
    }
    space, person_id = proposal.space_id, proposal.person_id
    log_event(act, detail, author=author, now=now, space=space, person=person_id, memory=proposal.memory_id)


def _merge_into_target(
    proposal: Proposal, text: str, summary: str | None, author: Author, now: datetime, encoder: Encoder
) -> Memory:
    """The target says both."""
    if proposal.target_id is None:
        raise ConflictError("There is nothing to merge this with.")
    at = MemoryRef(proposal.space_id, proposal.target_id)
    changes = {"content": text, "summary": summary} if summary else {"content": text}
    memory = edit(at=at, changes=changes, author=author, now=now, encoder=encoder)
    memory.source_count += 1
    memory.source_turns = [*memory.source_turns, *(UUID(quote["turn"]) for quote in proposal.quotes)]
    memory.save(update_fields=["source_count", "source_turns"])
    return memory


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
