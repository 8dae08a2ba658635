"""The log (tier 3): entries for what was done and by whom, and the search through them for super users."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict, Unpack
from uuid import UUID

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from memory_app.models import COMMONS, Membership, Memory, Operation, Person
from memory_app.models.row_security import allowed_spaces


@dataclass(frozen=True, slots=True)
class Author:
    """A key, a signed-in user, a job, a command or a language model; `request` ties together what one request did, and
    `run` what one reading of a conversation did, within a request or not."""

    kind: Literal["key", "user", "job", "command", "model"]
    name: str
    request: str = ""
    run: str = ""

    @property
    def label(self) -> str:
        return f"{self.kind}:{self.name}"


@dataclass(frozen=True, slots=True)
class LogFilters:
    """What the log is narrowed to; None or empty means any. text: in who, what, the detail, or an id."""

    operation: str = ""
    decision: str = ""
    person: str = ""
    author: str = ""
    memory: UUID | None = None
    request: str = ""
    since: datetime | None = None
    until: datetime | None = None
    text: str = ""


def search_log(filters: LogFilters, now: datetime) -> QuerySet[Operation]:
    """Entries of all spaces, to be evaluated within `every_space()`, for those who may see all of it."""
    rows: QuerySet[Operation] = Operation.objects.retained(now)
    if filters.operation:
        rows = rows.filter(name=filters.operation)
    if filters.decision:
        rows = rows.filter(detail__decision=filters.decision)
    if filters.author:
        rows = rows.filter(author=filters.author)
    if filters.memory:
        rows = rows.filter(memory_id=filters.memory)
    if filters.request:
        rows = rows.filter(request_id=filters.request)
    if filters.since:
        rows = rows.filter(at__gte=filters.since)
    if filters.until:
        rows = rows.filter(at__lt=filters.until)
    if filters.person:
        rows = _entries_of_person(rows, filters.person)
    return rows.filter(entries_containing(filters.text)) if filters.text.strip() else rows


def entries_containing(text: str) -> Q:
    """Entries that hold a text, or that are about the memory, request or person whose id it is."""
    text = text.strip()
    try:
        memory_id = UUID(text)
    except ValueError:
        pass
    else:
        return Q(memory_id=memory_id) | Q(person_id=memory_id) | Q(id=memory_id) | Q(request_id=text)
    rows = Operation.objects.annotate(detail_text=Cast("detail", TextField())).filter(detail_text__icontains=text)
    within_detail = Q(pk__in=rows.values("pk"))
    return Q(name__icontains=text) | Q(author__icontains=text) | Q(request_id=text) | within_detail


def _entries_of_person(rows: QuerySet[Operation], name: str) -> QuerySet[Operation]:
    """What concerns a person: naming the spaces they are in lets the database read only those."""
    person = Person.objects.filter(name=name).first()
    if person is None:
        return rows.none()
    elsewhere = Membership.objects.filter(person=person).values_list("space_id", flat=True)
    return rows.filter(person_id=person.id, space_id__in=[person.space_id, COMMONS, *elsewhere])


class EventFields(TypedDict):
    """Who did it, when, and of whom; in whose space it is told."""

    author: Author
    now: datetime
    space: NotRequired[UUID]
    person: NotRequired[UUID | None]
    memory: NotRequired[UUID | None]


def log_event(operation: str, detail: Mapping[str, Any] | None = None, **fields: Unpack[EventFields]) -> None:
    """Writes an entry for what was done to no memory, in the transaction of what it tells of. detail: ids, counts and
    names of settings, no one's words."""
    row = log_entry(operation, detail, **fields)
    with allowed_spaces([row.space_id], savepoint=False):
        row.save(force_insert=True)


def log_entry(operation: str, detail: Mapping[str, Any] | None = None, **fields: Unpack[EventFields]) -> Operation:
    """An unsaved entry, for whoever stores it together with what it tells of."""
    author = fields["author"]
    return Operation(
        space_id=fields.get("space", COMMONS),
        at=fields["now"],
        name=operation,
        author=author.label,
        person_id=fields.get("person"),
        memory_id=fields.get("memory"),
        request_id=author.request,
        detail=dict(detail or {}),
    )


def log_operation(memory: Memory, operation: str, author: Author, now: datetime, detail: dict[str, Any]) -> None:
    """Writes to the log what was done to a memory."""
    operation_entry(memory, operation, author, now, detail).save(force_insert=True)


def operation_entry(memory: Memory, operation: str, author: Author, now: datetime, detail: dict[str, Any]) -> Operation:
    """An unsaved log entry of what was done to a memory."""
    full_detail = {**detail, "run": author.run} if author.run else detail
    return log_entry(
        operation, full_detail, author=author, now=now, space=memory.space_id, person=memory.person_id, memory=memory.id
    )
