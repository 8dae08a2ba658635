"""Segments as bytes: which units one holds, one without those of some rows, and what fits into one."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from memory_app.rules.units import RECORD, WORD

MAX_UNITS, MAX_BYTES = 64, 7_500
"""Of one segment. So large, with its other columns, it lies within a page of the database; a row that is larger by
itself stands alone."""

ID_BYTES = 16


class Unit(NamedTuple):
    """One record, and the hashes of its words."""

    record: bytes
    words: bytes

    @property
    def row(self) -> bytes:
        """The id of its row."""
        return self.record[:ID_BYTES]


def split_units(size: int, units: bytes, words: bytes) -> list[Unit]:
    """The units of a segment, each for itself."""
    length = len(units) // size
    ends = [0, *(np.cumsum(_hashes(size, units)) * WORD.itemsize).tolist()]
    return [Unit(units[length * n : length * (n + 1)], words[ends[n] : ends[n + 1]]) for n in range(size)]


def _hashes(size: int, units: bytes) -> NDArray[Any]:
    """Of each record, how many hashes of words are its own."""
    fields = RECORD.fields
    assert fields is not None
    number, offset = fields["hashes"][:2]
    return np.ndarray((size,), number, units, offset, (len(units) // size,))


def by_row(units: Iterable[Unit]) -> dict[bytes, list[Unit]]:
    """Those of each row, which belong together: its own and its passages'."""
    rows: dict[bytes, list[Unit]] = {}
    for unit in units:
        rows.setdefault(unit.row, []).append(unit)
    return rows


def is_of_one_kind(units: Sequence[Unit]) -> bool:
    """Whether they can be in one segment: all with a vector, or none."""
    return len({len(unit.record) for unit in units}) == 1


@dataclass
class Filling:
    """Units that become a segment."""

    units: list[Unit] = field(default_factory=list)
    weight: int = 0
    """In bytes."""

    @classmethod
    def of(cls, units: Sequence[Unit]) -> Self:
        filling = cls()
        filling.add(units)
        return filling

    def has_room(self, units: Sequence[Unit]) -> bool:
        return len(self.units) + len(units) <= MAX_UNITS and self.weight + _weight(units) <= MAX_BYTES

    def add(self, units: Sequence[Unit]) -> None:
        self.units += units
        self.weight += _weight(units)

    def remove(self, rows: Container[bytes]) -> bool:
        """Takes out the units of these rows; whether there were any."""
        remaining = [unit for unit in self.units if unit.row not in rows]
        changed = len(remaining) < len(self.units)
        self.units, self.weight = remaining, _weight(remaining)
        return changed

    @property
    def columns(self) -> tuple[int, bytes, bytes]:
        """size, units and words of the segment."""
        return (
            len(self.units),
            b"".join([unit.record for unit in self.units]),
            b"".join([unit.words for unit in self.units]),
        )


def _weight(units: Sequence[Unit]) -> int:
    return sum(len(unit.record) + len(unit.words) for unit in units)
