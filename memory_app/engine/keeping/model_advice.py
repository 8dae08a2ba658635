"""What a language model says of a memory before it is stored: asked beside its nearest memories, in no transaction.

Whoever keeps it takes the advice over in a transaction of its own. Without a model, in time, nothing is advised.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.edit import SUMMARY_CHARACTERS
from memory_app.engine.enter import Entered
from memory_app.engine.keeping.compose import Given, compose
from memory_app.engine.keeping.keep import Judged
from memory_app.engine.keeping.nearest import Known, nearest
from memory_app.language.extract.hostile import is_hostile
from memory_app.llm.model import Model, ModelError
from memory_app.llm.tasks.read_memory import MemoryReading, read_memory
from memory_app.models import Memory
from memory_app.models.scope import within

READ = ("type", "category", "key", "summary", "keywords", "event_time")
"""What a model may say of a memory, where whoever kept it did not."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Fields of a memory, and what it is to others. reading: what was made of it; None where the model failed for good,
    which `error` tells."""

    fields: Mapping[str, Any] = field(default_factory=dict)
    judged: Judged = field(default_factory=dict)
    reading: MemoryReading | None = None
    error: str = ""
    tokens: int = 0

    def given(self, given: Given) -> Given:
        """What is kept, with what was advised."""
        return replace(given, **self.fields, stated=given.what_is_stated) if self.fields else given

    @property
    def detail(self) -> dict[str, Any]:
        """What the log is told."""
        told: dict[str, Any] = {"tokens": self.tokens, "set": [*self.fields]}
        told["relations"] = {str(memory): said for memory, said in self.judged.items()}
        if self.reading is None:
            return told | {"error": self.error}
        return told | {"dropped": dict(self.reading.dropped)}


def left_open(given: Given) -> list[str]:
    """Those of READ that were to be worked out."""
    return [name for name in READ if getattr(given, name) is None]


def advice_for(*, entered: Entered, given: Given, model: Model, now: datetime, encoder: Encoder) -> Advice | None:
    """What the model says in time of one text that is to be kept. None: it is not asked, or may well answer later."""
    memory = compose(entered, given, now)
    if memory.sensitive or is_hostile(memory.content):
        return None
    known = known_beside(memory, encoder.documents([memory.words_in_context])[0], now, encoder.name)
    try:
        read = read_memory(
            model, memory.content, given.told_at or now, entered.person.zone, [one.content for one in known]
        )
    except ModelError as error:
        told = f"{type(error).__name__}: {error}"[:500]
        return None if error.later else Advice(error=told, tokens=error.tokens_in + error.tokens_out)
    fields = fields_of(memory, read, left_open(given))
    if "key" in fields and _is_held(memory, fields["key"]):
        del fields["key"]  # a model must not name the slot whose value is replaced
    return Advice(fields, judged_of(read, known), read, tokens=read.made.tokens_in + read.made.tokens_out)


def known_beside(memory: Memory, vector: Vectors, now: datetime, model: str) -> Sequence[Known]:
    """The nearest memories beside one that a language model may be shown: nothing sensitive."""
    if memory.person._state.adding:
        return []
    with within([memory.space_id]):
        found = [known for _, known in sorted(nearest(memory, vector, now, model), key=lambda pair: -pair[0])]
        ids = [known.id for known in found if known.id != memory.id]
        shown = Memory.objects.filter(space_id=memory.space_id, id__in=ids, sensitive=False)
        allowed = set(shown.values_list("id", flat=True))
    return [known for known in found if known.id in allowed and not is_hostile(known.content)]


def judged_of(read: MemoryReading, known: Sequence[Known]) -> dict[UUID, Any]:
    """What the memory is to each of those known, by their ids."""
    return {known[place].id: said for place, said in read.relations.items()}


def fields_of(memory: Memory, read: MemoryReading, fields: Sequence[str]) -> dict[str, Any]:
    """What of the answer counts. A slot or a time that our own rules found stays; so does a text as its summary."""
    said: dict[str, Any] = {"type": read.type, "category": read.category, "keywords": list(read.keywords)}
    if not memory.key:
        said["key"] = read.key
    if memory.event_time is None:
        said["event_time"] = read.event_time
    if len(memory.content) > SUMMARY_CHARACTERS:
        said["summary"] = read.summary
    return {name: value for name, value in said.items() if name in fields and value and value != getattr(memory, name)}


def _is_held(memory: Memory, key: str) -> bool:
    with within([memory.space_id]):
        return Memory.objects.beside(memory).kept().with_key(key).exists()
