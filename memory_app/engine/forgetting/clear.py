"""Clear: move all that a person had when they were asked, as far as it is reached from where, to tier 2."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from django.db.models import F

from memory_app.engine.author import Author
from memory_app.engine.change import one_writer, operation_of, version_of
from memory_app.engine.enter import Entered
from memory_app.engine.forgetting.forget import ASKED
from memory_app.engine.history import LEFT
from memory_app.engine.summing.retell import retell
from memory_app.engine.write_access import writable
from memory_app.models import Memory, Operation, Status, Version
from memory_app.models.memory import MemoryQuerySet
from memory_app.models.scope import within

AT_ONCE = 1_000
"""Rows that one statement writes."""


@dataclass(frozen=True, slots=True)
class Cleared:
    """How many memories went, and how many the person has here that were not among them."""

    gone: int
    left: int


def own(entered: Entered) -> MemoryQuerySet:
    """The person's own kept memories that may be seen from their venue, to be evaluated within its spaces."""
    return Memory.objects.kept().visible_from(entered.venue).filter(person=entered.person)


def removable_own(entered: Entered) -> MemoryQuerySet:
    """Of `own`, what whoever asks may take away: through a key of a space, only what lives there."""
    return writable(own(entered), entered.person, entered.grant, removes=True)


def there_at(entered: Entered, moment: datetime) -> list[UUID]:
    """Which of the person's own memories were kept here at a moment not long ago, gone or changed since or not; to be
    called within their spaces. What an import or a merge of people brought since may be among them: see `digest`."""
    rows = Memory.objects.visible_from(entered.venue).filter(person=entered.person)
    rows = writable(rows, entered.person, entered.grant, removes=True)
    same = rows.kept().filter(updated_at__lte=moment).values_list("id", flat=True)
    since = {row.id: row.visibility for row in rows.filter(updated_at__gt=moment).only("space_id", "id", "visibility")}
    past = Version.objects.filter(space_id__in=entered.venue.spaces, memory_id__in=list(since))
    then = past.filter(changed_at__lte=moment, replaced_at__gt=moment)
    changed = [
        one.memory_id
        for one in then
        if one.state["deleted_at"] is None and LEFT not in one.state and one.state["visibility"] == since[one.memory_id]
    ]
    return [*same, *changed]


def digest(memories: Iterable[UUID]) -> str:
    """By which one set of memories is told from any other, however many they are."""
    return sha256(b"".join(sorted(memory.bytes for memory in memories))).hexdigest()


def clear(
    *, entered: Entered, memories: Collection[UUID] | None = None, author: Author, now: datetime, reason: str = ASKED
) -> Cleared:
    """Forgets the person's own memories here, in one transaction: these, or all. Each can be restored."""
    with within(entered.venue.spaces):
        one_writer(entered.person.id)
        here = removable_own(entered).select_for_update(of=("self",)).defer("embedding", "tsv")
        rows = list(here if memories is None else here.filter(id__in=memories))
        for start in range(0, len(rows), AT_ONCE):
            _forget(rows[start : start + AT_ONCE], author, now, reason)
        retell([row for row in rows if row.space_id == entered.venue.home], now)
        return Cleared(len(rows), removable_own(entered).count())


def _forget(memories: Sequence[Memory], author: Author, now: datetime, reason: str) -> None:
    Version.objects.bulk_create([version_of(memory, now) for memory in memories])
    spaces, ids = {memory.space_id for memory in memories}, [memory.id for memory in memories]
    Memory.objects.filter(space_id__in=spaces, id__in=ids).update(
        version=F("version") + 1,
        updated_at=now,
        changed_by=author.label,
        status=Status.DELETED,
        deleted_at=now,
        deleted_by=author.label,
        delete_reason=reason,
    )
    Operation.objects.bulk_create([_operation(memory, author, now, reason) for memory in memories])


def _operation(memory: Memory, author: Author, now: datetime, reason: str) -> Operation:
    detail = {"version": memory.version + 1, "changed": ["delete_reason", "deleted_at", "status"], "reason": reason}
    return operation_of(memory, "forget", author, now, detail)
