"""Conflicts of a person: find them, and carry out the answer: one memory holds, both do, or one text says both."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author, log_event
from memory_app.engine.memories.delete_and_restore import delete_memory
from memory_app.engine.memories.edit import MemoryRef, edit
from memory_app.engine.memories.versions import undo_last_change
from memory_app.engine.memories.write_version import lock_memory, supersede
from memory_app.engine.venue_context import VenueContext
from memory_app.engine.write_access import check_write
from memory_app.errors import ConflictError, Invalid, NotFound
from memory_app.models import Conflict, ConflictAnswer, Memory
from memory_app.models.conflict import ConflictQuerySet
from memory_app.models.person import lock_writers
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.rules.grant import Grant

CONFLICT_ANSWERED = "conflict"
"""Reason of a deletion: the person said that the other memory holds."""


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """A conflict with its answer, and the memory that holds; of both the newer one."""

    conflict: Conflict
    memory: Memory


def find_conflict(*, conflict: UUID, grant: Grant) -> Conflict:
    """The conflict of that id, where the grant allows its person and space. Raises NotFound."""
    with every_space():
        found = Conflict.objects.select_related("person__space", "space").filter(id=conflict).first()
    if found is None or not grant.allows(found.person.name, found.space.name or None):
        raise NotFound
    return found


def answer(
    *,
    conflict: Conflict,
    holds: ConflictAnswer,
    content: str | None = None,
    grant: Grant,
    author: Author,
    now: datetime,
    encoder: Encoder,
) -> AnswerResult:
    """Carries out what the person chose. content: the text that says both, where they are merged.

    Raises ConflictError where it was answered already or one of the two is gone, Invalid for a merge without a
    text, NotAllowed where the two are not the caller's to write.
    """
    if (holds == ConflictAnswer.MERGED) != bool(content and content.strip()):
        raise Invalid("content", "Give the text that says both, and only where the two are merged.")
    with allowed_spaces([conflict.space_id]):
        lock_writers(conflict.person_id)
        row = _lock_conflict(conflict)
        if row.answer:
            raise ConflictError(f"This was answered already ({row.answer}); undo that first.")
        older, newer = (lock_memory(row.space_id, memory) for memory in (row.older_id, row.newer_id))
        if older is None or newer is None or not (older.is_active and newer.is_active):
            raise ConflictError("One of the two is gone or was replaced, so there is nothing to choose any more.")
        check_write(grant, newer)
        memory = _apply_answer(holds, older, newer, content or "", author, now, encoder)
        row.answer, row.answered_at, row.answered_by = holds, now, author.label
        row.save(update_fields=["answer", "answered_at", "answered_by"])
        _log_conflict("answer_conflict", row, author, now)
        return AnswerResult(row, memory)


def reopen(*, conflict: Conflict, grant: Grant, author: Author, now: datetime) -> Conflict:
    """Undoes an answer: both memories are as they were, if nothing changed them since, and the conflict waits again.
    Raises NotAllowed where they are not the caller's to write."""
    with allowed_spaces([conflict.space_id]):
        lock_writers(conflict.person_id)
        row = _lock_conflict(conflict)
        both = [lock_memory(row.space_id, memory) for memory in (row.newer_id, row.older_id)]
        for found in filter(None, both):
            check_write(grant, found)
        if not row.answer:
            return row
        for found in filter(None, both):
            if found.updated_at == row.answered_at:
                undo_last_change(space=row.space_id, memory=found.id, author=author, now=now)
        row.answer, row.answered_at, row.answered_by = "", None, ""
        row.save(update_fields=["answer", "answered_at", "answered_by"])
        _log_conflict("reopen_conflict", row, author, now)
        return row


def _apply_answer(
    holds: ConflictAnswer, older: Memory, newer: Memory, content: str, author: Author, now: datetime, encoder: Encoder
) -> Memory:
    match holds:
        case ConflictAnswer.OLDEST:
            delete_memory(at=MemoryRef(newer.space_id, newer.id), author=author, now=now, reason=CONFLICT_ANSWERED)
            return older
        case ConflictAnswer.NEWEST:
            supersede(older, newer, author, now)
        case ConflictAnswer.MERGED:
            supersede(older, newer, author, now)
            at = MemoryRef(newer.space_id, newer.id)
            return edit(at=at, changes={"content": content}, author=author, now=now, encoder=encoder)
    return newer


def _lock_conflict(conflict: Conflict) -> Conflict:
    rows = Conflict.objects.select_for_update(of=("self",)).select_related("person__space", "space")
    found = rows.filter(space_id=conflict.space_id, id=conflict.id).first()
    if found is None:
        raise NotFound
    return found


def _log_conflict(act: str, conflict: Conflict, author: Author, now: datetime) -> None:
    detail = {"conflict": str(conflict.id), "answer": conflict.answer}
    log_event(act, detail, author=author, now=now, space=conflict.space_id, person=conflict.person_id)


def conflicts_of(venue_context: VenueContext, *, memory: UUID | None = None) -> ConflictQuerySet:
    """A person's own conflicts, answered ones included, to be evaluated within the venue's spaces. memory: those of
    this one alone."""
    rows = Conflict.objects.select_related("person__space", "space")
    own = rows.filter(space_id__in=sorted(venue_context.venue.spaces), person=venue_context.person)
    return own.filter(Q(older_id=memory) | Q(newer_id=memory)) if memory else own
