"""Units: what a search compares of a row or of a passage of one, as fixed records, and the hashes of their words.

The database writes them (`engine/retrieval/unit_sql.py`), for segments and for rows that are in none; they are read
here. Numbers are big-endian, as the database sends them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

RECORD = np.dtype(
    [
        ("high", ">u8"),  # the row's id, in two halves
        ("low", ">u8"),
        ("said_at", ">i8"),  # microseconds since 1970
        ("expires_at", ">i8"),
        ("session", ">i8"),  # a hash: rows of one conversation, or told of one time, share it
        ("speaker", ">i4"),  # a hash of the first name, 0 for nobody
        ("position", ">i4"),  # in its session
        ("words", ">i4"),  # how many distinct ones it has
        ("part", ">i2"),  # 0 for a row, from 1 for its passages
        ("flags", ">i2"),
    ]
)
"""What leads each record; the signs of the vector follow, a bit a dimension, where there is one."""

WORD = np.dtype(">i4")
"""The hash of a word."""

ASKS, FROM_ASSISTANT = 1, 2
"""Flags: whether the text ends as a question does, and whether an assistant said it."""


class PackedUnits(NamedTuple):
    """Units of one kind and one model, as the database gives them. model: "" where they have no vector."""

    kind: str
    model: str
    size: int
    units: bytes
    words: bytes


@dataclass(frozen=True)
class Units:
    """Units side by side: first those with a vector of the model asked for. kinds: of each, a place in `kind_names`.
    signs: one row for each that has a vector. words: hashes of all words; ends: where those of each unit end."""

    kind_names: Sequence[str] = ()
    kinds: Array = field(default_factory=lambda: np.empty(0, np.int8))
    records: Array = field(default_factory=lambda: np.empty(0, RECORD))
    signs: Array = field(default_factory=lambda: np.empty((0, 0), np.uint8))
    words: Array = field(default_factory=lambda: np.empty(0, WORD))

    def __len__(self) -> int:
        return len(self.records)

    @property
    def ends(self) -> Array:
        return np.cumsum(self.records["words"])


def read_units(packed: Sequence[PackedUnits], model: str) -> Units:
    """All units, in one. model: the one whose vectors are compared."""
    if not packed:
        return Units()
    names = sorted({one.kind for one in packed})
    compared = [one for one in packed if one.model == model]
    ordered = [*compared, *(one for one in packed if one.model != model)]
    sizes = [one.size for one in ordered]
    return Units(
        names,
        np.repeat(np.array([names.index(one.kind) for one in ordered], np.int8), sizes),
        _join([_records(group) for group in _by_record_length(ordered)]),
        _signs(compared),
        np.frombuffer(b"".join([one.words for one in ordered]), WORD),
    )


def _by_record_length(packed: Iterable[PackedUnits]) -> list[list[PackedUnits]]:
    """Those that follow one another and whose records are of one length."""
    return [list(group) for _, group in groupby(packed, lambda one: len(one.units) // one.size)]


def _records(packed: Sequence[PackedUnits]) -> Array:
    """Of units whose records are of one length, without copying them."""
    length = len(packed[0].units) // packed[0].size
    return np.frombuffer(b"".join([one.units for one in packed]), _padded_to(length))


@cache
def _padded_to(length: int) -> "np.dtype[Any]":
    """`RECORD` with as many bytes after it as make it so long."""
    fields = dict(RECORD.fields or {})
    names, formats, offsets = list(fields), [one[0] for one in fields.values()], [one[1] for one in fields.values()]
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": length})


def _join(groups: Sequence[Array]) -> Array:
    return groups[0] if len(groups) == 1 else np.concatenate([group.astype(RECORD) for group in groups])


def _signs(packed: Sequence[PackedUnits]) -> Array:
    """The signs that follow each record, packed in bytes."""
    if not packed:
        return np.empty((0, 0), np.uint8)
    units = np.frombuffer(b"".join([one.units for one in packed]), np.uint8)
    return np.ascontiguousarray(units.reshape(sum(one.size for one in packed), -1)[:, RECORD.itemsize :])
