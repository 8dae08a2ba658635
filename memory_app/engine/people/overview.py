"""An overview of people, as far as a key reaches: their names, and how much is kept of each, in one statement."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Max, Min, Q

from memory_app.engine.write_access import SHARED
from memory_app.models import Memory, Person
from memory_app.models.memory import MemoryQuerySet
from memory_app.models.row_security import every_space
from memory_app.rules.grant import Grant


@dataclass(frozen=True, slots=True)
class PersonTotal:
    """How many memories of a person hold now, the first and the last change of them."""

    id: UUID
    name: str
    memories: int
    first: datetime
    latest: datetime


def totals_by_person(
    grant: Grant, now: datetime, *, offset: int = 0, limit: int | None = None
) -> tuple[Sequence[PersonTotal], int]:
    """Everyone of whom the grant reaches a memory, by name: a page of them, and how many they are in all."""
    with every_space():
        rows = _within_grant(Memory.objects.current(now), grant)
        total = rows.aggregate(people=Count("person_id", distinct=True))["people"]
        counted = rows.values_list("person_id", "person__name").annotate(
            n=Count("id"), first=Min("created_at"), latest=Max("updated_at")
        )
        ordered = counted.order_by("person__name")
        return [PersonTotal(*row) for row in ordered[offset : None if limit is None else offset + limit]], total


def names_within(grant: Grant, *, limit: int) -> list[str]:
    """The names of the people for whom the grant speaks in private, by name."""
    if not grant.people and grant.spaces:
        return []
    people = Person.objects.filter(name__in=grant.people) if grant.people else Person.objects.all()
    return list(people.filter(merged_into=None).order_by("name").values_list("name", flat=True)[:limit])


def _within_grant(rows: MemoryQuerySet, grant: Grant) -> MemoryQuerySet:
    """As `Grant.allows` has it of each row."""
    if grant.people:
        rows = rows.filter(person__name__in=grant.people)
    if not grant.spaces:
        return rows
    reached = Q(visibility__in=SHARED, space__name__in=grant.spaces)
    return rows.filter(reached | ~Q(visibility__in=SHARED) if grant.people else reached)
