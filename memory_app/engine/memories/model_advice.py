"""What a language model says of a memory before it is stored: asked beside its nearest memories, in no transaction.

Whoever keeps it takes the advice over in a transaction of its own. Without a model, in time, nothing is advised.

Refine what was kept: have a language model read an explicit memory, in the background, for what nobody said of it.

The write is over by then, and stands whatever comes of this.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.audit.author import Author
from memory_app.engine.memories.change import lock_memory, lock_memory_and_owner, log_operation, replace_memory
from memory_app.engine.memories.edit import SUMMARY_CHARACTERS, MemoryRef, edit
from memory_app.engine.memories.memory_input import MemoryDraft, MemoryInput, build_memory
from memory_app.engine.memories.neighbours import NeighbourSearch, StoredMemory, nearest_memories
from memory_app.engine.memories.open_conflicts import open_conflict
from memory_app.engine.memories.save import ModelRelations
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import KeepsakeError
from memory_app.llm.model import Model, ModelError
from memory_app.llm.prompts.understand import MemoryReading, read_memory
from memory_app.models import Memory
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.extract.hostile import is_hostile
from memory_app.rules.decide import is_believable

ADVISED_FIELDS = ("type", "category", "key", "summary", "keywords", "event_time")
"""What a model may say of a memory, where whoever kept it did not."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Fields of a memory, and what it is to others. reading: what was made of it; None where the model failed for good,
    which `error` tells."""

    fields: Mapping[str, Any] = field(default_factory=dict)
    relations: ModelRelations = field(default_factory=dict)
    reading: MemoryReading | None = None
    error: str = ""
    tokens: int = 0

    def memory_input(self, memory_input: MemoryInput) -> MemoryInput:
        """What is kept, with what was advised."""
        return replace(memory_input, **self.fields, stated=memory_input.stated_names) if self.fields else memory_input

    @property
    def detail(self) -> dict[str, Any]:
        """What the log is told."""
        detail: dict[str, Any] = {"tokens": self.tokens, "set": [*self.fields]}
        detail["relations"] = {str(memory): said for memory, said in self.relations.items()}
        if self.reading is None:
            return detail | {"error": self.error}
        return detail | {"dropped": dict(self.reading.dropped)}


def open_fields(memory_input: MemoryInput) -> list[str]:
    """Those of READ that were to be worked out."""
    return [name for name in ADVISED_FIELDS if getattr(memory_input, name) is None]


def ask_for_advice(
    *, venue_context: VenueContext, memory_input: MemoryInput, model: Model, now: datetime, encoder: Encoder
) -> Advice | None:
    """What the model says in time of one text that is to be kept. None: it is not asked, or may well answer later."""
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
        del fields["key"]  # a model must not name the slot whose value is replaced
    return Advice(fields, relations_from(read, known), read, tokens=read.source.tokens_in + read.source.tokens_out)


def neighbours_for_model(memory: Memory, vector: Vectors, now: datetime, model: str) -> Sequence[StoredMemory]:
    """The nearest memories beside one that a language model may be shown: nothing sensitive."""
    if memory.person._state.adding:
        return []
    with allowed_spaces([memory.space_id]):
        found = [known for _, known in sorted(nearest_memories(memory, vector, now, model), key=lambda pair: -pair[0])]
        ids = [known.id for known in found if known.id != memory.id]
        not_sensitive = Memory.objects.filter(space_id=memory.space_id, id__in=ids, sensitive=False)
        allowed = set(not_sensitive.values_list("id", flat=True))
    return [known for known in found if known.id in allowed and not is_hostile(known.content)]


def relations_from(read: MemoryReading, known: Sequence[StoredMemory]) -> dict[UUID, Any]:
    """What the memory is to each of those known, by their ids."""
    return {known[place].id: said for place, said in read.relations.items()}


def usable_fields(memory: Memory, read: MemoryReading, fields: Sequence[str]) -> dict[str, Any]:
    """What of the answer counts. A slot or a time that our own rules found stays; so does a text as its summary."""
    said: dict[str, Any] = {"type": read.type, "category": read.category, "keywords": list(read.keywords)}
    if not memory.key:
        said["key"] = read.key
    if memory.event_time is None:
        said["event_time"] = read.event_time
    if len(memory.content) > SUMMARY_CHARACTERS:
        said["summary"] = read.summary
    return {name: value for name, value in said.items() if name in fields and value and value != getattr(memory, name)}


def _key_is_used(memory: Memory, key: str) -> bool:
    with allowed_spaces([memory.space_id]):
        return Memory.objects.same_level(memory).undeleted().with_key(key).exists()


REWORDED_ATTRIBUTE = "reworded"
"""The attribute of a memory that says that a language model worded it after it was shown."""

CONTRADICTION_REASON = "the two cannot both be true, as the language model reads them"


def refine_memory(
    *, space: UUID, memory: UUID, fields: Sequence[str], model: Model, now: datetime, encoder: Encoder
) -> str:
    """Asks once about a memory, and takes over `fields` of the answer where they pass their checks and nothing has
    changed since. Answers what became of it, which the log tells too."""
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
        except KeepsakeError as error:  # changed or forgotten meanwhile, or the key was taken: then it stays as it is
            changes, edit_error = {}, str(error)
    tokens = read.source.tokens_in + read.source.tokens_out
    related = _apply_relations(space, found, relations_from(read, known), author, now, encoder.name)
    said = [name for name in changes if name != "attributes"]
    detail = {"dropped": dict(read.dropped), "set": said, **({"relations": related} if related else {})}
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
    """Carries out what the memory is to older ones, where it can be believed and nothing has changed since: what it
    updates gives way to it, and what it contradicts is asked about. Answers what was done, by ids."""
    done: dict[str, str] = {}
    with allowed_spaces([space]):
        current = lock_memory_and_owner(space, memory.id) if relations else None
        if current is None or current.digest != memory.digest or not current.is_active:
            return done
        neighbours = NeighbourSearch([MemoryDraft(current)], _stored_vector(current)[np.newaxis], now, model)
        candidate = neighbours.candidate(0)
        for other in neighbours.of(0, relations):
            said = relations.get(other.id)
            if said not in ("update", "contradiction") or not is_believable(said, candidate, other):
                continue
            if neighbours.known(other.id).order > current.order:
                continue
            if said == "update":
                replace_memory(other.id, current, author, now)
            else:
                open_conflict(current, other.id, CONTRADICTION_REASON, now)
            done[str(other.id)] = said
    return done


def log_refinement(space: UUID, memory: UUID, author: Author, now: datetime, **detail: Any) -> str:
    """Writes to the log what came of asking a model about a memory; answers the same in words."""
    with allowed_spaces([space]):
        if found := lock_memory(space, memory):
            log_operation(found, "refine", author, now, detail)
    return str(detail.get("error")) or f"{', '.join(detail.get('set', ())) or 'nothing'} set, {detail['tokens']} tokens"
