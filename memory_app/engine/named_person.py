"""Who has a name, and in which shared spaces they ever were: read in one statement, with the key of the request if need
be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Self
from uuid import UUID

from django.db.models import F

from memory_app.models import COMMONS, ApiKey, Membership, Person
from memory_app.models.api_key import hash_token, key_by_hash
from memory_app.postgres.fast.binary_protocol import fetch_tuples
from memory_app.postgres.fast.prepared_query import PreparedPair, PreparedQuery, parametrised_sql

Spaces = Mapping[UUID, tuple[str, bool]]
"""Shared spaces that someone was ever in: id to name, and whether they left."""


@dataclass(frozen=True, slots=True)
class NamedPerson:
    """Who has a name, with their shared spaces. person: None for a name that nobody has."""

    name: str
    person: Person | None = None
    spaces: Spaces = field(default_factory=dict)

    @classmethod
    def of_rows(cls, name: str, rows: Sequence[Any]) -> Self:
        """rows: of `_person_by_name`."""
        if not rows:
            return cls(name)
        spaces = {row.shared_space: (row.shared_name, row.left_at is not None) for row in rows if row.shared_space}
        return cls(name, rows[0], spaces)


def find_person(name: str) -> NamedPerson:
    return NamedPerson.of_rows(name, _person_by_name().all(name=name))


def find_key_and_person(token: str, name: str, now: datetime) -> tuple[ApiKey | None, NamedPerson | None]:
    """The usable key that a token stands for, and who has the name; nobody without a key."""
    rows = _key_and_person().all(hash=hash_token(token), now=now, name=name)
    if not rows:
        return None, None
    return rows[0][0], NamedPerson.of_rows(name, [person for _, person in rows if person is not None])


def spaces_by_id(person: Person) -> Spaces:
    """The shared spaces of someone whose name was not asked for."""
    if person._state.adding:
        return {}
    rows = fetch_tuples(_memberships_sql(), {"person": person.id})
    return {space: (name, left is not None) for space, name, left in rows}


@cache
def _person_by_name() -> PreparedQuery[Person]:
    """The person once for each shared space they were ever in, or once where there is none."""
    spaces = {"shared_space": "space_id", "shared_name": "space__name", "left_at": "left_at"}
    rows = Person.objects.filter(name="any").annotate(**{name: F(f"memberships__{of}") for name, of in spaces.items()})
    return PreparedQuery(rows, {"name": "any"}, related=["space"], annotations=tuple(spaces))


@cache
def _key_and_person() -> PreparedPair[ApiKey, Person]:
    return PreparedPair(key_by_hash(), _person_by_name())


@cache
def _memberships_sql() -> str:
    rows = Membership.objects.filter(person=COMMONS).values_list("space_id", "space__name", "left_at")
    return parametrised_sql(rows, lambda value: "person" if value == COMMONS else None)
