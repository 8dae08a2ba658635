"""Write access: whether a caller may write what is stored already. The decision is `rules.grant.Grant.may_write`."""

from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Q

from memory_app.errors import NotAllowed
from memory_app.models import Conversation, Entity, Membership, Memory, Person, Proposal, Space
from memory_app.models.entity import EntityQuerySet
from memory_app.models.memory import MemoryQuerySet
from memory_app.rules.grant import Grant, Write
from memory_app.rules.visibility import Visibility

NOT_WRITABLE = "This key may not write this at the level {!r}."
NOT_SETTABLE = "This key may not change the settings of {!r}: that takes a key that was granted them."
NOT_WHOLE = "This takes a key that was granted {!r} wherever they speak, not in some spaces alone."

SHARED = (Visibility.CHANNEL, Visibility.SPACE)
"""The levels that live in a shared space."""

Row = Memory | Proposal | Conversation | Entity
Rows = TypeVar("Rows", MemoryQuerySet, EntityQuerySet)


def may_write(
    grant: Grant, row: Row, *, to: Visibility | None = None, space: Space | None = None, removes: bool = False
) -> bool:
    """Whether a row may be changed, moved to another level and space, or only taken away. Expects its names loaded."""
    level = Visibility(row.visibility)
    target_space = space or row.space
    write = Write(
        person=row.person.name,
        level=to or level,
        space=target_space.name or None,
        member=grant.only_where_members and not removes and is_member(row.person_id, target_space.id),
        was=level,
        removes=removes,
    )
    return grant.may_write(write)


def check_write(
    grant: Grant, row: Row, *, to: Visibility | None = None, space: Space | None = None, removes: bool = False
) -> None:
    """Raises NotAllowed where `may_write` says no."""
    if not may_write(grant, row, to=to, space=space, removes=removes):
        raise NotAllowed(NOT_WRITABLE.format(str(to or row.visibility)))


def check_settings(grant: Grant, person: Person) -> None:
    """Raises NotAllowed where the settings of a person, which hold everywhere, are not the caller's to change."""
    if not grant.may_write(Write(person.name)):
        raise NotAllowed(NOT_SETTABLE.format(person.name))


def check_all_of(grant: Grant, person: str) -> None:
    """Raises NotAllowed where the caller may not write all that is a person's, in every space."""
    if not grant.may_write_all_of(person):
        raise NotAllowed(NOT_WHOLE.format(person))


def writable(rows: Rows, person: Person, grant: Grant, *, removes: bool = False) -> Rows:
    """Of the memories or entities of a person, those that the caller may change, or only take away."""
    if grant.unlimited:
        return rows
    levels = [level for level in Visibility if level not in SHARED]
    own_levels = [level for level in levels if grant.may_write(Write(person.name, level, removes=removes))]
    shared_filter: dict[str, Any] = {"visibility__in": SHARED}
    if grant.spaces:
        shared_filter["space__name__in"] = sorted(grant.spaces)
    elif not removes:
        joined = Membership.objects.filter(person_id=person.id, left_at=None)
        shared_filter["space_id__in"] = joined.values("space_id")
    shared = Q(**shared_filter) if grant.speaks_for(person.name) else Q(pk__in=[])
    return rows.filter(Q(visibility__in=own_levels) | shared)


def is_member(person: UUID, space: UUID) -> bool:
    return Membership.objects.filter(person_id=person, space_id=space, left_at=None).exists()
