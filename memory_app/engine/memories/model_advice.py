"""Ask a language model about one memory, together with its nearest ones: before it is saved, or in the background.

The model fills in fields that nobody stated, and says what the memory is to others. No transaction is open while it is
asked. If it does not answer, the memory stays as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.audit.log import Author, log_operation
from memory_app.engine.memories.edit import SUMMARY_CHARACTERS, MemoryRef, edit, open_conflict
from memory_app.engine.memories.memory_input import MemoryDraft, MemoryInput, build_memory
from memory_app.engine.memories.neighbours import NeighbourSearch, StoredMemory, nearest_memories
from memory_app.engine.memories.save import ModelRelations
from memory_app.engine.memories.write_version import lock_memory, lock_memory_and_owner, replace_memory
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import KeepsakeError
from memory_app.llm.model import Model, ModelError
from memory_app.llm.prompts.understand import MemoryReading, read_memory
from memory_app.models import Memory
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.extract.claims import is_hostile
from memory_app.rules.decide import is_believable

ADVISED_FIELDS = ("type", "category", "key", "summary", "keywords", "event_time")
"""Fields that a model may fill in where the caller did not."""


REWORDED_ATTRIBUTE = "reworded"
"""The attribute of a memory whose summary a language model changed after the memory was shown."""

CONTRADICTION_REASON = "the two cannot both be true, as the language model reads them"


@dataclass(frozen=True, slots=True)
class Advice:
    """Fields of a memory, and its relations to others. reading: the model's answer; None where the model failed for
    good, with the reason in `error`."""

    fields: Mapping[str, Any] = field(default_factory=dict)
    relations: ModelRelations = field(default_factory=dict)
    reading: MemoryReading | None = None
    error: str = ""
    tokens: int = 0

    def apply_to(self, memory_input: MemoryInput) -> MemoryInput:
        """The input with the advised fields set."""
        return replace(memory_input, **self.fields, stated=memory_input.stated_names) if self.fields else memory_input

    @property
    def detail(self) -> dict[str, Any]:
        """For the log."""
        detail: dict[str, Any] = {"tokens": self.tokens, "set": [*self.fields]}
        detail["relations"] = {str(memory): relation for memory, relation in self.relations.items()}
        if self.reading is None:
            return detail | {"error": self.error}
        return detail | {"dropped": dict(self.reading.dropped)}


def open_fields(memory_input: MemoryInput) -> list[str]:
    """Those of ADVISED_FIELDS that the caller left open."""
    return [name for name in ADVISED_FIELDS if getattr(memory_input, name) is None]


def ask_for_advice(
    *, venue_context: VenueContext, memory_input: MemoryInput, model: Model, now: datetime, encoder: Encoder
) -> Advice | None:
    """What the model says in time about one text that is to be saved. None: not asked, or it may answer later."""
    memory = build_memory(venue_context, memory_input, now).memory
    if memory.sensitive or is_hostile(memory.content):
        return None
    known = neighbours_for_model(memory, encoder.documents([memory.searchable_text])[0], now, encoder.name)
    try:
        read = read_memory(
            model,
            memory.content,
            memory_input.said_at or now,
            venue_context.person.zone,
            [one.content for one in known],
        )
    except ModelError as error:
        detail = f"{type(error).__name__}: {error}"[:500]
        return None if error.later else Advice(error=detail, tokens=error.tokens_in + error.tokens_out)
    fields = usable_fields(memory, read, open_fields(memory_input))
    if "key" in fields and _key_is_used(memory, fields["key"]):
        del fields["key"]  # a model must not choose the key whose value is replaced
    return Advice(fields, relations_from(read, known), read, tokens=read.source.tokens_in + read.source.tokens_out)


def neighbours_for_model(memory: Memory, vector: Vectors, now: datetime, model: str) -> Sequence[StoredMemory]:
    """The nearest memories that a language model may see: none that is sensitive."""
    if memory.person._state.adding:
        return []
    with allowed_spaces([memory.space_id]):
        found = [known for _, known in sorted(nearest_memories(memory, vector, now, model), key=lambda pair: -pair[0])]
        ids = [known.id for known in found if known.id != memory.id]
        not_sensitive = Memory.objects.filter(space_id=memory.space_id, id__in=ids, sensitive=False)
        allowed = set(not_sensitive.values_list("id", flat=True))
    return [known for known in found if known.id in allowed and not is_hostile(known.content)]


def relations_from(read: MemoryReading, known: Sequence[StoredMemory]) -> dict[UUID, Any]:
    """What the memory is to each of the known ones, by their ids."""
    return {known[place].id: relation for place, relation in read.relations.items()}


def usable_fields(memory: Memory, read: MemoryReading, fields: Sequence[str]) -> dict[str, Any]:
    """The fields of the answer to set. A key or time that our own rules found stays; a short text needs no summary."""
    answer: dict[str, Any] = {"type": read.type, "category": read.category, "keywords": list(read.keywords)}
    if not memory.key:
        answer["key"] = read.key
    if memory.event_time is None:
        answer["event_time"] = read.event_time
    if len(memory.content) > SUMMARY_CHARACTERS:
        answer["summary"] = read.summary
    return {
        name: value for name, value in answer.items() if name in fields and value and value != getattr(memory, name)
    }


def _key_is_used(memory: Memory, key: str) -> bool:
    with allowed_spaces([memory.space_id]):
        return Memory.objects.same_level(memory).undeleted().with_key(key).exists()


def refine_memory(
    *, space: UUID, memory: UUID, fields: Sequence[str], model: Model, now: datetime, encoder: Encoder
) -> str:
    """Asks once about a stored memory, and sets `fields` from the answer where they pass their checks and nothing has
    changed since. Returns a sentence about the result, which is logged too."""
    with allowed_spaces([space]):
        found = Memory.objects.undeleted().select_related("person").filter(space_id=space, id=memory).first()
    if found is None:
        return "gone"
    try:
        known = _known_neighbours(found, now, encoder.name)
        read = read_memory(model, found.content, found.created_at, found.person.zone, [one.content for one in known])
    except ModelError as error:
        author, tokens = Author("model", model.name), error.tokens_in + error.tokens_out
        return log_refinement(space, memory, author, now, tokens=tokens, error=f"{type(error).__name__}: {error}"[:500])
    author = Author("model", read.source.extractor)
    changes, edit_error = usable_fields(found, read, fields), ""
    if "summary" in changes:
        changes["attributes"] = {**found.attributes, REWORDED_ATTRIBUTE: True}
    if changes:
        try:
            edit(
                at=MemoryRef(space, memory),
                changes=changes,
                author=author,
                now=now,
                encoder=encoder,
                version=found.version,
                stated=False,
            )
        except KeepsakeError as error:  # changed or deleted meanwhile, or the key is taken: then it stays as it is
            changes, edit_error = {}, str(error)
    tokens = read.source.tokens_in + read.source.tokens_out
    related = _apply_relations(space, found, relations_from(read, known), author, now, encoder.name)
    changed = [name for name in changes if name != "attributes"]
    detail = {"dropped": dict(read.dropped), "set": changed, **({"relations": related} if related else {})}
    return log_refinement(space, memory, author, now, tokens=tokens, error=edit_error, **detail)


def _known_neighbours(memory: Memory, now: datetime, model: str) -> Sequence[StoredMemory]:
    if memory.embedding is None or memory.embedding_model != model:
        return []
    return neighbours_for_model(memory, _stored_vector(memory), now, model)


def _stored_vector(memory: Memory) -> Vectors:
    vector: Vectors = np.asarray([memory.embedding], dtype=np.float32)[0]
    return vector


def _apply_relations(
    space: UUID, memory: Memory, relations: ModelRelations, author: Author, now: datetime, model: str
) -> dict[str, str]:
    """Applies the relations to older memories, where they are believable and nothing has changed since: what it updates
    is superseded, and what it contradicts is a conflict for the person. Returns what was applied, by ids."""
    done: dict[str, str] = {}
    with allowed_spaces([space]):
        current = lock_memory_and_owner(space, memory.id) if relations else None
        if current is None or current.digest != memory.digest or not current.is_active:
            return done
        neighbours = NeighbourSearch([MemoryDraft(current)], _stored_vector(current)[np.newaxis], now, model)
        candidate = neighbours.candidate(0)
        for other in neighbours.neighbours_of(0, relations):
            relation = relations.get(other.id)
            if relation not in ("update", "contradiction") or not is_believable(relation, candidate, other):
                continue
            if neighbours.found(other.id).order > current.order:
                continue
            if relation == "update":
                replace_memory(other.id, current, author, now)
            else:
                open_conflict(current, other.id, CONTRADICTION_REASON, now)
            done[str(other.id)] = relation
    return done


def log_refinement(space: UUID, memory: UUID, author: Author, now: datetime, **detail: Any) -> str:
    """Logs the result of asking a model about a memory; returns it as a sentence."""
    with allowed_spaces([space]):
        if found := lock_memory(space, memory):
            log_operation(found, "refine", author, now, detail)
    return str(detail.get("error")) or f"{', '.join(detail.get('set', ())) or 'nothing'} set, {detail['tokens']} tokens"
