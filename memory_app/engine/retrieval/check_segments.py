"""Check segments: compare what is packed with the rows, and have what differs packed anew.

Each page is a transaction that holds the lock of its space: nobody packs or deletes there meanwhile. What someone
changes at the same time counts as unpacked, and is passed over.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memory_app.engine.retrieval.pack import PAGE, pack_space, read_units
from memory_app.engine.segments import (
    READ_SQL,
    PackedSegment,
    lock_segments,
    read_segments,
    read_where,
    take_out_of,
)
from memory_app.models import Space
from memory_app.models.row_security import allowed_spaces
from memory_app.models.segment import KINDS, UNPACKED
from memory_app.postgres.fast.binary_protocol import execute_binary, fetch_tuples
from memory_app.progress import ReportProgress
from memory_app.rules.segments import by_row

SEGMENTS_AT_ONCE = 32

SEGMENTS_SQL = READ_SQL.format(f"id > %(after)s ORDER BY id LIMIT {SEGMENTS_AT_ONCE}")
STATES_SQL = f"SELECT id, packed_in, {UNPACKED} FROM {{}} WHERE space_id = %(space)s AND id = ANY(%(ids)s::uuid[])"
PACKED_ROWS_SQL = f"""
SELECT id, packed_in FROM {{}} WHERE space_id = %(space)s AND NOT {UNPACKED} AND id > %(after)s
ORDER BY id LIMIT {PAGE}
"""
FREE_SQL = """
SELECT id FROM {} WHERE space_id = %(space)s AND id = ANY(%(ids)s::uuid[]) FOR NO KEY UPDATE SKIP LOCKED
"""
UNPACK_SQL = "UPDATE {} SET packed_as = ~fingerprint WHERE space_id = $1 AND id = ANY($2::uuid[])"


@dataclass
class SegmentCheck:
    """What was compared, and what differed: units that no row has any more or that say something else (stale), and rows
    that are marked as packed and are not found (missing)."""

    segments: int = 0
    rows: int = 0
    stale: int = 0
    missing: int = 0

    @property
    def wrong(self) -> int:
        return self.stale + self.missing

    def __str__(self) -> str:
        compared = f"{self.rows} rows in {self.segments} segments"
        return f"{compared}: {self.stale} stale, {self.missing} missing" if self.wrong else f"{compared}: all as it is"


def check_segments(*, mend: bool, report: ReportProgress) -> SegmentCheck:
    """Compares all there is. mend: what differs leaves the segments and is packed anew. May be killed and run again."""
    check, spaces = SegmentCheck(), _spaces()
    for number, space in enumerate(spaces):
        before = check.wrong
        _check_segments_of(space, check, mend)
        for kind in KINDS:
            _check_rows_of(space, kind, check, mend)
        if mend and check.wrong > before:
            pack_space(space)
        report(number + 1, len(spaces))
    return check


def rebuild_segments(*, report: ReportProgress) -> SegmentCheck:
    """Packs every row anew, as after an upgrade of the database by which its hashes are others. Searches go on: they
    read meanwhile what is unpacked from the rows."""
    spaces = _spaces()
    for number, space in enumerate(spaces):
        for kind in KINDS:
            _unpack_all(space, kind)
        pack_space(space)
        report(number, len(spaces))
    return check_segments(mend=True, report=report)


def _spaces() -> list[UUID]:
    return list(Space.objects.order_by("id").values_list("id", flat=True))


def _check_segments_of(space: UUID, check: SegmentCheck, mend: bool) -> None:
    after = UUID(int=0)
    while True:
        with allowed_spaces([space]):
            lock_segments(space)
            segments = read_where(SEGMENTS_SQL, {"space": space, "after": after})
            if not segments:
                return
            for segment in segments:
                stale = _stale_rows(space, segment)
                check.segments += 1
                check.stale += len(stale)
                if mend and stale:
                    take_out_of(space, [segment], stale)
                    _unpack(space, segment.cell.kind, [UUID(bytes=row) for row in stale])
            after = segments[-1].id


def _stale_rows(space: UUID, segment: PackedSegment) -> set[bytes]:
    """Rows whose units in a segment are not what these rows are."""
    packed = by_row(segment.filling.units)
    ids = [UUID(bytes=row) for row in packed]
    values = {"space": space, "ids": ids}
    states = {row.bytes: (at, changed) for row, at, changed in _fetch(STATES_SQL, segment.cell.kind, values)}
    cells, units = read_units(space, segment.cell.kind, ids)
    stale = set()
    for row, of_row in packed.items():
        packed_in, unpacked = states.get(row, (None, False))
        same = sorted(units.get(row, ())) == sorted(of_row) and cells.get(row) == segment.cell
        if packed_in != segment.id or not (unpacked or same):
            stale.add(row)
    return stale


def _check_rows_of(space: UUID, kind: str, check: SegmentCheck, mend: bool) -> None:
    after = UUID(int=0)
    while True:
        with allowed_spaces([space]):
            lock_segments(space)
            rows = _fetch(PACKED_ROWS_SQL, kind, {"space": space, "after": after})
            if not rows:
                return
            missing = _missing_rows(space, kind, dict(rows))
            check.rows += len(rows)
            check.missing += len(missing)
            if mend and missing:
                _unpack(space, kind, missing)
            after = rows[-1][0]


def _missing_rows(space: UUID, kind: str, packed_in: dict[UUID, UUID | None]) -> list[UUID]:
    """Rows that a search finds, and that are not in the segment they are marked with."""
    segments = read_segments(space, {segment for segment in packed_in.values() if segment})
    there = {(segment.id, unit.row) for segment in segments for unit in segment.filling.units}
    absent = [row for row, segment in packed_in.items() if segment is None or (segment, row.bytes) not in there]
    _, units = read_units(space, kind, absent) if absent else ({}, {})
    return [row for row in absent if row.bytes in units]


def _unpack_all(space: UUID, kind: str) -> None:
    """Marks the packed rows of a space as unpacked, page by page."""
    after = UUID(int=0)
    while True:
        with allowed_spaces([space]):
            rows = _fetch(PACKED_ROWS_SQL, kind, {"space": space, "after": after})
            if not rows:
                return
            _unpack(space, kind, [row for row, _ in rows])
            after = rows[-1][0]


def _unpack(space: UUID, kind: str, rows: Collection[UUID]) -> None:
    """But for those that someone is changing: they are unpacked by that."""
    free = [row for (row,) in _fetch(FREE_SQL, kind, {"space": space, "ids": list(rows)})]
    execute_binary(UNPACK_SQL.format(kind), [space, free])


def _fetch(statement: str, kind: str, values: dict[str, Any]) -> Sequence[Any]:
    return fetch_tuples(statement.format(kind), values)
