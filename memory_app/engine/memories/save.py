"""Save memories: embed them, compare each with what is stored, decide, and store all in one transaction."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from memory_app.embedding.cached_encoder import encode_documents_cached
from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.audit.log import Author, operation_entry
from memory_app.engine.entities.link_mentions import mention_rows
from memory_app.engine.memories.memory_input import MemoryDraft, MemoryInput, build_memory
from memory_app.engine.memories.neighbours import NeighbourSearch, StoredMemory
from memory_app.engine.memories.write_version import lock_memory, supersede
from memory_app.engine.venue_context import VenueContext
from memory_app.models import Conflict, ConflictAnswer, Memory, Operation, Status
from memory_app.models.person import require_memory_on
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.comparison import adds_nothing
from memory_app.postgres.fast.binary_protocol import sent_together
from memory_app.postgres.fast.insert_rows import insert_rows
from memory_app.rules.decide import Decision, Judgement, decide
from memory_app.rules.visibility import sees

Outcome = Literal["added", "duplicate", "merged", "superseded", "proposed"]
ConflictPolicy = Literal["ask", "both", "ignore"]
"""What to do with a conflict: ask the person; record that both hold, as they said; or nothing."""

DUPLICATE_WORDINGS, MOST_WORDINGS = "also_said", 10
"""The attribute that holds other wordings which a language model called duplicates, so that no words are lost."""

ModelRelations = Mapping[UUID, Judgement]
"""What a memory is to others, as a language model says, by their ids."""

MOST_CONFLICTS = 3
"""Conflicts that one memory may open: nobody would read more questions about one sentence."""

TIME_STEP = timedelta(milliseconds=1)
"""The least difference between an older and a newer memory: versions store times to the millisecond."""


@dataclass(frozen=True, slots=True)
class SaveResult:
    """The stored memory, and how it came about. conflicts: the memories that may contradict it, nearest first, which
    the person is asked about."""

    memory: Memory
    outcome: Outcome
    reason: str = ""
    conflicts: Sequence[Memory] = ()


@dataclass(frozen=True, slots=True)
class ExpectedRelation:
    """What saving it would do (a `Relation`), to which memory, and why."""

    relation: str
    target: UUID | None
    reason: str


@dataclass
class SaveBatch:
    """One batch of one person while it is saved. Rows are inserted together, unless a later one needs them."""

    venue_context: VenueContext
    author: Author
    now: datetime
    count_duplicates: bool = True
    on_conflict: ConflictPolicy = "ask"
    relations: Sequence[ModelRelations] = ()
    conflicts: list[Conflict] = field(default_factory=list)
    in_conflict: dict[int, Sequence[StoredMemory]] = field(default_factory=dict)
    """The memories that a new one may contradict, by its position in the batch."""
    unsaved: list[MemoryDraft] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)

    def add(self, draft: MemoryDraft, detail: dict[str, object]) -> None:
        draft.memory.changed_by = self.author.label
        self.unsaved.append(draft)
        self.operations.append(operation_entry(draft.memory, "remember", self.author, self.now, detail))

    def flush(self) -> None:
        memories = [draft.memory for draft in self.unsaved]
        mentions = mention_rows(memories, {draft.memory.id: draft.names for draft in self.unsaved})
        with sent_together():
            insert_rows(memories)
            mentions.insert()
            insert_rows(self.operations)
            insert_rows(self.conflicts)
        self.unsaved, self.operations, self.conflicts = [], [], []

    def lock_target(self, space: UUID, memory: UUID) -> Memory:
        self.flush()
        found = lock_memory(space, memory)
        if found is None:
            raise LookupError(f"a decision names {memory}, which does not exist in its own transaction")
        return found


def save_memories(
    *,
    venue_context: VenueContext,
    drafts: Sequence[MemoryDraft],
    author: Author,
    now: datetime,
    encoder: Encoder,
    count_duplicates: bool = True,
    on_conflict: ConflictPolicy = "ask",
    relations: Sequence[ModelRelations] = (),
) -> list[SaveResult]:
    """Saves drafts of one person; the results are in the order of `drafts`.

    count_duplicates: whether a duplicate counts as said once more. relations: for each draft, what a language model
    says that it is to others.

    A memory of a level that may not be seen from the venue (private, from a space) is returned as it was sent: stored
    memories count in the decision, and do not appear in the result.
    """
    if not drafts:
        return []
    require_memory_on()
    memories = [draft.memory for draft in drafts]
    vectors = encode_documents_cached(encoder, [memory.searchable_text for memory in memories])
    for position, (memory, vector) in enumerate(zip(memories, vectors, strict=True)):
        memory.embedding, memory.embedding_model, memory.position = vector, encoder.name, position
    save_batch = SaveBatch(venue_context, author, now, count_duplicates, on_conflict, relations)
    # Only now are other writers of this person locked out; embedding takes long.
    with allowed_spaces(venue_context.venue.spaces, savepoint=False, lock_writers_of=venue_context.person.id):
        saved = _save_by_level(save_batch, drafts, vectors, encoder.name)
        save_batch.flush()
        return _attach_conflicts(saved, save_batch.in_conflict)


def _attach_conflicts(
    saved: Sequence[SaveResult], in_conflict: Mapping[int, Sequence[StoredMemory]]
) -> list[SaveResult]:
    """The results with the rows of the memories in conflict, which are read in one query."""
    ids = {known.id for others in in_conflict.values() for known in others}
    if not ids:
        return list(saved)
    rows = Memory.objects.select_related("person", "space", "channel")
    spaces = {saved[position].memory.space_id for position in in_conflict}
    found = {memory.id: memory for memory in rows.filter(space_id__in=spaces, id__in=ids)}
    return [
        replace(one, conflicts=[found[known.id] for known in in_conflict.get(position, ()) if known.id in found])
        for position, one in enumerate(saved)
    ]


def _save_by_level(
    save_batch: SaveBatch, drafts: Sequence[MemoryDraft], vectors: Vectors, model: str
) -> list[SaveResult]:
    answers: dict[int, SaveResult] = {}
    for indexes in _group_by_level([draft.memory for draft in drafts]):
        batch = [drafts[n] for n in indexes]
        neighbours = NeighbourSearch(batch, vectors[indexes], save_batch.now, model)
        for position, index in enumerate(indexes):
            answers[index] = _save_one(save_batch, neighbours, position, drafts[index])
    return [answers[index] for index in range(len(drafts))]


def _group_by_level(memories: Sequence[Memory]) -> list[list[int]]:
    """Indexes grouped by space, level and channel: decisions never compare across these."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for index, memory in enumerate(memories):
        groups.setdefault((memory.space_id, memory.visibility, memory.channel_id), []).append(index)
    return list(groups.values())


def _save_one(save_batch: SaveBatch, neighbours: NeighbourSearch, position: int, draft: MemoryDraft) -> SaveResult:
    memory = draft.memory
    is_visible = sees(save_batch.venue_context.venue, memory.placed)
    as_given = memory if is_visible else copy(memory)
    relations = save_batch.relations[memory.position] if save_batch.relations else {}
    decision = decide(neighbours.candidate(position), neighbours.neighbours_of(position, relations), relations)
    saved = _apply_decision(save_batch, draft, decision, is_visible)
    if decision.conflicts and save_batch.on_conflict != "ignore":
        others = [neighbours.found(other) for other in decision.conflicts[:MOST_CONFLICTS]]
        _add_conflicts(save_batch, draft, others, decision.reason)
        if is_visible and save_batch.on_conflict == "ask":
            save_batch.in_conflict[memory.position] = others
    if saved.outcome != "duplicate" and memory.status == Status.ACTIVE:
        neighbours.add(position)
    if saved.outcome == "superseded" and decision.target:
        neighbours.drop(decision.target)
    return saved if is_visible else SaveResult(as_given, "added")


def _apply_decision(save_batch: SaveBatch, draft: MemoryDraft, decision: Decision, is_visible: bool) -> SaveResult:
    memory = draft.memory
    detail: dict[str, object] = {"decision": decision.outcome, "reason": decision.reason}
    if decision.target is None:
        save_batch.add(draft, detail)
        return SaveResult(memory, "added", decision.reason)
    target = save_batch.lock_target(memory.space_id, decision.target)
    detail["other"] = str(target.id)
    match decision.outcome:
        case "duplicate" if is_visible:
            if save_batch.count_duplicates:
                _count_duplicate(save_batch, target, memory, detail)
            return SaveResult(target, "duplicate", decision.reason)
        case "outdated":
            memory.status, memory.valid_to, memory.superseded_by = Status.SUPERSEDED, target.valid_from, target.id
            save_batch.add(draft, detail)
            return SaveResult(memory, "added", decision.reason)
        case "duplicate":
            # The result names a new memory, which must exist: it supersedes the one that is the same.
            _inherit_from(memory, target)
        case _:
            _ensure_newer(draft, [target])
    memory.supersedes = target.id
    supersede(target, memory, save_batch.author, save_batch.now)
    save_batch.add(draft, detail)
    return SaveResult(memory, "superseded", decision.reason)


def _add_conflicts(save_batch: SaveBatch, draft: MemoryDraft, others: Sequence[StoredMemory], reason: str) -> None:
    """Opens a conflict with each memory that may contradict this one."""
    _ensure_newer(draft, others)
    for other in others:
        conflict = Conflict.between(draft.memory, other, reason=reason, now=save_batch.now)
        if save_batch.on_conflict == "both":
            conflict.answer, conflict.answered_at = ConflictAnswer.BOTH, save_batch.now
            conflict.answered_by = save_batch.author.label
        save_batch.conflicts.append(conflict)


def _count_duplicate(save_batch: SaveBatch, target: Memory, memory: Memory, detail: dict[str, object]) -> None:
    """Counts a memory as said again, and makes it as strong as a new one."""
    target.source_count += 1
    target.reinforced_at = save_batch.now
    target.confidence = max(target.confidence, memory.confidence)
    changed = ["source_count", "reinforced_at", "confidence"]
    if not adds_nothing(memory.content, target.content):
        wordings = [*target.attributes.get(DUPLICATE_WORDINGS, []), memory.content]
        target.attributes = {**target.attributes, DUPLICATE_WORDINGS: list(dict.fromkeys(wordings))[-MOST_WORDINGS:]}
        changed.append("attributes")
    target.save(update_fields=changed)
    save_batch.operations.append(operation_entry(target, "remember", save_batch.author, save_batch.now, detail))


def _ensure_newer(draft: MemoryDraft, others: Iterable[Memory | StoredMemory]) -> None:
    """What is said now is newer than what is stored, even if requests overlap or clocks differ."""
    memory = draft.memory
    if not draft.said_before:
        later_times = [other.valid_from + TIME_STEP for other in others if other.order > memory.order]
        memory.valid_from = max([memory.valid_from, *later_times])


def _inherit_from(new: Memory, old: Memory) -> None:
    """Copies what the person has made of a memory to the new one that says the same."""
    new.source_count = old.source_count + 1
    new.confidence = max(new.confidence, old.confidence)
    new.protected = new.protected or old.protected
    new.tags = list(dict.fromkeys([*old.tags, *new.tags]))
    new.key = new.key or old.key


def preview_relations(
    venue_context: VenueContext, inputs: Sequence[MemoryInput], vectors: Vectors, now: datetime, model: str
) -> list[ExpectedRelation]:
    """What saving each input would do, in order; changes nothing. Expects the venue's spaces allowed."""
    if not inputs:
        return []
    drafts = [build_memory(venue_context, memory_input, now) for memory_input in inputs]
    neighbours = NeighbourSearch(drafts, vectors, now, model)
    decisions = [decide(neighbours.candidate(index), neighbours.neighbours_of(index)) for index in range(len(drafts))]
    return [_expected_relation(decision) for decision in decisions]


def _expected_relation(decision: Decision) -> ExpectedRelation:
    if decision.conflicts:
        return ExpectedRelation("conflict", decision.conflicts[0], decision.reason)
    relation = {"add": "new", "outdated": "duplicate"}.get(decision.outcome, decision.outcome)
    return ExpectedRelation(relation, decision.target, decision.reason)
