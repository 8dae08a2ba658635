"""What a caller may speak for: which people, and in which shared spaces."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Grant:
    """Names of the people and spaces a caller may touch; an empty set means all of them."""

    people: frozenset[str] = field(default_factory=frozenset)
    spaces: frozenset[str] = field(default_factory=frozenset)

    def speaks_for(self, person: str) -> bool:
        return not self.people or person in self.people

    def enters(self, space: str) -> bool:
        return not self.spaces or space in self.spaces

    def allows(self, person: str, space: str | None) -> bool:
        """Whether the caller may speak for a person, in a shared space or (None) in private.

        A grant of spaces alone is for those places: it does not open anyone's private venue.
        """
        if not self.speaks_for(person):
            return False
        if space is None:
            return bool(self.people) or not self.spaces
        return self.enters(space)

    @property
    def unlimited(self) -> bool:
        return not self.people and not self.spaces


EVERYTHING = Grant()
