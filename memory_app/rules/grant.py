"""What a caller may do: for which people and in which shared spaces it speaks, and what it may write there.

A caller is a key with its limits, or someone who signed in. Everything that writes asks `Grant.may_write`.
"""

from dataclasses import dataclass, field

from memory_app.rules.visibility import Visibility

WIDTH = {
    Visibility.PRIVATE: 0,
    Visibility.CHANNEL: 1,
    Visibility.GLOBAL: 2,
    Visibility.SPACE: 3,
    Visibility.EVERYONE: 4,
}
"""How widely each level is seen: `channel` by its speaker there, `global` by its speaker anywhere, then by others."""


@dataclass(frozen=True, slots=True)
class Write:
    """Something of a person that is to be written, and where it lives.

    space: the name of the shared space, for the levels that live in one. member: whether the person belongs to it now.
    was: the level that it had until now. removes: whether it is only taken away.
    Settings, notes and the journal live in the person's own space, as `private` does.
    """

    person: str
    level: Visibility = Visibility.PRIVATE
    space: str | None = None
    member: bool = False
    was: Visibility | None = None
    removes: bool = False

    @property
    def widens(self) -> bool:
        return self.was is not None and WIDTH[self.level] > WIDTH[self.was]


@dataclass(frozen=True, slots=True)
class Grant:
    """Names of the people and spaces a caller may touch; an empty set means all of them.

    reads: whether it may be told what is kept. in_person: whether it is the person themselves, who signed in.
    """

    people: frozenset[str] = field(default_factory=frozenset)
    spaces: frozenset[str] = field(default_factory=frozenset)
    reads: bool = True
    in_person: bool = False

    def speaks_for(self, person: str) -> bool:
        return not self.people or person in self.people

    def reaches(self, space: str) -> bool:
        return not self.spaces or space in self.spaces

    def allows(self, person: str, space: str | None) -> bool:
        """Whether the caller may be told what is a person's own, in a shared space or (None) in private.

        A grant of spaces alone is for those places: it does not open anyone's private venue.
        """
        if not self.speaks_for(person):
            return False
        if space is None:
            return bool(self.people) or not self.spaces
        return self.reaches(space)

    def may_enter(self, person: str, space: str | None, *, member: bool) -> bool:
        """Whether the caller may speak for a person there. A grant of people alone makes nobody a member."""
        return self.allows(person, space) and (space is None or member or not self.only_where_members)

    def may_write(self, write: Write) -> bool:
        """The one decision about writing: `private` and `global` take a grant for the person, `channel` and `space` one
        for the space or a person who belongs to it, `everyone` one without limits or the person themselves.

        To show more people what is there takes a grant for the person. To take something back takes no more than to be
        told it.
        """
        if write.widens and not self.allows(write.person, None):
            return False
        match write.level:
            case Visibility.PRIVATE | Visibility.GLOBAL:
                return self.allows(write.person, None)
            case Visibility.EVERYONE if write.removes:
                return self.allows(write.person, None)
            case Visibility.EVERYONE:
                return self.unlimited or (self.in_person and self.speaks_for(write.person))
        if write.removes:
            return self.allows(write.person, write.space)
        return self.may_enter(write.person, write.space, member=write.member)

    def may_write_all_of(self, person: str) -> bool:
        """Whether the caller may write all that is a person's, in whatever space: to erase them."""
        return self.speaks_for(person) and not self.spaces

    @property
    def only_where_members(self) -> bool:
        """Whether the people it is for are the only limit: then shared spaces are open where these belong."""
        return bool(self.people) and not self.spaces

    @property
    def unlimited(self) -> bool:
        return not self.people and not self.spaces


EVERYTHING = Grant()


def in_person(name: str) -> Grant:
    """The grant of someone who signed in, for themselves."""
    return Grant(people=frozenset({name}), in_person=True)
