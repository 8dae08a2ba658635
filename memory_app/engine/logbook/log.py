"""Log: tier 3 as super users read it, newest first, narrowed to what they look for."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from memory_app.models import COMMONS, Membership, Operation, Person


@dataclass(frozen=True, slots=True)
class Sought:
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


def log(sought: Sought, now: datetime) -> QuerySet[Operation]:
    """Entries of all spaces, to be evaluated within `every_space()`, for those who may see all of it."""
    rows: QuerySet[Operation] = Operation.objects.retained(now)
    if sought.operation:
        rows = rows.filter(name=sought.operation)
    if sought.decision:
        rows = rows.filter(detail__decision=sought.decision)
    if sought.author:
        rows = rows.filter(author=sought.author)
    if sought.memory:
        rows = rows.filter(memory_id=sought.memory)
    if sought.request:
        rows = rows.filter(request_id=sought.request)
    if sought.since:
        rows = rows.filter(at__gte=sought.since)
    if sought.until:
        rows = rows.filter(at__lt=sought.until)
    if sought.person:
        rows = _of_person(rows, sought.person)
    return rows.filter(says(sought.text)) if sought.text.strip() else rows


def says(text: str) -> Q:
    """Entries that hold a text, or that are about the memory, request or person whose id it is."""
    text = text.strip()
    try:
        named = UUID(text)
    except ValueError:
        pass
    else:
        return Q(memory_id=named) | Q(person_id=named) | Q(id=named) | Q(request_id=text)
    rows = Operation.objects.annotate(told=Cast("detail", TextField())).filter(told__icontains=text)
    within_detail = Q(pk__in=rows.values("pk"))
    return Q(name__icontains=text) | Q(author__icontains=text) | Q(request_id=text) | within_detail


def _of_person(rows: QuerySet[Operation], name: str) -> QuerySet[Operation]:
    """What concerns a person: naming the spaces they are in lets the database read only those."""
    person = Person.objects.filter(name=name).first()
    if person is None:
        return rows.none()
    elsewhere = Membership.objects.filter(person=person).values_list("space_id", flat=True)
    return rows.filter(person_id=person.id, space_id__in=[person.space_id, COMMONS, *elsewhere])
