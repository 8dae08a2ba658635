"""Open conflicts between a stored memory that was changed and others that may contradict it."""

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
    """Opens a conflict with each memory that may contradict it, unless the person was asked about the two before.

    Expects its space allowed, other writers locked out, and its vector by this model; without one nothing is opened.
    """
    if memory.embedding is None or memory.embedding_model != model or memory.status != Status.ACTIVE:
        return []
    if memory.deleted_at is not None or not memory.is_original:
        return []
    neighbours = NeighbourSearch([MemoryDraft(memory)], np.asarray([memory.embedding], dtype=np.float32), now, model)
    asked_about = _ids_asked_about(memory)
    near = [neighbour for neighbour in neighbours.neighbours_of(0) if neighbour.id not in asked_about]
    found = conflicts(neighbours.candidate(0), near)[:MOST_CONFLICTS]
    others: Sequence[Memory] = list(Memory.objects.filter(space_id=memory.space_id, id__in=found))
    opened = [Conflict.between(memory, other, reason=CONFLICT_AFTER_EDIT, now=now) for other in others]
    Conflict.objects.bulk_create(opened)
    return opened


def open_conflict(memory: Memory, other: UUID, reason: str, now: datetime) -> None:
    """Opens a conflict with one other memory, unless the person was asked about the two in these words. Expects its
    space allowed, and other writers locked out."""
    found = Memory.objects.filter(space_id=memory.space_id, id=other).exclude(id__in=_ids_asked_about(memory)).first()
    if found is not None:
        Conflict.between(memory, found, reason=reason, now=now).save(force_insert=True)


def _ids_asked_about(memory: Memory) -> set[UUID]:
    """Its own id, and those of memories with which it had a conflict that is answered or was about these words."""
    rows = Conflict.objects.filter(space_id=memory.space_id).of_memory(memory.id)
    digest = bytes(memory.digest)
    return {memory.id} | {
        row.other(memory.id)
        for row in rows
        if row.answer or digest in (bytes(row.older_digest), bytes(row.newer_digest))
    }
