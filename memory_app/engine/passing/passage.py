"""A passage: from whom and where to whom and where rows pass."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Passage:
    """`of` and `to` are people. Where the space is the same, rows stay in it and change whose they are."""

    from_space: UUID
    to_space: UUID
    of: UUID
    to: UUID

    @property
    def stays(self) -> bool:
        return self.from_space == self.to_space
