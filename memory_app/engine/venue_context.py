"""Resolve a venue: the person, space and channel that a caller names, made at first use; or those of a conversation."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from uuid import UUID

from django.db import IntegrityError, transaction

from memory_app.engine.audit.request_log import note_person
from memory_app.engine.named_person import NamedPerson, find_person, spaces_by_id
from memory_app.errors import Invalid, NotAllowed, NotFound
from memory_app.models import COMMONS, Channel, Conversation, Membership, Person, Space, SpaceKind
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp import linear_re as re
from memory_app.postgres.fast.prepared_query import PreparedQuery
from memory_app.rules.grant import EVERYTHING, Grant, Write
from memory_app.rules.visibility import Venue, Visibility

NAME_HINT = "Put something else than slashes and dots there."

_ADDRESS_BELOW_A_PERSON = re.compile(
    r"(?s).+/(?:stats|export|runs|profile\.md|merge|merge/undo|(?:notes|documents)(?:/[^/]+)?)\Z"
)
"""`/people/x/stats` is the address of x's statistics. A web server decodes a slash before anyone can tell a name from
what follows it, so nothing of a person called "x/stats" could be read, changed or erased by name."""

_DOTS = re.compile(r"(?:^|/)\.\.?(?:/|$)")
"""Clients take these out of an address before they send it: `/people/a/../b` is that of b."""


@dataclass(frozen=True, slots=True)
class VenueNames:
    """Where words are spoken, by the caller's own names. `named`: a space a private request asks about."""

    space: str | None = None
    channel: str | None = None
    restricted: bool = False
    named: str | None = None


@dataclass(frozen=True, slots=True)
class VenueContext:
    """A person in a venue."""

    person: Person
    venue: Venue
    place: VenueNames
    grant: Grant = EVERYTHING
    space: Space | None = None
    channel: Channel | None = None

    @property
    def is_unknown(self) -> bool:
        """Whether the person is nobody yet, and nothing can be kept of them."""
        return self.person._state.adding

    def may_write(self, level: Visibility) -> bool:
        """Whether the caller may write what is said here at this level."""
        belongs = self.venue.space is not None and self.venue.space in self.venue.member
        return self.grant.may_write(Write(self.person.name, level, self.place.space, member=belongs))

    def space_row(self, space: UUID) -> Space:
        """The row of a space that a memory said here may live in."""
        if space == COMMONS:
            return Space(id=COMMONS, kind=SpaceKind.COMMONS)
        return self.space if self.space and self.space.id == space else self.person.space


PRIVATE_VENUE = VenueNames()


def resolve_venue(
    *,
    person: str,
    place: VenueNames = PRIVATE_VENUE,
    grant: Grant = EVERYTHING,
    create: bool = True,
    allow_unknown: bool = False,
    follow_merges: bool = False,
    found: NamedPerson | None = None,
) -> VenueContext:
    """The venue of a person at a place.

    create: False for reads, which must leave no trace; an unknown person is then not found.
    allow_unknown: for reads that are to find nothing instead: unknown people and spaces are unsaved rows.
    follow_merges: a guest who was merged into a user is that user, where the grant reaches both.
    found: the person of this name, where a caller read them a moment ago.
    Raises Invalid for a place that is no place, NotAllowed where the grant does not reach, NotFound as above.
    """
    _check_names(place)
    if not grant.allows(person, place.space):
        raise not_granted(person, place.space)
    only_members = bool(place.space) and grant.only_where_members
    # Whether there is such a space is not for such a key to know, and its people come into being elsewhere.
    found = found if found and found.name == person else find_person(person)
    row = found.person or _new_person(person, create, only_in_mind=allow_unknown or only_members)
    if follow_merges and row.merged_into:
        row = merged_person(row, lambda user: _grant_reaches(user, place, grant))
    spaces = found.spaces if row is found.person else spaces_by_id(row)
    memberships = {at: (name, left) for at, (name, left) in spaces.items() if grant.reaches(name)}
    if only_members and not any(name == place.space for name, _ in memberships.values()):
        raise not_granted(person, place.space)
    if not row._state.adding:
        note_person(row.id, row.space_id)
    space = (
        (_space_or_unsaved(place.space) if allow_unknown else _get_or_create_space(place.space, create))
        if place.space
        else None
    )
    if space:
        _join_space(row, space, memberships, create and not allow_unknown)
    channel = _get_or_create_channel(space, place, create, allow_unknown) if space and place.channel else None
    named = next((at for at, (name, _) in memberships.items() if place.named and name == place.named), None)
    return VenueContext(row, _venue(row, space, channel, memberships, named), place, grant, space, channel)


def _venue(
    person: Person,
    space: Space | None,
    channel: Channel | None,
    memberships: dict[UUID, tuple[str, bool]],
    named: UUID | None,
) -> Venue:
    return Venue(
        person=person.id,
        home=person.space_id,
        commons=COMMONS,
        space=space.id if space else None,
        channel=channel.id if channel else None,
        restricted=bool(channel and channel.restricted),
        own=frozenset(memberships),
        member=frozenset(at for at, (_, left) in memberships.items() if not left),
        named=named,
    )


def is_addressable(name: str) -> bool:
    """Whether `/people/{name}`, and each address below it, is that person's alone."""
    return not _ADDRESS_BELOW_A_PERSON.match(name) and not _DOTS.search(name)


def not_granted(person: str, space: str | None) -> NotAllowed:
    where = f" in the space {space!r}" if space else " in private"
    return NotAllowed(f"This key may not speak for {person!r}{where}. Use a key that was granted both.")


def _check_names(place: VenueNames) -> None:
    if place.channel and not place.space:
        raise Invalid("venue.channel", "A channel is a place in a space: name the space too.")
    if place.restricted and not place.channel:
        raise Invalid("venue.restricted", "A restricted venue needs the name of its channel.")


def _space_or_unsaved(name: str) -> Space:
    return _space_by_name().first(name=name) or Space(kind=SpaceKind.SHARED, name=name)


def _new_person(name: str, create: bool, *, only_in_mind: bool) -> Person:
    """Someone whom nobody spoke of before. only_in_mind: not stored."""
    if only_in_mind:
        return Person(name=name, space=Space(kind=SpaceKind.PERSONAL))
    if not create:
        raise NotFound(f"Nothing is known of a person {name!r}.")
    if not is_addressable(name):
        raise Invalid("person", f"{name!r} is no name for a person: /people/{name} is another's. {NAME_HINT}")
    try:
        with transaction.atomic():
            own = Space.objects.create(kind=SpaceKind.PERSONAL)
            return Person.objects.create(name=name, space=own)
    except IntegrityError:  # another request was first
        return Person.objects.get(name=name)


def merged_person(guest: Person, reaches: Callable[[Person], bool]) -> Person:
    """Who goes on for a guest: the last of those who were merged one into the next, as far as the grant reaches."""
    user, seen = guest, {guest.id}
    while user.merged_into and user.merged_into not in seen:
        seen.add(user.merged_into)
        following = Person.objects.select_related("space").filter(id=user.merged_into).first()
        if following is None or not reaches(following):
            break
        user = following
    return user


def _grant_reaches(user: Person, place: VenueNames, grant: Grant) -> bool:
    """Whether the grant lets its caller speak for the user at the place, as for anyone it names."""
    if not grant.allows(user.name, place.space):
        return False
    here = (name for name, _ in spaces_by_id(user).values() if grant.reaches(name))
    return not (place.space and grant.only_where_members) or place.space in here


@cache
def _space_by_name() -> PreparedQuery[Space]:
    return PreparedQuery(Space.objects.filter(kind=SpaceKind.SHARED, name="any"), {"name": "any"})


def _get_or_create_space(name: str, create: bool) -> Space:
    found = _space_by_name().first(name=name)
    if found:
        return found
    if not create:
        raise NotFound(f"Nothing is known of a space {name!r}.")
    try:
        with transaction.atomic():
            return Space.objects.create(kind=SpaceKind.SHARED, name=name)
    except IntegrityError:
        return Space.objects.get(kind=SpaceKind.SHARED, name=name)


def _join_space(person: Person, space: Space, memberships: dict[UUID, tuple[str, bool]], create: bool) -> None:
    """Speaking in a space makes one a member; one who was removed does not come back by speaking."""
    name, left = memberships.get(space.id, (space.name, False))
    if left:
        raise NotAllowed(f"{person.name!r} no longer belongs to the space {name!r}.")
    if space.id not in memberships and create:
        Membership.objects.get_or_create(space=space, person=person)
        memberships[space.id] = (name, False)


def _get_or_create_channel(space: Space, place: VenueNames, create: bool, allow_unknown: bool) -> Channel:
    with allowed_spaces([space.id]):
        found = Channel.objects.filter(space_id=space.id, name=place.channel).first()
        if allow_unknown:
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


def conversation_venue(conversation: Conversation, grant: Grant = EVERYTHING) -> VenueContext:
    """The person in the venue where the conversation is held. Expects person, their space, space and channel loaded.

    grant: of whoever asks for what happens; the worker's own is not limited.
    """
    person = conversation.person
    if conversation.visibility == Visibility.PRIVATE:
        own, member = _spaces_of_person(conversation)
        venue = Venue(person=person.id, home=person.space_id, commons=COMMONS, own=own, member=member)
        return VenueContext(person, venue, VenueNames(), grant)
    channel = conversation.channel
    own, member = _spaces_of_person(conversation) if grant.only_where_members else (frozenset(), frozenset())
    venue = Venue(
        person=person.id,
        home=person.space_id,
        commons=COMMONS,
        space=conversation.space_id,
        channel=conversation.channel_id,
        restricted=channel is not None,
        own=own,
        member=member,
    )
    place = VenueNames(conversation.space.name, channel.name if channel else None, channel is not None)
    return VenueContext(person, venue, place, grant, space=conversation.space, channel=channel)


def _spaces_of_person(conversation: Conversation) -> tuple[frozenset[UUID], frozenset[UUID]]:
    """The shared spaces in which the person may have memories, and those they belong to now."""
    rows = list(Membership.objects.filter(person=conversation.person).values_list("space_id", "left_at"))
    return frozenset(space for space, _ in rows), frozenset(space for space, left in rows if left is None)
