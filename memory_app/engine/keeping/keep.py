"""Keep memories: embed them, decide each against what is there, and store all of it in one transaction."""

from collections.abc import Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from uuid import UUID

from ...embedding.encoder import Encoder
from ...language.by_example import type_by_example
from ...models import Memory, Operation, Proposal, Relation, Status
from ...models.insert import insert
from ...models.mark import A_MOMENT, CONFLICTS_WITH
from ...models.scope import within
from ...rules.decide import Decision, decide
from ...rules.visibility import sees
from ..author import Author
from ..change import change, locked, one_writer, operation_of
from ..enter import Entered
from ..forgetting.released import oppose, weaken
from .compared import BothWays
from .mention import mention
from .questions import question
from .surroundings import Surroundings
from .take_place import take_place

Outcome = Literal["added", "duplicate", "merged", "superseded", "proposed"]


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of one memory: the row that now stands for it, and how; `merge` is the proposal to merge it, and
    `contradicts` the older memory that it says otherwise than, `against` all of these."""

    memory: Memory
    outcome: Outcome
    reason: str = ""
    merge: UUID | None = None
    against: Sequence[Memory] = ()

    @property
    def contradicts(self) -> Memory | None:
        return self.against[0] if self.against else None


@dataclass
class Keeping:
    """One batch of one person while it is stored. Rows are inserted together, unless a later one needs them."""

    entered: Entered
    author: Author
    now: datetime
    put_up: frozenset[Relation] = frozenset()
    count_again: bool = True
    contradict: bool = True
    proposals: list[Proposal] = field(default_factory=list)
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
        insert(self.proposals)
        stored = self.waiting
        self.waiting, self.operations, self.proposals = [], [], []
        for memory in stored:
            if memory.outdone_by:
                weaken(memory, memory.outdone_by, self.author, self.now)

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
    put_up: Collection[Relation] = (),
    count_again: bool = True,
    contradict: bool = True,
) -> list[Kept]:
    """Stores composed memories of one person; the answers are in the order of `memories`.

    put_up: put up to the person what is very like a memory they have (MERGE), and what says otherwise than one
    (CONFLICT). Both are kept until they decide.
    count_again: what is there already is counted as said once more; if not, it is left as it is.
    contradict: what says otherwise is held against what is there; if not, both stand.

    What is kept at a level that may not be seen from where it is said (privately, from a space) is answered as it was
    sent: what is there already takes its part in the decision, and none in the answer.
    """
    if not memories:
        return []
    said = BothWays(memories, encoder)
    for position, (memory, vector) in enumerate(zip(memories, said.vectors, strict=True)):
        memory.embedding, memory.embedding_model, memory.position = vector, encoder.name, position
        if memory.type_is_open:
            memory.type = type_by_example(vector, encoder)
    keeping = Keeping(entered, author, now, frozenset(put_up), count_again, contradict)
    with within(entered.venue.spaces):
        # Only from here on are others held off who write for this person: to embed many takes long.
        one_writer(entered.person.id)
        said.catch_up()
        kept = _decided(keeping, memories, said, encoder.name)
        keeping.flush()
    return kept


def _decided(keeping: Keeping, memories: Sequence[Memory], said: BothWays, model: str) -> list[Kept]:
    answers: dict[int, Kept] = {}
    for indexes in _levels(memories):
        batch = [memories[n] for n in indexes]
        around = Surroundings(batch, said.vectors[indexes], said.otherwise[indexes], keeping.now, model)
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
    decision = decide(around.candidate(position), around.of(position))
    kept = _carry_out(keeping, memory, decision, seen)
    if kept.outcome != "duplicate" and memory.status == Status.ACTIVE:
        around.add(position)
    if kept.outcome == "superseded" and decision.target:
        around.drop(decision.target)
    if decision.retires:
        around.drop(decision.retires)
    for other in kept.against:
        around.contradict(other.id, position)
    return kept if seen else Kept(as_sent, "added", merge=kept.merge)


def _carry_out(keeping: Keeping, memory: Memory, decision: Decision, seen: bool) -> Kept:
    detail: dict[str, object] = {"decision": decision.outcome, "reason": decision.reason}
    left = _retire(keeping, decision, memory) if decision.retires else []
    if decision.target is None:
        keeping.add(memory, detail)
        return Kept(memory, "added", decision.reason, against=left)
    target = keeping.target(memory.space_id, decision.target)
    detail["other"] = str(target.id)
    match decision.outcome:
        case "duplicate" if not seen:
            # The answer names a new memory, and must not lie: it takes the place of the one that is the same.
            _take_over(memory, target)
            against = _supersede(keeping, target, memory)
            keeping.add(memory, detail)
            return Kept(memory, "superseded", decision.reason, against=against)
        case "duplicate":
            if keeping.count_again:
                _refresh(keeping, target, memory, detail)
            return Kept(target, "duplicate", decision.reason)
        case "supersede":
            _be_told_after(memory, [target])
            against = _supersede(keeping, target, memory)
            keeping.add(memory, detail)
            return Kept(memory, "superseded", decision.reason, against=against)
        case "outdated":
            memory.status, memory.valid_to, memory.superseded_by = Status.SUPERSEDED, target.valid_from, target.id
            keeping.add(memory, detail)
            return Kept(memory, "added", decision.reason)
        case "conflict" if keeping.contradict:
            others = [target, *(keeping.target(memory.space_id, other) for other in decision.also)]
            _be_told_after(memory, others)
            for other in reversed(others):
                oppose(memory, other, keeping.author, keeping.now)
                older, newer = sorted((other, memory), key=lambda one: one.told)
                _put_up(keeping, Relation.CONFLICT, older, newer, decision.reason)
            keeping.add(memory, detail)
            return Kept(memory, "added", decision.reason, against=[*others, *left])
        case "merge":
            proposal = _put_up(keeping, Relation.MERGE, target, memory, decision.reason)
            keeping.add(memory, detail)
            return Kept(memory, "added", decision.reason, merge=proposal.id if proposal else None, against=left)
    keeping.add(memory, detail)
    return Kept(memory, "added", decision.reason, against=left)


def _refresh(keeping: Keeping, target: Memory, memory: Memory, detail: dict[str, object]) -> None:
    """Said again: counted, and as strong as when it was new."""
    target.source_count += 1
    target.reinforced_at = keeping.now
    target.confidence = max(target.confidence, memory.confidence)
    target.save(update_fields=["source_count", "reinforced_at", "confidence"])
    keeping.operations.append(operation_of(target, "remember", keeping.author, keeping.now, detail))


def _be_told_after(memory: Memory, others: Iterable[Memory]) -> None:
    """Who tells it now knows of what is there, though requests cross, and clocks differ."""
    if not memory.said_before:
        ahead = [other.valid_from + A_MOMENT for other in others if other.told > memory.told]
        memory.valid_from = max([memory.valid_from, *ahead])


def _take_over(new: Memory, old: Memory) -> None:
    """What the person has made of a memory goes on in the one that says the same."""
    new.source_count = old.source_count + 1
    new.confidence = max(new.confidence, old.confidence)
    new.protected = new.protected or old.protected
    new.tags = list(dict.fromkeys([*old.tags, *new.tags]))
    new.key = new.key or old.key


def _retire(keeping: Keeping, decision: Decision, new: Memory) -> list[Memory]:
    """What was contradicted gives way for good. It held until it was contradicted. Answers what else contradicts the
    new one, for it contradicted the old one."""
    assert decision.retires is not None
    old = keeping.target(new.space_id, decision.retires)
    if decision.outcome != "conflict" or decision.target is None:
        return _supersede(keeping, old, new)
    until = keeping.target(new.space_id, decision.target).valid_from
    asked_anew = (decision.target, *decision.also) if keeping.contradict else ()
    return _supersede(keeping, old, new, until, asked_anew)


def _supersede(
    keeping: Keeping, old: Memory, new: Memory, until: datetime | None = None, but: Collection[UUID] = ()
) -> list[Memory]:
    """Answers what contradicted the old one and contradicts the new one too."""
    new.supersedes = old.id
    change(
        old,
        operation="supersede",
        author=keeping.author,
        now=keeping.now,
        status=Status.SUPERSEDED,
        valid_to=until or max(new.valid_from, old.valid_from),
        superseded_by=new.id,
    )
    if CONFLICTS_WITH not in old.attributes:
        return []
    return take_place(old, new, keeping.author, keeping.now, but=but, both=not keeping.contradict)


def _put_up(keeping: Keeping, relation: Relation, old: Memory, new: Memory, reason: str) -> Proposal | None:
    proposal = question(relation, old, new, reason, keeping.now) if relation in keeping.put_up else None
    if proposal:
        keeping.proposals.append(proposal)
    return proposal
