"""Memories of Alice, as the tests of changes save and read them."""

from datetime import datetime, timedelta
from typing import Any

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.memories.edit import MemoryRef
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember
from memory_app.engine.venue_context import VenueContext
from memory_app.models import Memory, Operation
from memory_app.models.row_security import every_space
from tests.worlds import NOON

ASSISTANT = Author("key", "ks_1234 assistant", "request-1")
SOMEONE = Author("user", "charlie", "request-2")
LATER = NOON + timedelta(hours=1)
LATER_STILL = NOON + timedelta(hours=2)


def save_memory(
    venue_context: VenueContext, encoder: Encoder, content: str, now: datetime = NOON, **memory_input: Any
) -> Memory:
    return remember(
        venue_context=venue_context,
        memory_input=MemoryInput(content, **memory_input),
        author=ASSISTANT,
        now=now,
        encoder=encoder,
    ).memory


def memory_ref(memory: Memory) -> MemoryRef:
    return MemoryRef(memory.space_id, memory.id)


def reload_memory(memory: Memory) -> Memory:
    with every_space():
        return Memory.objects.select_related("person", "space", "channel").get(id=memory.id)


def operations_of(memory: Memory) -> list[Operation]:
    with every_space():
        return list(Operation.objects.filter(memory_id=memory.id).order_by("id"))
