"""What an import brings, or would bring: counted by kind, with what is left out and why, and what is broken where."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Self

from memory_app.imports.entries import Fault, Skipped, clean_text

MOST_FAULTS = 200
"""Faults that are told each by its place; of the rest the number is."""

LONGEST_PLACE, LONGEST_REASON = 500, 300


@dataclass(slots=True)
class ImportReport:
    """counts: by the names in `KINDS`."""

    counts: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    def add_fault(self, place: str, reason: str) -> None:
        self.counts["faults"] += 1
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(Fault(clean_text(place)[:LONGEST_PLACE], reason[:LONGEST_REASON]))

    def add_skipped(self, skipped: Skipped) -> None:
        self.skipped[skipped.reason] += skipped.number

    def add(self, other: "ImportReport") -> None:
        """Counts what another one tells as well."""
        self.counts += other.counts
        self.skipped += other.skipped
        self.faults = [*self.faults, *other.faults][:MOST_FAULTS]

    def as_json(self) -> dict[str, Any]:
        """As it is stored: one key for each part."""
        faults = [[fault.place, fault.reason] for fault in self.faults]
        return {"counts": dict(self.counts), "skipped": dict(self.skipped), "faults": faults}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Self:
        """What was stored; an empty object is an empty report."""
        faults = [Fault(*fault) for fault in stored.get("faults", ())]
        return cls(Counter(stored.get("counts", {})), Counter(stored.get("skipped", {})), faults)


ADDED_TURNS = "added_turns"
"""Counted as turns as well: those that came into conversations that were here. To undo the import leaves them."""

KINDS = {
    "conversations": ("conversation", "conversations"),
    "turns": ("message", "messages"),
    "memories": ("memory", "memories"),
    "duplicates": ("memory that is known in other words", "memories that are known in other words"),
    "known_conversations": ("conversation that is here already", "conversations that are here already"),
    "known_turns": ("message that is here already", "messages that are here already"),
    "known_memories": ("memory that is here already", "memories that are here already"),
    "erased": ("thing that was erased for good", "things that were erased for good"),
    "faults": ("broken entry", "broken entries"),
}
"""What is counted, in order, with its words for one and for more."""
