"""Write what a plan holds: conversations with their turns, at the times they were said, then memories.

Each batch is one transaction; brought in again, whole or after a kill, it changes nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import DataError, IntegrityError, transaction

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.conversations.add_turns import turn_search_text
from memory_app.engine.imports.plan import ImportPlan, PlannedConversation, external_id, make_plan, stable_id
from memory_app.engine.imports.report import ADDED_TURNS, ImportReport
from memory_app.engine.memories.build_many import build_memories
from memory_app.engine.memories.delete_and_restore import restore
from memory_app.engine.memories.edit import MemoryRef
from memory_app.engine.memories.memory_input import MemoryDraft, MemoryInput, MemorySource
from memory_app.engine.memories.save import save_memories
from memory_app.engine.transfer.import_records import TextKey, known_texts, text_key
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import ConflictError, KeepsakeError
from memory_app.imports.entries import Entry, ImportedMemory, ImportedTurn, name_person
from memory_app.models import Conversation, Person, Role, SourceType, Turn
from memory_app.models.person import PAUSED_NOTICE, lock_writers, require_memory_on
from memory_app.models.row_security import allowed_spaces
from memory_app.models.text_search import text_tsvector
from memory_app.postgres.fast.insert_rows import insert_rows
from memory_app.rules.visibility import Visibility

NOT_STORABLE = "something in it cannot be stored"


@dataclass(frozen=True, slots=True)
class ImportTarget:
    """Whose memory things are brought into, by whom, and in which import."""

    venue_context: VenueContext
    import_id: UUID
    author: Author
    now: datetime
    encoder: Encoder


def write_entries(
    target: ImportTarget, entries: Sequence[Entry], record: Callable[[ImportReport], None]
) -> ImportReport:
    """Brings in some entries, in one transaction with what `record` writes of it. Raises ConflictError where the
    person's memory is paused."""
    with allowed_spaces(target.venue_context.venue.spaces):
        lock_writers(target.venue_context.person.id)
        check_memory_on(target.venue_context.person.id)
        plan = make_plan(target.venue_context, entries, target.now)
        for conversation in plan.conversations:
            _write_or_report(target, conversation, plan.report)
        _write_memories(target, plan)
        record(plan.report)
    return plan.report


def check_memory_on(person: UUID) -> None:
    """Raises ConflictError where memory is paused, theirs or everyone's."""
    require_memory_on()
    if not Person.objects.get(id=person).is_memory_on:
        raise ConflictError(PAUSED_NOTICE)


def _write_or_report(target: ImportTarget, planned: PlannedConversation, report: ImportReport) -> None:
    """One that the database does not take is told of, and the rest goes in."""
    try:
        with transaction.atomic():
            _write_conversation(target, planned)
    except (DataError, IntegrityError):
        report.add_fault(planned.conversation.place, NOT_STORABLE)
        return
    report.counts["conversations"] += planned.row is None
    report.counts["turns"] += len(planned.turns)
    if planned.row and planned.row.import_id != target.import_id:
        report.counts[ADDED_TURNS] += len(planned.turns)


def _write_conversation(target: ImportTarget, planned: PlannedConversation) -> None:
    row = planned.row
    if row is None:
        row = _new_conversation(target, planned)
        row.save(force_insert=True)
    if not planned.turns:
        return
    turns = [
        _new_turn(row, turn_id, turn, position)
        for position, (turn_id, turn) in enumerate(planned.turns, row.turn_count)
    ]
    insert_rows(turns)
    row.turn_count += len(turns)
    row.user_turns_unread += sum(turn.role == Role.USER for turn in turns)
    row.last_turn_at = max(row.last_turn_at, turns[-1].spoken_at)
    row.save(update_fields=["turn_count", "user_turns_unread", "last_turn_at"])


def _new_conversation(target: ImportTarget, planned: PlannedConversation) -> Conversation:
    """Ended, so that whoever goes on with it here does so in one that follows."""
    conversation, person = planned.conversation, target.venue_context.person
    times = [turn.said_at for _, turn in planned.turns if turn.said_at] or [target.now]
    started_at = min([min(conversation.started_at or target.now, target.now), *times])
    name = external_id(conversation.source, conversation.id)
    return Conversation(
        id=stable_id(person.id, name, at=started_at),
        space=person.space,
        person=person,
        visibility=Visibility.PRIVATE.value,
        external_id=name,
        started_at=started_at,
        last_turn_at=max(times),
        ended_at=max(times),
        import_id=target.import_id,
    )


def _new_turn(row: Conversation, own_id: UUID, turn: ImportedTurn, position: int) -> Turn:
    """As old as it says it is: what the day's note tells of is what was said that day."""
    spoken_at = turn.said_at or row.last_turn_at
    return Turn(
        id=own_id,
        space_id=row.space_id,
        conversation_id=row.id,
        person_id=row.person_id,
        visibility=row.visibility,
        position=position,
        role=turn.role,
        content=turn.content,
        spoken_at=spoken_at,
        created_at=spoken_at,
        tsv=text_tsvector(turn_search_text("", turn.content, spoken_at), row.person.language),
    )


def _build_drafts(target: ImportTarget, plan: ImportPlan) -> list[MemoryDraft]:
    """Memories as they are to be saved; one that may not be is told of in the plan's report."""
    name = target.venue_context.person.display_name or target.venue_context.person.name
    inputs = [(one, _input_of(one.memory, name)) for one in plan.memories if not one.undone]
    built = build_memories(target.venue_context, [one for _, one in inputs], target.now, target.encoder)
    drafts: list[MemoryDraft] = []
    for (planned, _), draft in zip(inputs, built, strict=True):
        if isinstance(draft, KeepsakeError):
            plan.report.add_fault(planned.memory.place, str(draft))
            continue
        draft.memory.id, draft.memory.created_at = planned.id, draft.memory.valid_from
        drafts.append(draft)
    return drafts


def _input_of(memory: ImportedMemory, person: str) -> MemoryInput:
    return MemoryInput(
        content=name_person(memory.content, person),
        context=memory.context,
        category=memory.category or None,
        type=memory.type or None,
        tags=list(memory.tags),
        visibility=Visibility.PRIVATE.value,
        source=MemorySource(SourceType.MIGRATION.value),
        expires_at=memory.expires_at,
        attributes={"imported_from": memory.source, "imported_id": memory.id},
        said_at=memory.said_at,
    )


def _write_memories(target: ImportTarget, plan: ImportPlan) -> None:
    report, drafts = plan.report, _build_drafts(target, plan)
    for one in plan.memories:
        if one.undone:
            at = MemoryRef(target.venue_context.venue.home, one.id)
            restore(at=at, author=target.author, now=target.now)
            report.counts["memories"] += 1
    known = known_texts(target.venue_context, [draft.memory for draft in drafts])
    new: dict[TextKey, MemoryDraft] = {}
    for draft in drafts:
        if text_key(draft.memory) not in known:
            new.setdefault(text_key(draft.memory), draft)
    report.counts["known_memories"] += len(drafts) - len(new)
    saved = save_memories(
        venue_context=target.venue_context,
        drafts=list(new.values()),
        author=target.author,
        now=target.now,
        encoder=target.encoder,
        count_duplicates=False,
    )
    for result in saved:
        report.counts["duplicates" if result.outcome == "duplicate" else "memories"] += 1
