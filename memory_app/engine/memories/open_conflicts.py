"""Open the conflicts of a memory that is stored already and has new words."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import numpy as np

from memory_app.engine.memories.memory_input import MemoryDraft
from memory_app.engine.memories.neighbours import NeighbourSearch
from memory_app.engine.memories.save import MOST_CONFLICTS
from memory_app.models import Conflict, Memory, Status
from memory_app.rules.decide import conflicts

CONFLICT_AFTER_EDIT = "close to another memory since it was changed: the two may not both hold"


def open_conflicts(memory: Memory, now: datetime, model: str) -> list[Conflict]:
    """Asks about the memories that may not hold beside it, but not again about those that its person was asked about.

    Expects the scope, other writers held off, and its vector by the model of this name; without one nothing is opened.
    """
    if memory.embedding is None or memory.embedding_model != model or memory.status != Status.ACTIVE:
        return []
    if memory.deleted_at is not None or not memory.is_original:
        return []
    neighbours = NeighbourSearch([MemoryDraft(memory)], np.asarray([memory.embedding], dtype=np.float32), now, model)
    asked_about = _ids_asked_about(memory)
    near = [neighbour for neighbour in neighbours.of(0) if neighbour.id not in asked_about]
    found = conflicts(neighbours.candidate(0), near)[:MOST_CONFLICTS]
    others: Sequence[Memory] = list(Memory.objects.filter(space_id=memory.space_id, id__in=found))
    opened = [Conflict.between(memory, other, reason=CONFLICT_AFTER_EDIT, now=now) for other in others]
    Conflict.objects.bulk_create(opened)
    return opened


def open_conflict(memory: Memory, other: UUID, reason: str, now: datetime) -> None:
    """Asks about one other memory, unless its person was asked about these two in these words. Expects the scope, and
    other writers held off."""
    found = Memory.objects.filter(space_id=memory.space_id, id=other).exclude(id__in=_ids_asked_about(memory)).first()
    if found is not None:
        Conflict.between(memory, found, reason=reason, now=now).save(force_insert=True)


def _ids_asked_about(memory: Memory) -> set[UUID]:
    """Itself, and the memories of which the person was asked about these words, or said that both hold."""
    rows = Conflict.objects.filter(space_id=memory.space_id).of_memory(memory.id)
    digest = bytes(memory.digest)
    return {memory.id} | {
        row.other(memory.id)
        for row in rows
        if row.answer or digest in (bytes(row.older_digest), bytes(row.newer_digest))
    }
