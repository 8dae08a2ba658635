"""Units: what a search compares of a row or of a passage of one, as fixed records, and the hashes of their words.

The database writes them (`engine/retrieval/unit_sql.py`), for segments and for rows that are in none; they are read
here. Numbers are big-endian, as the database sends them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
        ("hashes", ">i4"),  # how many in all: one that is said twice counts twice
        ("part", ">i2"),  # 0 for a row, from 1 for its passages
        ("flags", ">i2"),
    ]
)
"""What leads each record; the signs of the vector follow, a bit a dimension, where there is one."""

WORD = np.dtype(">i4")
"""The hash of a word. Four bytes of it are kept: among 100,000 texts one search in some hundreds takes one word of one
text for another, and what that text is not is told by its vector."""

ASKS, FROM_ASSISTANT = 1, 2
"""Flags: whether the text ends as a question does, and whether an assistant said it."""


ID = np.dtype([("high", ">u8"), ("low", ">u8")])
"""A row's id alone."""


class PackedUnits(NamedTuple):
    """Units of one kind and one model, as the database gives them. model: "" where they have no vector. fresh: whether
    they were made of the rows just now, and are in no segment."""

    kind: str
    model: str
    size: int
    units: bytes
    words: bytes
    fresh: bool = False


@dataclass(frozen=True)
class Units:
    """Units side by side: first those with a vector of the model asked for.

    kinds: of each, its place in `kind_names`. fresh: as `PackedUnits` has it. signs: packed in bytes, one row for each
    unit that has a vector. words: the hashes of all words, those of one unit after those of the one before it.
    """

    kind_names: Sequence[str]
    kinds: Array
    fresh: Array
    records: Array
    signs: Array
    words: Array

    def __len__(self) -> int:
        return len(self.records)

    def where(self, kept: Array) -> "Units":
        """Those for which `kept` is true, without their words."""
        compared = len(self.signs)
        return Units(
            self.kind_names,
            self.kinds[kept],
            self.fresh[kept],
            self.records[kept],
            self.signs[kept[:compared]],
            np.empty(0, WORD),
        )


def read_units(packed: Sequence[PackedUnits], model: str) -> Units:
    """All units, in one. model: the one whose vectors are compared."""
    compared = [one for one in packed if one.model == model]
    others = [one for one in packed if one.model != model]
    ordered = [*compared, *others]
    names = sorted({one.kind for one in ordered})
    sizes = [one.size for one in ordered]
    joined = b"".join([one.units for one in compared])
    of_compared = _records(joined, sum(one.size for one in compared))
    return Units(
        names,
        np.repeat(np.array([names.index(one.kind) for one in ordered], np.int8), sizes),
        np.repeat(np.array([one.fresh for one in ordered], np.bool_), sizes),
        _join([of_compared, *map(_records_of, _by_record_length(others))]),
        _signs(joined, len(of_compared)),
        np.frombuffer(b"".join([one.words for one in ordered]), WORD),
    )


def rows_among(records: Array, ids: Array) -> Array:
    """Of each record, the place of its row among ids, or -1."""
    return _places(records, ids, records["low"], ids["low"])


def places_of(records: Array, others: Array) -> Array:
    """Of each record, the place of the same row and passage among others, or -1."""
    places = _places(records, others, _mixed(records), _mixed(others))
    return places


def _mixed(records: Array) -> Array:
    """One number for each row and passage; of all that are looked for at once, no two are alike."""
    mixed: Array = records["low"] + records["part"].astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return mixed


def _places(records: Array, others: Array, keys: Array, other_keys: Array) -> Array:
    if not len(others) or not len(records):
        return np.full(len(records), -1)
    order = np.argsort(other_keys)
    at = order[np.minimum(np.searchsorted(other_keys, keys, sorter=order), len(others) - 1)]
    same = (other_keys[at] == keys) & (others["high"][at] == records["high"])
    return np.where(same, at, -1)


def id_texts(records: Array) -> list[str]:
    """The ids of records, or ids alone as bytes, in hexadecimal digits."""
    ids = records
    if records.dtype.names:
        ids = np.empty(len(records), ID)
        ids["high"], ids["low"] = records["high"], records["low"]
    digits = ids.tobytes().hex()
    return [digits[start : start + 32] for start in range(0, len(digits), 32)]


def _by_record_length(packed: Iterable[PackedUnits]) -> list[list[PackedUnits]]:
    """Those that follow one another and whose records are of one length."""
    return [list(group) for _, group in groupby(packed, lambda one: len(one.units) // one.size)]


def _records_of(packed: Sequence[PackedUnits]) -> Array:
    """Of units whose records are of one length."""
    return _records(b"".join([one.units for one in packed]), sum(one.size for one in packed))


def _records(joined: bytes, size: int) -> Array:
    """So many records of one length, without copying them."""
    return np.frombuffer(joined, _padded_to(len(joined) // size)) if size else np.empty(0, RECORD)


@cache
def _padded_to(length: int) -> "np.dtype[Any]":
    """`RECORD` with as many bytes after it as make it so long."""
    fields = dict(RECORD.fields or {})
    names, formats, offsets = list(fields), [one[0] for one in fields.values()], [one[1] for one in fields.values()]
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": length})


def _join(groups: Sequence[Array]) -> Array:
    filled = [group for group in groups if len(group)]
    if len(filled) == 1:
        return filled[0]
    return np.concatenate([group.astype(RECORD) for group in groups])


def _signs(joined: bytes, size: int) -> Array:
    """The signs that follow each record, packed in bytes."""
    if not size:
        return np.empty((0, 0), np.uint8)
    return np.ascontiguousarray(np.frombuffer(joined, np.uint8).reshape(size, -1)[:, RECORD.itemsize :])
