"""Who sees what from where: the one rule, stated purely.

Everything that reads memories or turns applies these clauses through `VisibleQuerySet.visible_from`; nothing else
decides visibility. Which rows the database lets through at all is `Venue.spaces`, enforced by row security.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID


class Visibility(StrEnum):
    PRIVATE = "private"
    CHANNEL = "channel"
    SPACE = "space"
    GLOBAL = "global"
    EVERYONE = "everyone"


class VenueClass(StrEnum):
    PRIVATE = "private"
    CHANNEL = "channel"
    SPACE = "space"


@dataclass(frozen=True, slots=True)
class Venue:
    """Where words are spoken: a person, perhaps in a space and a channel of it.

    home: the person's own space. commons: the space of what everyone may see.
    own: the shared spaces in which the person may have memories, whether or not they still belong.
    member: those they belong to now. named: a space a private request asks about, if the person belongs to it.
    """

    person: UUID
    home: UUID
    commons: UUID
    space: UUID | None = None
    channel: UUID | None = None
    restricted: bool = False
    own: frozenset[UUID] = field(default_factory=frozenset)
    member: frozenset[UUID] = field(default_factory=frozenset)
    named: UUID | None = None

    @property
    def kind(self) -> VenueClass:
        if self.space is None:
            return VenueClass.PRIVATE
        return VenueClass.CHANNEL if self.restricted else VenueClass.SPACE

    @property
    def spaces(self) -> frozenset[UUID]:
        """Every space a request from this venue may touch: the array of row security."""
        elsewhere = self.own if self.kind is VenueClass.PRIVATE else frozenset({self.space})
        return frozenset({self.home, self.commons}) | {s for s in elsewhere if s is not None}

    @property
    def level(self) -> Visibility:
        """The visibility a memory is born with here."""
        return Visibility(self.kind.value)

    def lives_in(self, visibility: Visibility) -> UUID | None:
        """The space in which a memory of that visibility, said here, lives; None where it cannot be said."""
        match visibility:
            case Visibility.PRIVATE | Visibility.GLOBAL:
                return self.home
            case Visibility.EVERYONE:
                return self.commons
            case Visibility.CHANNEL:
                return self.space if self.kind is VenueClass.CHANNEL else None
            case Visibility.SPACE:
                return self.space


@dataclass(frozen=True, slots=True)
class Clause:
    """One cell of the table: rows of `visibility` in one of `spaces`, of that owner and channel only where given."""

    visibility: Visibility
    spaces: frozenset[UUID]
    owner: UUID | None = None
    channel: UUID | None = None


def clauses(venue: Venue) -> tuple[Clause, ...]:
    """What may be seen from a venue: a row is visible when it matches any of these."""
    home, commons = frozenset({venue.home}), frozenset({venue.commons})
    always = (
        Clause(Visibility.GLOBAL, home, owner=venue.person),
        Clause(Visibility.EVERYONE, commons),
    )
    if venue.space is None:
        return (*always, *_private_clauses(venue, home))
    here = frozenset({venue.space})
    shared = Clause(Visibility.SPACE, here)
    if venue.kind is VenueClass.SPACE:
        return (*always, shared)
    # Anyone's words in a restricted channel stay their speaker's: a channel's roles may change after they were said.
    return (*always, shared, Clause(Visibility.CHANNEL, here, owner=venue.person, channel=venue.channel))


def _private_clauses(venue: Venue, home: frozenset[UUID]) -> tuple[Clause, ...]:
    own = (
        Clause(Visibility.PRIVATE, home, owner=venue.person),
        Clause(Visibility.CHANNEL, venue.own, owner=venue.person),
        Clause(Visibility.SPACE, venue.own, owner=venue.person),
    )
    if venue.named is None or venue.named not in venue.member:
        return own
    return (*own, Clause(Visibility.SPACE, frozenset({venue.named})))


@dataclass(frozen=True, slots=True)
class Placed:
    """Of a memory or turn, what decides who sees it."""

    space: UUID
    owner: UUID
    visibility: Visibility
    channel: UUID | None = None
    sensitive: bool = False


def sees(venue: Venue, row: Placed) -> bool:
    """Whether a row is visible from a venue. What is sensitive is seen by its owner in private, whatever its level."""
    if row.sensitive and not (venue.kind is VenueClass.PRIVATE and row.owner == venue.person):
        return False
    return any(
        row.visibility is clause.visibility
        and row.space in clause.spaces
        and clause.owner in (None, row.owner)
        and clause.channel in (None, row.channel)
        for clause in clauses(venue)
    )
