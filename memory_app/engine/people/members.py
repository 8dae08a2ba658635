"""Members of a shared space: who belongs, and taking someone out or in again.

What is someone's own there stays theirs when they leave; of the space they see no more.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from memory_app.engine.audit.log import Author, log_event
from memory_app.errors import NotAllowed, NotFound
from memory_app.models import Membership, Person, Space, SpaceKind
from memory_app.rules.grant import Grant


def may_read_space(grant: Grant, space: str) -> bool:
    """Whether the caller may read what everyone in a space sees: where it is for some people, one of them belongs."""
    if not grant.reaches(space):
        return False
    if not grant.people:
        return True
    rows = Membership.objects.filter(space__name=space, space__kind=SpaceKind.SHARED, person__name__in=grant.people)
    if rows.filter(left_at=None).exists():
        return True
    return not grant.only_where_members and not rows.exists()


def members_of(*, space: str, grant: Grant) -> Sequence[Membership]:
    """Who belongs to a space now, by name. Raises NotAllowed where the caller may not read it, NotFound where there is
    none."""
    if not may_read_space(grant, space):
        raise NotAllowed(f"This key may not read the space {space!r}.")
    rows = Membership.objects.filter(space=_shared_space(space), left_at=None)
    return list(rows.select_related("person").order_by("person__name"))


def remove_member(*, space: str, person: str, grant: Grant, author: Author, now: datetime) -> None:
    """From now on the person neither sees the space nor speaks there. Raises NotFound for who does not belong to it,
    NotAllowed where the caller speaks for neither."""
    if not grant.allows(person, space):
        raise NotAllowed(f"This key may not remove {person!r} from the space {space!r}.")
    with transaction.atomic():
        found = _lock_membership(_shared_space(space), person)
        if found is None or found.left_at is not None:
            raise NotFound(f"{person!r} does not belong to the space {space!r}.")
        _set_left(found, now)
        _log_membership("remove member", found, author, now)


def admit_member(*, space: str, person: str, grant: Grant, author: Author, now: datetime) -> Membership:
    """A person who is known belongs to the space, also one who was removed. Raises NotAllowed where the caller may not
    say so, NotFound where there is no such space or person."""
    if not grant.may_enter(person, space, member=False):
        raise NotAllowed(f"This key may not make {person!r} a member of the space {space!r}.")
    with transaction.atomic():
        space_row, person_row = _shared_space(space), Person.objects.filter(name=person).first()
        if person_row is None:
            raise NotFound(f"Nothing is known of a person {person!r}.")
        found = (
            _lock_membership(space_row, person)
            or Membership.objects.get_or_create(space=space_row, person=person_row)[0]
        )
        if found.left_at is not None:
            _set_left(found, None)
        _log_membership("admit member", found, author, now)
        return found


def _shared_space(name: str) -> Space:
    found = Space.objects.filter(kind=SpaceKind.SHARED, name=name).first()
    if found is None:
        raise NotFound(f"Nothing is known of a space {name!r}.")
    return found


def _lock_membership(space: Space, person: str) -> Membership | None:
    rows = Membership.objects.select_for_update(of=("self",)).select_related("person")
    return rows.filter(space=space, person__name=person).first()


def _set_left(membership: Membership, at: datetime | None) -> None:
    membership.left_at = at
    Membership.objects.filter(space_id=membership.space_id, person_id=membership.person_id).update(left_at=at)


def _log_membership(act: str, membership: Membership, author: Author, now: datetime) -> None:
    log_event(act, author=author, now=now, space=membership.space_id, person=membership.person_id)
