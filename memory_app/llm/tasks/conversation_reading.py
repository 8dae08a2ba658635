"""What comes of asking about a conversation: the items that passed their checks, and what became of the rest."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memory_app.language.extract.said import Found
from memory_app.llm.protocol import Made
from memory_app.rules.decide import Judgement


@dataclass(frozen=True, slots=True)
class KnownMemory:
    """A memory kept already, near to what is talked about; the caller's own, in the conversation's visibility."""

    content: str


@dataclass(frozen=True, slots=True)
class Relation:
    """What keeping an item would do to a known memory, given by its place in `known`; kind as in the answer's form."""

    known: int
    kind: Judgement


@dataclass(frozen=True, slots=True)
class ReadItem:
    """Something worth keeping. `local` is the place in `local` of the finding that it says better. `global_safe` is a
    hint for the person, who alone moves a memory to a wider level."""

    found: Found
    local: int | None
    global_safe: bool
    relation: Relation | None


@dataclass(frozen=True, slots=True)
class ConversationReading:
    """The items that passed, the local findings dismissed (by place), what was dropped by reason, and what made it."""

    items: Sequence[ReadItem]
    dismissed: frozenset[int]
    dropped: Counter[str]
    made: Made

    def standing(self, local: Sequence[Found]) -> list[Found]:
        """The local findings that were neither said better nor dismissed: these still hold."""
        better = {item.local for item in self.items}
        return [found for place, found in enumerate(local) if place not in better | self.dismissed]
