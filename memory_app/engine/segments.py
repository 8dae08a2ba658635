"""Segments as rows: read, replaced, and rid of what is deleted.

One transaction at a time changes the segments of a space: whoever does holds its lock. A segment that gains or loses
units keeps its id, so that the rows that stay in it are left alone.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from memory_app.models import Segment
from memory_app.models.segment import KINDS, UNPACKED
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

UNPACKED_SQL = " UNION ALL ".join(
    f"SELECT id, packed_in FROM {kind} WHERE space_id = %(space)s AND {UNPACKED} AND packed_in IS NOT NULL"
    for kind in KINDS
)

UNPACK_SQL = """
UPDATE {kind} SET packed_as = 0, packed_in = NULL WHERE space_id = $1 AND id IN (
    SELECT id FROM {kind} WHERE space_id = $1 AND id = ANY($2::uuid[]) FOR NO KEY UPDATE SKIP LOCKED
)
"""
"""A row that someone is changing is passed over: they may wait for the lock of the segments."""

HOLDING_SQL = "SELECT count(*) FROM segment WHERE space_id = %(space)s AND position(uuid_send(%(row)s) IN units) > 0"


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


def take_out(space: UUID, ids: Iterable[UUID]) -> int:
    """Removes the units of rows from the segments of a space; returns how many segments changed. For whoever deletes
    rows, before they do, in the same transaction; ids of what is in no segment do no harm."""
    rows = list(ids)
    if not rows:
        return 0
    lock_segments(space)
    packed_in = {row[0] for row in fetch_tuples(PACKED_IN_SQL, {"space": space, "ids": rows})} - {None}
    return take_out_of(space, read_segments(space, packed_in), {row.bytes for row in rows})


def take_out_rows(rows: QuerySet[Any]) -> None:
    """The same of rows of one table, in any spaces. Expects that these are allowed."""
    ids: dict[UUID, list[UUID]] = {}
    for space, row in rows.order_by("space_id").values_list("space_id", "id"):
        ids.setdefault(space, []).append(row)
    for space, of_space in ids.items():
        take_out(space, of_space)


def take_out_unpacked(space: UUID) -> int:
    """The same of rows that changed since they were packed: for whoever takes words away for good. These rows count as
    never packed, also where they become again what they were."""
    lock_segments(space)
    found = dict(fetch_tuples(UNPACKED_SQL, {"space": space}))
    changed = take_out_of(space, read_segments(space, set(found.values())), {row.bytes for row in found})
    if found:
        for kind in KINDS:
            execute_binary(UNPACK_SQL.format(kind=kind), [space, list(found)])
    return changed


def take_out_of(space: UUID, segments: Iterable[PackedSegment], rows: Collection[bytes]) -> int:
    """Stores these segments without the units of these rows; returns how many changed. Expects the lock."""
    changed = [segment for segment in segments if segment.filling.remove(rows)]
    for segment in changed:
        replace_segment(space, segment)
    return len(changed)


def segments_with(space: UUID, row: UUID) -> int:
    """How many segments of a space have units of a row: all are looked through."""
    found = fetch_tuples(HOLDING_SQL, {"space": space, "row": row})
    return int(found[0][0])


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
