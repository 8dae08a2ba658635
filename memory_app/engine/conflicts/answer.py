"""Answer a conflict: the person says which of two memories holds, that both do, or gives one text for both."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.engine.author import Author
from memory_app.engine.change import locked, one_writer, supersede
from memory_app.engine.edit import At, edit
from memory_app.engine.forgetting.forget import forget
from memory_app.engine.forgetting.put_back import put_back
from memory_app.engine.logbook.event import event
from memory_app.engine.write_access import check_write
from memory_app.errors import InConflict, Invalid, NotFound
from memory_app.models import Conflict, ConflictAnswer, Memory, Status
from memory_app.models.scope import every_space, within
from memory_app.rules.grant import Grant

ANSWERED = "conflict"
"""Reason of a deletion: the person said that the other memory holds."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A conflict with its answer, and the memory that holds; of both the newer one."""

    conflict: Conflict
    memory: Memory


def conflict_at(*, conflict: UUID, grant: Grant) -> Conflict:
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
) -> Answered:
    """Carries out what the person chose. content: the text that says both, where they are merged.

    Raises InConflict where it was answered already or one of the two is gone, Invalid for a merge without a
    text, NotGranted where the two are not the caller's to write.
    """
    if (holds == ConflictAnswer.MERGED) != bool(content and content.strip()):
        raise Invalid("content", "Give the text that says both, and only where the two are merged.")
    with within([conflict.space_id]):
        one_writer(conflict.person_id)
        held = _held(conflict)
        if held.answer:
            raise InConflict(f"This was answered already ({held.answer}); undo that first.")
        older, newer = (locked(held.space_id, memory) for memory in (held.older_id, held.newer_id))
        if older is None or newer is None or not (_stands(older) and _stands(newer)):
            raise InConflict("One of the two is gone or was replaced, so there is nothing to choose any more.")
        check_write(grant, newer)
        memory = _carried_out(holds, older, newer, content or "", author, now, encoder)
        held.answer, held.answered_at, held.answered_by = holds, now, author.label
        held.save(update_fields=["answer", "answered_at", "answered_by"])
        _log("answer_conflict", held, author, now)
        return Answered(held, memory)


def reopen(*, conflict: Conflict, grant: Grant, author: Author, now: datetime) -> Conflict:
    """Undoes an answer: both memories are as they were, if nothing changed them since, and the conflict waits again.
    Raises NotGranted where they are not the caller's to write."""
    with within([conflict.space_id]):
        one_writer(conflict.person_id)
        held = _held(conflict)
        both = [locked(held.space_id, memory) for memory in (held.newer_id, held.older_id)]
        for found in filter(None, both):
            check_write(grant, found)
        if not held.answer:
            return held
        for found in filter(None, both):
            if found.updated_at == held.answered_at:
                put_back(space=held.space_id, memory=found.id, author=author, now=now)
        held.answer, held.answered_at, held.answered_by = "", None, ""
        held.save(update_fields=["answer", "answered_at", "answered_by"])
        _log("reopen_conflict", held, author, now)
        return held


def replace_memory(old: At, new: Memory, author: Author, now: datetime) -> None:
    """Has a stored memory supersede another one of its level, if that one still holds. Expects the scope."""
    found = locked(old.space, old.id)
    if found is None or not _stands(found) or found.space_id != new.space_id:
        return
    supersede(found, new, author, now)
    Memory.objects.filter(space_id=new.space_id, id=new.id).update(supersedes=found.id)
    new.supersedes = found.id


def _carried_out(
    holds: ConflictAnswer, older: Memory, newer: Memory, content: str, author: Author, now: datetime, encoder: Encoder
) -> Memory:
    match holds:
        case ConflictAnswer.OLDEST:
            forget(at=At(newer.space_id, newer.id), author=author, now=now, reason=ANSWERED)
            return older
        case ConflictAnswer.NEWEST:
            supersede(older, newer, author, now)
        case ConflictAnswer.MERGED:
            supersede(older, newer, author, now)
            at = At(newer.space_id, newer.id)
            return edit(at=at, changes={"content": content}, author=author, now=now, encoder=encoder)
    return newer


def _held(conflict: Conflict) -> Conflict:
    rows = Conflict.objects.select_for_update(of=("self",)).select_related("person__space", "space")
    found = rows.filter(space_id=conflict.space_id, id=conflict.id).first()
    if found is None:
        raise NotFound
    return found


def _stands(memory: Memory) -> bool:
    return memory.status == Status.ACTIVE and memory.deleted_at is None


def _log(act: str, conflict: Conflict, author: Author, now: datetime) -> None:
    told = {"conflict": str(conflict.id), "answer": conflict.answer}
    event(act, told, author=author, now=now, space=conflict.space_id, person=conflict.person_id)
