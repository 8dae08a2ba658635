"""Unite: which of two people's memories say the same once both are one's, and which of each two stands."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_app.rules.decide import comparable_key


@dataclass(frozen=True, slots=True)
class ComparedMemory:
    """A memory that holds, as far as this decision goes. slot: its level and place, once it has passed."""

    id: UUID
    slot: Hashable
    key: str
    digest: bytes
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Clash:
    """The newer stands. The older one is the same text, or it is another value of the same key."""

    older: ComparedMemory
    newer: ComparedMemory
    same_text: bool


def clashing_pairs(moving: Sequence[ComparedMemory], staying: Sequence[ComparedMemory]) -> list[Clash]:
    """Pairs of which the older one gives way, once: equal texts first, then what is left of equal keys, within each
    slot. Of two of the same time, what stays where it is stands."""
    found: list[Clash] = []
    gone: set[UUID] = set()
    for same_text, mark in ((True, _text), (False, _key)):
        stayed = {mark(memory): memory for memory in staying if mark(memory)}
        for memory in moving:
            other = stayed.get(mark(memory))
            if other is None or memory.id in gone or other.id in gone:
                continue
            clash = _between(memory, other, same_text=same_text)
            gone.add(clash.older.id)
            found.append(clash)
    return found


def _text(held: ComparedMemory) -> Hashable:
    return (held.slot, held.digest)


def _key(held: ComparedMemory) -> Hashable:
    return (held.slot, key) if (key := comparable_key(held.key)) else None


def _between(moving: ComparedMemory, staying: ComparedMemory, *, same_text: bool) -> Clash:
    if moving.updated_at > staying.updated_at:
        return Clash(older=staying, newer=moving, same_text=same_text)
    return Clash(older=moving, newer=staying, same_text=same_text)
