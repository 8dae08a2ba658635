"""Propose: read what was said since the last time, notice what is worth keeping, and put it to the person.

What one run proposed or kept is undone as one.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.audit.log import Author
from memory_app.engine.conversations.read_turns import (
    PAGE_TURNS,
    PageFindings,
    TurnsToRead,
    extract_findings,
    turns_to_read,
)
from memory_app.engine.deletion.undo import UndoResult, undo_operations
from memory_app.engine.memories.memory_input import NO_ADDITIONS, Additions, input_from_finding
from memory_app.engine.memories.save import ExpectedRelation, preview_relations
from memory_app.engine.proposals.auto_policy import save_or_note
from memory_app.engine.proposals.proposal_history import expire_repeated, load_history
from memory_app.engine.proposals.review import reject
from memory_app.engine.venue_context import VenueContext, conversation_venue
from memory_app.models import (
    Conversation,
    ExtractionPolicy,
    ExtractionRun,
    Operation,
    Proposal,
    ProposalStatus,
    Role,
    Trigger,
    Turn,
)
from memory_app.models.conversation import MIN_TURNS
from memory_app.models.person import lock_writers
from memory_app.models.proposal import proposal_from_finding
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.extract import Finding
from memory_app.rules.grant import EVERYTHING, Grant

EXTRACTOR = "local-8"
"""Which extractor made a proposal; a new number when the same turns would give other ones."""

EXTRACTOR_BY_PAGES = f"{EXTRACTOR} by pages"


@dataclass(frozen=True, slots=True)
class ProposeResult:
    """What a run put up for the person (or kept by itself), and its record; None when there was nothing to read."""

    proposals: Sequence[Proposal] = ()
    run: ExtractionRun | None = None


@dataclass
class _RunState:
    """One run while it goes on: of the conversation, or of a page of it."""

    conversation: Conversation
    venue_context: VenueContext
    findings: PageFindings
    run: ExtractionRun
    author: Author
    now: datetime
    additions: Additions
    proposals: list[Proposal] = field(default_factory=list)

    @property
    def by_position(self) -> dict[int, Turn]:
        return {turn.position: turn for turn in self.findings.turns}


def propose(
    *,
    space: UUID,
    conversation: UUID,
    trigger: Trigger,
    author: Author,
    now: datetime,
    encoder: Encoder,
    by_pages: bool = False,
    min_turns: int = MIN_TURNS,
    additions: Additions = NO_ADDITIONS,
) -> ProposeResult:
    """Reads the turns that no run has read, and writes what it noticed in one transaction.

    Run again, even after a kill, it finds nothing new to read. Other writers of the person wait only while it writes,
    not while it reads.

    by_pages: reads all of a conversation longer than a page once more, page by page, for what was passed over when it
    was read as a whole, and marks it as consolidated. What was proposed before is not proposed again.

    min_turns: a shorter conversation is not read. Less than the usual number is for a caller that asks for these very
    turns to be read. additions: to what is saved without asking the person.
    """
    started = time.perf_counter()
    here = _conversation_rows().filter(space_id=space, id=conversation)
    while True:
        with allowed_spaces([space]):
            conversation_row = here.first()
            if conversation_row is None or not _has_something_to_read(conversation_row, by_pages, min_turns):
                return ProposeResult()
            to_read = turns_to_read(conversation_row, by_pages)
        findings = extract_findings(to_read, encoder, min_turns=min_turns)
        with allowed_spaces([space]):
            lock_writers(conversation_row.person_id)
            locked = here.first()
            if locked and _has_something_to_read(locked, by_pages, min_turns) and to_read.is_current(locked):
                run = _build_run(locked, to_read, trigger, now)
                proposals = _proposals_from(locked, findings, run, author, encoder, additions)
                run.milliseconds = int((time.perf_counter() - started) * 1000)
                _store_run(locked, run, proposals, gone_through=now if by_pages else None)
                return ProposeResult(proposals, run)


def _proposals_from(
    conversation: Conversation,
    findings: Sequence[PageFindings],
    run: ExtractionRun,
    author: Author,
    encoder: Encoder,
    additions: Additions,
) -> list[Proposal]:
    """What is to be put up of what was noticed, unsaved. By their person's policy it may be kept or noted instead."""
    venue_context = conversation_venue(conversation)
    # What a job does has no request to tie it together: the run does.
    author = replace(author, request=author.request or str(run.id), run=str(run.id))
    proposals: list[Proposal] = []
    with allowed_spaces(venue_context.venue.spaces):
        for page in findings:
            state = _RunState(conversation, venue_context, page, run, author, run.started_at, additions, proposals)
            _read_page(state, encoder)
    return proposals


def _conversation_rows() -> QuerySet[Conversation]:
    return Conversation.objects.select_related("person__space", "space", "channel")


def _has_something_to_read(conversation: Conversation, by_pages: bool, min_turns: int) -> bool:
    person, count = conversation.person, conversation.turn_count
    wanted = person.is_memory_on and person.extraction_policy != ExtractionPolicy.OFF and count >= min_turns
    again = by_pages and count > PAGE_TURNS and conversation.consolidated_at is None
    return wanted and (conversation.extracted_to < count or again)


def _build_run(conversation: Conversation, to_read: TurnsToRead, trigger: Trigger, now: datetime) -> ExtractionRun:
    return ExtractionRun(
        space_id=conversation.space_id,
        conversation_id=conversation.id,
        person_id=conversation.person_id,
        trigger=trigger,
        from_position=to_read.start,
        to_position=to_read.end,
        read=len(to_read.unread),
        extractor=EXTRACTOR_BY_PAGES if to_read.again else EXTRACTOR,
        started_at=now,
    )


def _read_page(state: _RunState, encoder: Encoder) -> None:
    found, vectors = state.findings.found, state.findings.vectors
    new_indexes = _new_findings(state, found, vectors, encoder.name)
    conversation, turns = state.conversation.id, state.by_position
    inputs = [input_from_finding(found[index], conversation, turns) for index in new_indexes]
    expected = preview_relations(state.venue_context, inputs, vectors[new_indexes], state.now, encoder.name)
    for index, item in zip(new_indexes, expected, strict=True):
        if item.relation == "duplicate":
            state.run.duplicates += 1
            continue
        _propose_or_save(state, found[index], item, vectors[index], encoder)


def _new_findings(state: _RunState, found: Sequence[Finding], vectors: Vectors, model: str) -> list[int]:
    """Indexes of what was not put to the person before, or was told otherwise since."""
    history, turns = load_history(state.conversation, model), state.by_position
    new_indexes = [index for index, item in enumerate(found) if not history.repeats(item, vectors[index], turns)]
    again = [waiting for index in new_indexes for waiting in history.waiting(found[index].content)]
    expire_repeated(again, state.conversation, state.author, state.now)
    state.run.duplicates += len(found) - len(new_indexes)
    return new_indexes


def _propose_or_save(
    state: _RunState, found: Finding, expected: ExpectedRelation, vector: Vectors, encoder: Encoder
) -> None:
    """By the person's policy: asked, or kept if sure and noted if not."""
    if state.venue_context.person.extraction_policy == ExtractionPolicy.ASK:
        state.proposals.append(
            proposal_from_finding(
                found,
                state.conversation,
                state.by_position,
                extractor=EXTRACTOR,
                relation=expected.relation,
                target_id=expected.target,
                run=state.run.id,
                embedding=vector,
                embedding_model=encoder.name,
                now=state.now,
            )
        )
        return
    outcome = save_or_note(
        venue_context=state.venue_context,
        found=found,
        conversation=state.conversation.id,
        turns=state.by_position,
        author=state.author,
        now=state.now,
        encoder=encoder,
        additions=state.additions,
    )
    state.run.kept += outcome == "kept"
    state.run.noted += outcome == "noted"
    state.run.duplicates += outcome == "known"


def _store_run(
    conversation: Conversation, run: ExtractionRun, proposals: Sequence[Proposal], gone_through: datetime | None
) -> None:
    """Writes the run and its proposals, numbered on from those that wait already, and marks the turns as read.

    The conversation is held last: whoever goes on speaking in it waits for no more than that it is marked.
    """
    here = {"space_id": conversation.space_id, "conversation_id": conversation.id}
    waiting = Proposal.objects.filter(**here, status="pending").count()
    for number, proposal in enumerate(proposals, waiting + 1):
        proposal.number = number
    run.proposed = len(proposals)
    run.save(force_insert=True)
    Proposal.objects.bulk_create(proposals)
    locked = Conversation.objects.select_for_update().get(space_id=conversation.space_id, id=conversation.id)
    unread = Turn.objects.filter(**here, position__gte=run.to_position, role=Role.USER)
    locked.extracted_to, locked.user_turns_unread = run.to_position, unread.count()
    locked.consolidated_at = gone_through or locked.consolidated_at
    locked.save(update_fields=["extracted_to", "user_turns_unread", "consolidated_at"])


UNDO_REASON = "the run that noticed it was undone"


def undo_run(*, run: ExtractionRun, grant: Grant = EVERYTHING, author: Author, now: datetime) -> tuple[UndoResult, int]:
    """What it kept is forgotten, what that replaced holds again, and what it put up is refused, so that it is not put
    up again: how many that were. What the person has decided on stays. Expects a scope
    that holds the run."""
    lock_writers(run.person_id)
    undone = undo_operations(operations=operations_of_run(run), grant=grant, author=author, now=now)
    # Held as they are found: one that is decided on at the same moment is the person's, and no longer among them.
    locked = Proposal.objects.select_for_update(of=("self",)).select_related("person__space", "space", "conversation")
    waiting = locked.filter(space_id=run.space_id, run_id=run.id, status=ProposalStatus.PENDING).order_by("id")
    refused = [reject(proposal=proposal, reason=UNDO_REASON, author=author, now=now) for proposal in waiting]
    return undone, len(refused)


def operations_of_run(run: ExtractionRun) -> Sequence[Operation]:
    """What a run did to memories, first to last; of the request that it may have been a part of, nothing else."""
    its = Q(detail__run=str(run.id)) | Q(request_id=str(run.id))  # the latter alone named those of older versions
    rows = Operation.objects.filter(its, person_id=run.person_id, at__gte=run.started_at)
    return list(rows.order_by("id"))
