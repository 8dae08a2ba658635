"""Clear: move all that a person had when they were asked, as far as it is reached from where, to tier 2."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

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


@dataclass(frozen=True, slots=True)
class Cleared:
    """How many memories went, and how many the person has here that were not among them."""

    gone: int
    left: int


def own(entered: Entered) -> MemoryQuerySet:
    """The person's own kept memories that may be seen from their venue, to be evaluated within its spaces."""
    return Memory.objects.kept().visible_from(entered.venue).filter(person=entered.person)


def clear(
    *, entered: Entered, memories: Collection[UUID] | None = None, author: Author, now: datetime, reason: str = ASKED
) -> Cleared:
    """Forgets the person's own memories here, in one transaction: these, or all. Each can be restored."""
    with within(entered.venue.spaces):
        one_writer(entered.person.id)
        here = own(entered).select_for_update(of=("self",)).defer("embedding", "tsv")
        rows = list(here if memories is None else here.filter(id__in=memories))
        for start in range(0, len(rows), AT_ONCE):
            _forget(rows[start : start + AT_ONCE], author, now, reason)
        retell([row for row in rows if row.space_id == entered.venue.home], now)
        return Cleared(len(rows), own(entered).count())


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
