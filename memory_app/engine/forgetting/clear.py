"""Clear: move all that a person has, as far as it is reached from where they ask, to tier 2."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import F

from ...models import Memory, Operation, Status, Version
from ...models.memory import MemoryQuerySet
from ...models.scope import within
from ..author import Author
from ..change import one_writer, operation_of, version_of
from ..enter import Entered
from ..summing.retell import retell
from .forget import ASKED

AT_ONCE = 1_000
"""Rows that one statement writes."""


def own(entered: Entered) -> MemoryQuerySet:
    """The person's own kept memories that may be seen from their venue, to be evaluated within its spaces."""
    return Memory.objects.kept().visible_from(entered.venue).filter(person=entered.person)


def clear(*, entered: Entered, author: Author, now: datetime, reason: str = ASKED) -> int:
    """Forgets all of a person's own memories, in one transaction; returns how many. Each can be restored."""
    with within(entered.venue.spaces):
        one_writer(entered.person.id)
        rows = list(own(entered).select_for_update(of=("self",)).defer("embedding", "tsv"))
        for start in range(0, len(rows), AT_ONCE):
            _forget(rows[start : start + AT_ONCE], author, now, reason)
        retell([row for row in rows if row.space_id == entered.venue.home], now)
    return len(rows)


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
