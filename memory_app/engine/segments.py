"""Segments as rows: read, replaced, and rid of what is deleted.

One transaction at a time changes the segments of a space: whoever does holds its lock. A segment that gains or loses
units keeps its id, so that the rows that stay in it are left alone.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from memory_app.models import Segment
from memory_app.models.segment import KINDS
from memory_app.postgres.fast.binary_protocol import execute_binary, fetch_tuples
from memory_app.rules.segments import Filling, split_units

LOCK = 0x5E6
"""Leads the numbers of these locks, so that no other lock has one of them."""

READ_SQL = """
SELECT id, kind, person_id, visibility, channel_id, sensitive, embedding_model, size, units, words
FROM segment WHERE space_id = %(space)s AND {}
"""
BY_ID_SQL = READ_SQL.format("id = ANY(%(ids)s::uuid[])")

PACKED_IN_SQL = " UNION ALL ".join(
    f"SELECT packed_in FROM {kind} WHERE space_id = %(space)s AND id = ANY(%(ids)s::uuid[])" for kind in KINDS
)


class Cell(NamedTuple):
    """What all units of a segment share, in one space: what they are, who may see them, and by which model."""

    kind: str
    person: UUID
    visibility: str
    channel: UUID | None
    sensitive: bool
    model: str


@dataclass
class PackedSegment:
    """A segment as it is stored."""

    id: UUID
    cell: Cell
    filling: Filling


def lock_segments(space: UUID) -> None:
    """Waits until nobody else changes the segments of a space; held until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", _lock_of(space))


def try_lock_segments(space: UUID) -> bool:
    """The same without waiting; whether it was free."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", _lock_of(space))
        return bool(cursor.fetchone()[0])


def _lock_of(space: UUID) -> tuple[int, int]:
    return LOCK, space.int & 0x7FFF_FFFF


def take_out(space: UUID, ids: Iterable[UUID]) -> None:
    """Removes the units of rows from the segments of a space. For whoever deletes rows, before they do, in the same
    transaction; ids of what is in no segment do no harm."""
    rows = list(ids)
    if not rows:
        return
    lock_segments(space)
    packed_in = {row[0] for row in fetch_tuples(PACKED_IN_SQL, {"space": space, "ids": rows})} - {None}
    take_out_of(space, read_segments(space, packed_in), {row.bytes for row in rows})


def take_out_of(space: UUID, segments: Iterable[PackedSegment], rows: Collection[bytes]) -> None:
    """Stores these segments without the units of these rows. Expects the lock."""
    for segment in segments:
        if segment.filling.remove(rows):
            replace_segment(space, segment)


def delete_segments(space: UUID, person: UUID | None = None) -> None:
    """All of a space, or of one person in it: for whoever deletes all that is packed in them."""
    lock_segments(space)
    rows = Segment.objects.filter(space_id=space)
    (rows if person is None else rows.filter(person_id=person)).delete()


def read_segments(space: UUID, ids: Collection[UUID]) -> list[PackedSegment]:
    """Those of these ids that are there."""
    return read_where(BY_ID_SQL, {"space": space, "ids": list(ids)}) if ids else []


def read_where(statement: str, parameters: dict[str, Any]) -> list[PackedSegment]:
    """What a statement finds that begins as `READ_SQL`."""
    return [_segment(row) for row in fetch_tuples(statement, parameters)]


def _segment(row: Sequence[Any]) -> PackedSegment:
    return PackedSegment(row[0], Cell(*row[1:7]), Filling.of(split_units(*row[7:])))


def replace_segment(space: UUID, segment: PackedSegment) -> None:
    """Stores the units that it has now; without any, it is deleted."""
    if not segment.filling.units:
        execute_binary("DELETE FROM segment WHERE space_id = $1 AND id = $2", [space, segment.id])
        return
    statement = "UPDATE segment SET size = $3, units = $4, words = $5 WHERE space_id = $1 AND id = $2"
    execute_binary(statement, [space, segment.id, *segment.filling.columns])


def new_segment_row(space: UUID, segment: PackedSegment) -> Segment:
    """One that is not stored yet, as a row."""
    cell = segment.cell
    size, units, words = segment.filling.columns
    return Segment(
        space_id=space,
        id=segment.id,
        kind=cell.kind,
        person_id=cell.person,
        visibility=cell.visibility,
        channel_id=cell.channel,
        sensitive=cell.sensitive,
        embedding_model=cell.model,
        size=size,
        units=units,
        words=words,
    )
