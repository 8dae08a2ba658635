"""Enter a venue: turn the names a caller uses for a person and a place into ids, making them at first use."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from uuid import UUID

from django.db import IntegrityError, transaction

from memory_app.engine.logbook.spoken_of import note
from memory_app.errors import Invalid, NotFound, NotGranted
from memory_app.models import COMMONS, Channel, Membership, Person, Space, SpaceKind
from memory_app.models.as_sql import named as written
from memory_app.models.scope import within
from memory_app.models.wire import rows_of
from memory_app.models.written import Written
from memory_app.rules.grant import EVERYTHING, Grant, Write
from memory_app.rules.person_name import is_addressable
from memory_app.rules.visibility import Venue, Visibility

CALL_OTHERWISE = "Put something else than slashes and dots there."


@dataclass(frozen=True, slots=True)
class Place:
    """Where words are spoken, by the caller's own names. `named`: a space a private request asks about."""

    space: str | None = None
    channel: str | None = None
    restricted: bool = False
    named: str | None = None


@dataclass(frozen=True, slots=True)
class Entered:
    """A person in a venue."""

    person: Person
    venue: Venue
    place: Place
    grant: Grant = EVERYTHING
    space: Space | None = None
    channel: Channel | None = None

    @property
    def stranger(self) -> bool:
        """Whether the person is nobody yet, and nothing can be kept of them."""
        return self.person._state.adding

    def may_write(self, level: Visibility) -> bool:
        """Whether the caller may write what is said here at this level."""
        belongs = self.venue.space is not None and self.venue.space in self.venue.member
        return self.grant.may_write(Write(self.person.name, level, self.place.space, member=belongs))

    def room(self, space: UUID) -> Space:
        """The row of a space that a memory said here may live in."""
        if space == COMMONS:
            return Space(id=COMMONS, kind=SpaceKind.COMMONS)
        return self.space if self.space and self.space.id == space else self.person.space


PRIVATE = Place()


def enter(
    *,
    person: str,
    place: Place = PRIVATE,
    grant: Grant = EVERYTHING,
    create: bool = True,
    visit: bool = False,
    as_user: bool = False,
) -> Entered:
    """The venue of a person at a place.

    create: False for reads that must leave no trace; an unknown person is then not found. visit: for such reads that
    are to find nothing instead: whom and what nobody knows is stood in for, and not stored. as_user: whoever was merged
    into another one is that one, where the grant reaches both; a grant of the guest alone stays the guest's.
    Raises Invalid for a place that is no place, NotGranted where the grant does not reach, NotFound as above.
    """
    _check(place)
    if not grant.allows(person, place.space):
        raise not_granted(person, place.space)
    only_members = bool(place.space) and grant.only_where_members
    # Whether there is such a space is not for such a key to know, and its people come into being elsewhere.
    row = _visitor(person) if visit or only_members else _person(person, create)
    if as_user:
        row = user_of(row, lambda user: _reaches(user, place, grant))
    memberships = _memberships(row, grant)
    if only_members and not any(name == place.space for name, _ in memberships.values()):
        raise not_granted(person, place.space)
    if not row._state.adding:
        note(row.id, row.space_id)
    space = (_visited(place.space) if visit else _space(place.space, create)) if place.space else None
    if space:
        _belong(row, space, memberships, create and not visit)
    channel = _channel(space, place, create, visit) if space and place.channel else None
    venue = Venue(
        person=row.id,
        home=row.space_id,
        commons=COMMONS,
        space=space.id if space else None,
        channel=channel.id if channel else None,
        restricted=bool(channel and channel.restricted),
        own=frozenset(memberships),
        member=frozenset(at for at, (_, left) in memberships.items() if not left),
        named=next((at for at, (name, _) in memberships.items() if place.named and name == place.named), None),
    )
    return Entered(row, venue, place, grant, space, channel)


def not_granted(person: str, space: str | None) -> NotGranted:
    where = f" in the space {space!r}" if space else " in private"
    return NotGranted(f"This key may not speak for {person!r}{where}. Use a key that was granted both.")


def _check(place: Place) -> None:
    if place.channel and not place.space:
        raise Invalid("venue.channel", "A channel is a place in a space: name the space too.")
    if place.restricted and not place.channel:
        raise Invalid("venue.restricted", "A restricted venue needs the name of its channel.")


def _visitor(name: str) -> Person:
    return _named().first(name=name) or Person(name=name, space=Space(kind=SpaceKind.PERSONAL))


def _visited(name: str) -> Space:
    return _known_space().first(name=name) or Space(kind=SpaceKind.SHARED, name=name)


def _person(name: str, create: bool) -> Person:
    found = _named().first(name=name)
    if found:
        return found
    if not create:
        raise NotFound(f"Nothing is known of a person {name!r}.")
    if not is_addressable(name):
        raise Invalid("person", f"{name!r} is no name for a person: /people/{name} is another's. {CALL_OTHERWISE}")
    try:
        with transaction.atomic():
            own = Space.objects.create(kind=SpaceKind.PERSONAL)
            return Person.objects.create(name=name, space=own)
    except IntegrityError:  # another request was first
        return Person.objects.get(name=name)


def user_of(guest: Person, reaches: Callable[[Person], bool]) -> Person:
    """Who goes on for a guest: the last of those who were merged one into the next, as far as the grant reaches."""
    user, seen = guest, {guest.id}
    while user.merged_into and user.merged_into not in seen:
        seen.add(user.merged_into)
        following = Person.objects.select_related("space").filter(id=user.merged_into).first()
        if following is None or not reaches(following):
            break
        user = following
    return user


def _reaches(user: Person, place: Place, grant: Grant) -> bool:
    """Whether the grant lets its caller speak for the user at the place, as for anyone it names."""
    if not grant.allows(user.name, place.space):
        return False
    here = (name for name, _ in _memberships(user, grant).values())
    return not (place.space and grant.only_where_members) or place.space in here


@cache
def _named() -> Written[Person]:
    return Written(Person.objects.filter(name="any"), {"name": "any"}, beside=["space"])


def _memberships(person: Person, grant: Grant) -> dict[UUID, tuple[str, bool]]:
    """The shared spaces of a person that the grant reaches: id to name, and whether they left."""
    rows = rows_of(_spaces_of(), {"person": person.id})
    return {space: (name, left is not None) for space, name, left in rows if grant.reaches(name)}


@cache
def _spaces_of() -> str:
    rows = Membership.objects.filter(person=COMMONS).values_list("space_id", "space__name", "left_at")
    return written(rows, lambda value: "person" if value == COMMONS else None)


@cache
def _known_space() -> Written[Space]:
    return Written(Space.objects.filter(kind=SpaceKind.SHARED, name="any"), {"name": "any"})


def _space(name: str, create: bool) -> Space:
    found = _known_space().first(name=name)
    if found:
        return found
    if not create:
        raise NotFound(f"Nothing is known of a space {name!r}.")
    try:
        with transaction.atomic():
            return Space.objects.create(kind=SpaceKind.SHARED, name=name)
    except IntegrityError:
        return Space.objects.get(kind=SpaceKind.SHARED, name=name)


def _belong(person: Person, space: Space, memberships: dict[UUID, tuple[str, bool]], create: bool) -> None:
    """Speaking in a space makes one a member; one who was removed does not come back by speaking."""
    name, left = memberships.get(space.id, (space.name, False))
    if left:
        raise NotGranted(f"{person.name!r} no longer belongs to the space {name!r}.")
    if space.id not in memberships and create:
        Membership.objects.get_or_create(space=space, person=person)
        memberships[space.id] = (name, False)


def _channel(space: Space, place: Place, create: bool, visit: bool) -> Channel:
    with within([space.id]):
        found = Channel.objects.filter(space_id=space.id, name=place.channel).first()
        if visit:
            found = found or Channel(space=space, name=place.channel or "")
            found.restricted = found.restricted or place.restricted
            return found
        if found is None and not create:
            raise NotFound(f"Nothing is known of a channel {place.channel!r}.")
        if found is None:
            found, _ = Channel.objects.get_or_create(
                space=space, name=place.channel, defaults={"restricted": place.restricted}
            )
        if place.restricted and not found.restricted:
            found.restricted = True
            Channel.objects.filter(space=space, id=found.id).update(restricted=True)
        return found
