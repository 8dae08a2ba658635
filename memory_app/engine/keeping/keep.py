"""Keep memories: embed them, decide each against what is there, and store all of it in one transaction."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.recent import recent_documents
from memory_app.embedding.vectors import Vectors
from memory_app.engine.author import Author
from memory_app.engine.change import locked, one_writer, operation_of, supersede
from memory_app.engine.enter import Entered
from memory_app.engine.keeping.mention import mention
from memory_app.engine.keeping.nearest import Known
from memory_app.engine.keeping.surroundings import Surroundings
from memory_app.engine.paused import refuse_if_off
from memory_app.models import Conflict, ConflictAnswer, Memory, Operation, Status
from memory_app.models.insert import insert
from memory_app.models.scope import within
from memory_app.rules.comparison import adds_nothing
from memory_app.rules.decide import Decision, Judgement, decide
from memory_app.rules.visibility import sees

Outcome = Literal["added", "duplicate", "merged", "superseded", "proposed"]
OnConflict = Literal["ask", "both", "ignore"]
"""What becomes of a conflict: the person is asked; both hold, as they said already; or nobody is asked."""

ALSO_SAID, MOST_ALSO_SAID = "also_said", 10
"""The attribute that holds what was told in words of its own and counted as a duplicate, for a language model said that
it is one: no word that was told is lost."""

Judged = Mapping[UUID, Judgement]
"""What a language model says that a memory is to others, by their ids."""

MOST_CONFLICTS = 3
"""Conflicts that one memory may open: more questions about one sentence would not be read."""

A_MOMENT = timedelta(milliseconds=1)
"""By so much at least one of two is newer: versions keep times to the millisecond."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of one memory: the row that now stands for it, and how. conflicts: the memories that may not hold
    beside it, closest first, about which the person is asked."""

    memory: Memory
    outcome: Outcome
    reason: str = ""
    conflicts: Sequence[Memory] = ()


@dataclass
class Keeping:
    """One batch of one person while it is stored. Rows are inserted together, unless a later one needs them."""

    entered: Entered
    author: Author
    now: datetime
    count_again: bool = True
    on_conflict: OnConflict = "ask"
    judged: Sequence[Judged] = ()
    conflicts: list[Conflict] = field(default_factory=list)
    in_conflict: dict[int, Sequence[Known]] = field(default_factory=dict)
    """By its place in the batch: with which memories a new one may not hold beside them."""
    waiting: list[Memory] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)

    def add(self, memory: Memory, detail: dict[str, object]) -> None:
        memory.changed_by = self.author.label
        self.waiting.append(memory)
        self.operations.append(operation_of(memory, "remember", self.author, self.now, detail))

    def flush(self) -> None:
        insert(self.waiting)
        mention(self.waiting)
        insert(self.operations)
        insert(self.conflicts)
        self.waiting, self.operations, self.conflicts = [], [], []

    def target(self, space: UUID, memory: UUID) -> Memory:
        self.flush()
        found = locked(space, memory)
        if found is None:
            raise LookupError(f"a decision names {memory}, which its own transaction does not hold")
        return found


def keep(
    *,
    entered: Entered,
    memories: Sequence[Memory],
    author: Author,
    now: datetime,
    encoder: Encoder,
    count_again: bool = True,
    on_conflict: OnConflict = "ask",
    judged: Sequence[Judged] = (),
) -> list[Kept]:
    """Stores composed memories of one person; the answers are in the order of `memories`.

    judged: of each memory, what a language model says that it is to others.
    count_again: what is there already is counted as said once more; if not, it is left as it is.

    What is kept at a level that may not be seen from where it is said (privately, from a space) is answered as it was
    sent: what is there already takes its part in the decision, and none in the answer.
    """
    if not memories:
        return []
    refuse_if_off()
    vectors = recent_documents(encoder, [memory.words_in_context for memory in memories])
    for position, (memory, vector) in enumerate(zip(memories, vectors, strict=True)):
        memory.embedding, memory.embedding_model, memory.position = vector, encoder.name, position
    keeping = Keeping(entered, author, now, count_again, on_conflict, judged)
    with within(entered.venue.spaces):
        # Only now are other writers of this person locked out; embedding takes long.
        one_writer(entered.person.id)
        kept = _decided(keeping, memories, vectors, encoder.name)
        keeping.flush()
        return _with_conflicts(kept, keeping.in_conflict)


def _with_conflicts(kept: Sequence[Kept], in_conflict: Mapping[int, Sequence[Known]]) -> list[Kept]:
    """With the memories themselves that a new one may not hold beside; all are read in one statement."""
    ids = {known.id for others in in_conflict.values() for known in others}
    if not ids:
        return list(kept)
    rows = Memory.objects.select_related("person", "space", "channel")
    spaces = {kept[position].memory.space_id for position in in_conflict}
    found = {memory.id: memory for memory in rows.filter(space_id__in=spaces, id__in=ids)}
    return [
        replace(one, conflicts=[found[known.id] for known in in_conflict.get(position, ()) if known.id in found])
        for position, one in enumerate(kept)
    ]


def _decided(keeping: Keeping, memories: Sequence[Memory], vectors: Vectors, model: str) -> list[Kept]:
    answers: dict[int, Kept] = {}
    for indexes in _levels(memories):
        batch = [memories[n] for n in indexes]
        around = Surroundings(batch, vectors[indexes], keeping.now, model)
        for position, index in enumerate(indexes):
            answers[index] = _keep_one(keeping, around, position, memories[index])
    return [answers[index] for index in range(len(memories))]


def _levels(memories: Sequence[Memory]) -> list[list[int]]:
    """Indexes grouped by space, level and channel: decisions never look across these."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for index, memory in enumerate(memories):
        groups.setdefault((memory.space_id, memory.visibility, memory.channel_id), []).append(index)
    return list(groups.values())


def _keep_one(keeping: Keeping, around: Surroundings, position: int, memory: Memory) -> Kept:
    seen = sees(keeping.entered.venue, memory.placed)
    as_sent = memory if seen else copy(memory)
    judged = keeping.judged[memory.position] if keeping.judged else {}
    decision = decide(around.candidate(position), around.of(position, judged), judged)
    kept = _carry_out(keeping, memory, decision, seen)
    if decision.conflicts and keeping.on_conflict != "ignore":
        others = [around.known(other) for other in decision.conflicts[:MOST_CONFLICTS]]
        _open_conflicts(keeping, memory, others, decision.reason)
        if seen and keeping.on_conflict == "ask":
            keeping.in_conflict[memory.position] = others
    if kept.outcome != "duplicate" and memory.status == Status.ACTIVE:
        around.add(position)
    if kept.outcome == "superseded" and decision.target:
        around.drop(decision.target)
    return kept if seen else Kept(as_sent, "added")


def _carry_out(keeping: Keeping, memory: Memory, decision: Decision, seen: bool) -> Kept:
    detail: dict[str, object] = {"decision": decision.outcome, "reason": decision.reason}
    if decision.target is None:
        keeping.add(memory, detail)
        return Kept(memory, "added", decision.reason)
    target = keeping.target(memory.space_id, decision.target)
    detail["other"] = str(target.id)
    match decision.outcome:
        case "duplicate" if seen:
            if keeping.count_again:
                _refresh(keeping, target, memory, detail)
            return Kept(target, "duplicate", decision.reason)
        case "outdated":
            memory.status, memory.valid_to, memory.superseded_by = Status.SUPERSEDED, target.valid_from, target.id
            keeping.add(memory, detail)
            return Kept(memory, "added", decision.reason)
        case "duplicate":
            # The answer names a new memory, and must not lie: it takes the place of the one that is the same.
            _take_over(memory, target)
        case _:
            _be_newer(memory, [target])
    memory.supersedes = target.id
    supersede(target, memory, keeping.author, keeping.now)
    keeping.add(memory, detail)
    return Kept(memory, "superseded", decision.reason)


def _open_conflicts(keeping: Keeping, memory: Memory, others: Sequence[Known], reason: str) -> None:
    """Opens a conflict with each memory that may not hold beside this one."""
    _be_newer(memory, others)
    for other in others:
        conflict = Conflict.between(memory, other, reason=reason, now=keeping.now)
        if keeping.on_conflict == "both":
            conflict.answer, conflict.answered_at = ConflictAnswer.BOTH, keeping.now
            conflict.answered_by = keeping.author.label
        keeping.conflicts.append(conflict)


def _refresh(keeping: Keeping, target: Memory, memory: Memory, detail: dict[str, object]) -> None:
    """Said again: counted, and as strong as when it was new."""
    target.source_count += 1
    target.reinforced_at = keeping.now
    target.confidence = max(target.confidence, memory.confidence)
    changed = ["source_count", "reinforced_at", "confidence"]
    if not adds_nothing(memory.content, target.content):
        also = [*target.attributes.get(ALSO_SAID, []), memory.content]
        target.attributes = {**target.attributes, ALSO_SAID: list(dict.fromkeys(also))[-MOST_ALSO_SAID:]}
        changed.append("attributes")
    target.save(update_fields=changed)
    keeping.operations.append(operation_of(target, "remember", keeping.author, keeping.now, detail))


def _be_newer(memory: Memory, others: Iterable[Memory | Known]) -> None:
    """Who says it now knows what is there, though requests cross, and clocks differ."""
    if not memory.said_before:
        ahead = [other.valid_from + A_MOMENT for other in others if other.order > memory.order]
        memory.valid_from = max([memory.valid_from, *ahead])


def _take_over(new: Memory, old: Memory) -> None:
    """What the person has made of a memory goes on in the one that says the same."""
    new.source_count = old.source_count + 1
    new.confidence = max(new.confidence, old.confidence)
    new.protected = new.protected or old.protected
    new.tags = list(dict.fromkeys([*old.tags, *new.tags]))
    new.key = new.key or old.key
