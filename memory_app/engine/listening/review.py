"""Review: the person decides what becomes of a proposal: keep it, edit and keep it, merge it, refuse it, put it off."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.engine.author import Author
from memory_app.engine.change import one_writer
from memory_app.engine.edit import At, edit
from memory_app.engine.enter import Entered
from memory_app.engine.forgetting.forget import UNDONE, forget
from memory_app.engine.forgetting.put_back import put_back
from memory_app.engine.listening.keep_proposed import PROPOSED, Holds, keep_proposed
from memory_app.engine.locate import WITH_NAMES
from memory_app.engine.logbook.event import event
from memory_app.engine.speaking import speaking
from memory_app.engine.write_access import check_write
from memory_app.errors import InConflict, Invalid, NotFound
from memory_app.models import Channel, Conversation, Memory, Proposal, ProposalStatus, Relation
from memory_app.models.scope import every_space, within
from memory_app.rules.grant import EVERYTHING, Grant
from memory_app.rules.visibility import Visibility

ACTS = {
    ProposalStatus.ACCEPTED: "accept",
    ProposalStatus.MERGED: "merge",
    ProposalStatus.REJECTED: "reject",
}
"""What the log calls a decision."""

EDITS = frozenset({*PROPOSED, "visibility"})


@dataclass(frozen=True, slots=True)
class Accepted:
    """What a proposal became."""

    proposal: Proposal
    memory: Memory
    outcome: str


def proposal_at(*, proposal: UUID, grant: Grant) -> Proposal:
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
    holds: Holds | None = None,
    grant: Grant = EVERYTHING,
    author: Author,
    now: datetime,
    encoder: Encoder,
) -> Accepted:
    """Keeps what was proposed, as it is or edited, at a level that the grant may write. merged: the text its target
    becomes instead. holds: of what conflicts with a memory, whether the newest holds or both do; if nothing is said,
    the person is asked later.

    Raises InConflict for one that was decided already, Invalid for a choice where nothing is in conflict, NotGranted
    for a level that is not the caller's to write.
    """
    unknown = set(edits or {}) - EDITS
    if unknown:
        raise Invalid(sorted(unknown)[0], f"Only these can be edited: {', '.join(sorted(EDITS))}.")
    level = (edits or {}).get("visibility") if merged is None else None
    check_write(grant, proposal, to=Visibility(level) if level else None)
    entered = _venue(proposal, grant)
    with within(entered.venue.spaces | {proposal.space_id}):
        one_writer(proposal.person_id)
        held = _pending(proposal)
        if holds and held.relation != Relation.CONFLICT:
            raise Invalid("keep", "There is nothing to choose from: this conflicts with no memory.")
        if merged is not None:
            memory, outcome = _merge(held, merged, (edits or {}).get("summary"), author, now, encoder), "merged"
        else:
            kept = keep_proposed(entered, held, edits or {}, holds, author, now, encoder)
            memory, outcome = kept.memory, kept.outcome
        status = ProposalStatus.MERGED if merged is not None else ProposalStatus.ACCEPTED
        _decide(held, status, author, now, memory_id=memory.id)
    return Accepted(held, memory, outcome)


def reject(*, proposal: Proposal, reason: str = "", author: Author, now: datetime) -> Proposal:
    """Refuses a proposal; nothing like it is proposed again. Raises InConflict for one that was decided already."""
    with within([proposal.space_id]):
        # First: a run holds all that waits, and who refuses several holds them one after another.
        one_writer(proposal.person_id)
        held = _pending(proposal)
        return _decide(held, ProposalStatus.REJECTED, author, now, reject_reason=reason)


def snooze(*, proposal: Proposal, until: datetime, author: Author, now: datetime) -> Proposal:
    """Puts a proposal off: it leaves the inbox until then."""
    if until <= now:
        raise Invalid("until", "Choose a time to come.")
    with within([proposal.space_id]):
        held = _pending(proposal)
        held.snoozed_until = until
        held.save(update_fields=["snoozed_until"])
        _log("snooze", held, author, now, until=until.isoformat())
        return held


def reopen(*, proposal: Proposal, grant: Grant = EVERYTHING, author: Author, now: datetime) -> Proposal:
    """Undoes a decision: what it kept is forgotten, what it changed is as before, and it waits again.

    Raises InConflict where what it was merged into has changed since, NotGranted where what it kept lives where the
    grant does not reach.
    """
    check_write(grant, proposal)
    with within(_venue(proposal, grant).venue.spaces | {proposal.space_id}):
        one_writer(proposal.person_id)
        held = _held(proposal)
        was_put_off = held.snoozed_until is not None
        # One that expired would expire again the same night: put off until now, it waits for some days more.
        held.snoozed_until = now if held.status == ProposalStatus.EXPIRED else None
        if held.status != ProposalStatus.PENDING:
            _undo(held, grant, author, now)
            held.status, held.decided_at, held.decided_by = ProposalStatus.PENDING, None, ""
            held.reject_reason, held.memory_id = "", None
        elif not was_put_off:
            return held
        _log("reopen", held, author, now)
        held.save()
        return held


def _venue(proposal: Proposal, grant: Grant) -> Entered:
    """Where the proposal was noticed. One with no conversation is about memories of its own space."""
    stand_in = Conversation(
        space=proposal.space, person=proposal.person, visibility=proposal.visibility, channel_id=proposal.channel_id
    )
    if proposal.channel_id:
        with within([proposal.space_id]):
            stand_in.channel = Channel.objects.get(space_id=proposal.space_id, id=proposal.channel_id)
    return speaking(stand_in, grant)


def _held(proposal: Proposal) -> Proposal:
    rows = Proposal.objects.select_for_update(of=("self",)).select_related("person__space", "space", "conversation")
    found = rows.filter(space_id=proposal.space_id, id=proposal.id).first()
    if found is None:
        raise NotFound
    return found


def _pending(proposal: Proposal) -> Proposal:
    held = _held(proposal)
    if held.status != ProposalStatus.PENDING:
        raise InConflict(f"This was {held.status} already; undo that first.")
    return held


def _decide(proposal: Proposal, status: ProposalStatus, author: Author, now: datetime, **fields: Any) -> Proposal:
    proposal.status, proposal.decided_at, proposal.decided_by = status, now, author.label
    for name, value in fields.items():
        setattr(proposal, name, value)
    proposal.save(update_fields=["status", "decided_at", "decided_by", *fields])
    _log(ACTS[status], proposal, author, now)
    return proposal


def _log(act: str, proposal: Proposal, author: Author, now: datetime, **more: str) -> None:
    """Which proposal, of what relation and how sure; what it says is in it."""
    told = {
        "proposal": str(proposal.id),
        "relation": proposal.relation,
        "confidence": proposal.confidence,
        "extractor": proposal.extractor,
        **more,
    }
    where, whose = proposal.space_id, proposal.person_id
    event(act, told, author=author, now=now, space=where, person=whose, memory=proposal.memory_id)


def _merge(
    proposal: Proposal, text: str, summary: str | None, author: Author, now: datetime, encoder: Encoder
) -> Memory:
    """The target says both."""
    if proposal.target_id is None:
        raise InConflict("There is nothing to merge this with.")
    at = At(proposal.space_id, proposal.target_id)
    changes = {"content": text, "summary": summary} if summary else {"content": text}
    memory = edit(at=at, changes=changes, author=author, now=now, encoder=encoder)
    memory.source_count += 1
    memory.source_turns = [*memory.source_turns, *(UUID(quote["turn"]) for quote in proposal.quotes)]
    memory.save(update_fields=["source_count", "source_turns"])
    return memory


def _undo(proposal: Proposal, grant: Grant, author: Author, now: datetime) -> None:
    if proposal.memory_id is None:
        return
    # It may have been accepted at a level that lives in another space than it was proposed in.
    rows = Memory.objects.select_related(*WITH_NAMES).filter(person_id=proposal.person_id)
    kept = rows.filter(id=proposal.memory_id).first()
    if kept is not None:
        check_write(grant, kept)
    if proposal.status == ProposalStatus.MERGED:
        _unmerge(proposal, kept, author, now)
    elif kept is not None and kept.deleted_at is None:
        _unkeep(proposal, kept, author, now)


def _unmerge(proposal: Proposal, target: Memory | None, author: Author, now: datetime) -> None:
    if target is None or (proposal.decided_at and target.updated_at > proposal.decided_at):
        raise InConflict("What this was merged into has changed since; edit that memory instead.")
    _back(proposal, At(target.space_id, target.id), author, now)
    said = [UUID(quote["turn"]) for quote in proposal.quotes]
    turns = [turn for turn in target.source_turns if turn not in said]
    Memory.objects.filter(space_id=target.space_id, id=target.id).update(
        source_count=max(target.source_count - 1, 1), source_turns=turns
    )


def _unkeep(proposal: Proposal, kept: Memory, author: Author, now: datetime) -> None:
    """Forgets what accepting made. What was there before, or what another proposal became too, stays."""
    others = Proposal.objects.filter(person_id=proposal.person_id, memory_id=kept.id).exclude(id=proposal.id)
    if kept.created_at != proposal.decided_at or others.exists():
        return
    forget(at=At(kept.space_id, kept.id), author=author, now=now, reason=UNDONE)
    if kept.supersedes:
        _back(proposal, At(kept.space_id, kept.supersedes), author, now)


def _back(proposal: Proposal, at: At, author: Author, now: datetime) -> Memory | None:
    """Puts back a memory that is still as the decision left it: a later change is not this one's to undo."""
    found = Memory.objects.filter(space_id=at.space, id=at.id).first()
    as_left = found is not None and found.updated_at == proposal.decided_at
    return put_back(space=at.space, memory=at.id, author=author, now=now) if as_left else None
