"""Pack: put the units of rows that are not packed as they stand into segments.

Rows are read, and segments and marks written, a page of one space at a time, each page in a transaction of its own. A
kill between two pages, or within one, leaves rows unpacked, which a search reads themselves.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Value

from memory_app.engine.retrieval.unit_sql import units_of
from memory_app.engine.retrieval.visible_rows import (
    COLUMNS,
    searched_documents,
    searched_memories,
    searched_notes,
    searched_turns,
)
from memory_app.engine.segments import (
    READ_SQL,
    Cell,
    PackedSegment,
    lock_segments,
    new_segment_row,
    read_segments,
    read_where,
    replace_segment,
    try_lock_segments,
)
from memory_app.models import Document, Memory, Note, Turn
from memory_app.models.ids import earliest_id, new_id
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.models.segment import KINDS, UNPACKED
from memory_app.postgres.fast.binary_protocol import execute_binary, fetch_tuples
from memory_app.postgres.fast.insert_rows import insert_rows
from memory_app.postgres.fast.prepared_query import inlined_sql
from memory_app.progress import ReportProgress
from memory_app.rules.segments import MAX_BYTES, MAX_UNITS, Filling, Unit, by_row, is_of_one_kind

MANY = 64
"""Rows of a space that are packed at once: what fills a segment. Fewer wait, so that what is said word by word, and
embedded a moment later, is packed once."""

WAIT = timedelta(minutes=1)

PAGE, PAGE_OF_DOCUMENTS = 512, 16
"""Rows of one transaction; a document has up to hundreds of passages."""

FULL, OPEN_READ = 0.9, 4
"""Up to which part a segment has room for more, and how many of a cell are read to be filled."""

CELL_COLUMNS = ("person_id", "visibility", "channel_id", "sensitive")

WAITING_SQL = """
SELECT space_id FROM ({}) unpacked GROUP BY space_id HAVING count(*) >= %(many)s OR bool_or(id < %(since)s)
""".format(" UNION ALL ".join(f"SELECT space_id, id FROM {kind} WHERE {UNPACKED}" for kind in KINDS))

PAGE_SQL = f"""
SELECT id, fingerprint, packed_in FROM {{table}}
WHERE space_id = %(space)s AND {UNPACKED} AND id > %(after)s ORDER BY id LIMIT %(limit)s
FOR NO KEY UPDATE SKIP LOCKED
"""
"""A row that someone is changing is left for the next time: it would be unpacked again at once. None is waited for, so
that whoever deletes rows may wait for this."""

OPEN_SQL = READ_SQL.format(
    f"""kind = %(kind)s AND person_id = %(person)s AND visibility = %(visibility)s
    AND channel_id IS NOT DISTINCT FROM %(channel)s::uuid AND sensitive = %(sensitive)s
    AND embedding_model = %(model)s AND octet_length(units) = size * %(record)s
    AND size <= {FULL * MAX_UNITS} AND octet_length(units) + octet_length(words) <= {FULL * MAX_BYTES}
    ORDER BY size LIMIT {OPEN_READ}"""
)
"""The emptiest of a cell: they are filled up before another is begun."""

MARK_SQL = """
UPDATE {table} SET packed_as = given.fingerprint, packed_in = given.segment
FROM (VALUES {values}) AS given (id, fingerprint, segment)
WHERE {table}.space_id = $1 AND {table}.id = given.id
"""


class UnpackedRow(NamedTuple):
    """fingerprint: of the row as it is read. packed_in: the segment that has units of it as it was."""

    id: UUID
    fingerprint: int
    packed_in: UUID | None


@dataclass
class Page:
    """Rows of one table that are packed in one transaction, and what becomes of segments by that."""

    space: UUID
    kind: str
    rows: Sequence[UnpackedRow]
    marks: dict[UUID, UUID | None] = field(default_factory=dict)
    """The segment of each row; None for those that nobody finds."""
    stored: dict[UUID, PackedSegment] = field(default_factory=dict)
    """Segments that are there already and that change."""
    new: dict[UUID, PackedSegment] = field(default_factory=dict)


def pack(*, now: datetime, report: ReportProgress, many: int = MANY) -> int:
    """Packs what waits in all spaces; returns how many rows. A space in which someone else packs is left to them."""
    with every_space():
        waiting = fetch_tuples(WAITING_SQL, {"many": many, "since": earliest_id(now - WAIT)})
    done = 0
    for number, (space,) in enumerate(waiting):
        done += pack_space(space, wait=False)
        report(done, max(done, len(waiting) - number))
    return done


def pack_space(space: UUID, *, wait: bool = True) -> int:
    """Packs all unpacked rows of a space; returns how many. Outside of any transaction, or in one of the caller's.

    wait: for whoever packs there, or deletes; else nothing is done.
    """
    return sum(_pack_table(space, kind, wait) for kind in KINDS)


def _pack_table(space: UUID, kind: str, wait: bool) -> int:
    packed, after = 0, UUID(int=0)
    limit = PAGE_OF_DOCUMENTS if kind == "document" else PAGE
    while True:
        with allowed_spaces([space]):
            if not _lock(space, wait):
                return packed
            found = _read_page(space, kind, after, limit)
            if not found:
                return packed
            packed += _pack_page(Page(space, kind, found))
            after = found[-1].id


def _lock(space: UUID, wait: bool) -> bool:
    if not wait:
        return try_lock_segments(space)
    lock_segments(space)
    return True


def _read_page(space: UUID, kind: str, after: UUID, limit: int) -> list[UnpackedRow]:
    values = {"space": space, "after": after, "limit": limit}
    return [UnpackedRow(*row) for row in fetch_tuples(PAGE_SQL.format(table=kind), values)]


def _pack_page(page: Page) -> int:
    """How many rows were packed."""
    cells, units = read_units(page.space, page.kind, [row.id for row in page.rows])
    # Its passages have vectors and itself has none, or the other way round: the backfill has not come to it yet.
    waiting = {row for row, of_row in units.items() if not is_of_one_kind(of_row)}
    page.marks.update(dict.fromkeys(row.id for row in page.rows if row.id.bytes not in waiting))
    _take_out_changed(page)
    by_cell: dict[tuple[Cell, int], list[list[Unit]]] = defaultdict(list)
    for row in sorted(units.keys() - waiting):
        by_cell[cells[row], len(units[row][0].record)].append(units[row])
    for (cell, record), rows in by_cell.items():
        _fill(page, cell, rows, _open_segments(page, cell, record))
    _write(page)
    return len(page.marks)


def read_units(space: UUID, kind: str, ids: Sequence[UUID]) -> tuple[dict[bytes, Cell], dict[bytes, list[Unit]]]:
    """Of each of these rows that a search finds: its cell and its units."""
    with connection.cursor() as cursor:  # planned each time: a plan that is kept was seen to read all of the space
        cursor.execute(units_statement(kind), {"space": space, "ids": list(ids)})
        found = cursor.fetchall()
    cells, units = {}, []
    for _, model, _, record, words, person, visibility, channel, sensitive in found:
        unit = Unit(record, words)
        cells[unit.row] = Cell(kind, person, visibility, channel, sensitive, model)
        units.append(unit)
    return cells, by_row(units)


@cache
def units_statement(kind: str) -> str:
    """The units of rows of one table (%(space)s, %(ids)s) that a search finds, each with the columns of its cell."""
    rows = inlined_sql(_searched_rows(kind).values(*COLUMNS, *CELL_COLUMNS))
    these = f"SELECT * FROM {kind} WHERE space_id = %(space)s AND id = ANY(%(ids)s::uuid[]) OFFSET 0"
    source = rows.replace(f'FROM "{kind}"', f'FROM ({these}) "{kind}"', 1)
    return units_of(source, "".join(f", {name}" for name in CELL_COLUMNS))


def _searched_rows(kind: str) -> Any:
    """All of a kind that a search finds, whoever asks."""
    unmarked = {"sensitive": Value(False)}
    match kind:
        case "memory":
            return searched_memories(Memory.objects.undeleted())
        case "turn":
            return searched_turns(Turn.objects.searchable()).annotate(**unmarked)
        case "note":
            return searched_notes(Note.objects.searchable().with_level()).annotate(**unmarked)
        case _:
            return searched_documents(Document.objects.undeleted().with_level()).annotate(**unmarked)


def _take_out_changed(page: Page) -> None:
    changed = {row.id.bytes for row in page.rows if row.id in page.marks}
    packed_in = {row.packed_in for row in page.rows if row.packed_in and row.id in page.marks}
    for segment in read_segments(page.space, packed_in):
        if segment.filling.remove(changed):
            page.stored[segment.id] = segment


def _open_segments(page: Page, cell: Cell, record: int) -> list[PackedSegment]:
    """Those of the cell that have room, as they are after the page."""
    stored = read_where(OPEN_SQL, {**cell._asdict(), "space": page.space, "record": record})
    return [page.stored.get(segment.id, segment) for segment in stored]


def _fill(page: Page, cell: Cell, rows: Iterable[Sequence[Unit]], with_room: Sequence[PackedSegment]) -> None:
    """Puts the units of each row into one segment: into those with room first."""
    rest = iter(with_room)
    current: PackedSegment | None = next(rest, None)
    for units in rows:
        if not Filling().has_room(units):
            _mark(page, _new_segment(page, cell, Filling.of(units)), units)
            continue
        while current is None or not current.filling.has_room(units):
            current = next(rest, None) or _new_segment(page, cell, Filling())
        current.filling.add(units)
        _mark(page, current, units)


def _new_segment(page: Page, cell: Cell, filling: Filling) -> PackedSegment:
    segment = PackedSegment(new_id(), cell, filling)
    page.new[segment.id] = segment
    return segment


def _mark(page: Page, segment: PackedSegment, units: Sequence[Unit]) -> None:
    page.marks[UUID(bytes=units[0].row)] = segment.id
    if segment.id not in page.new:
        page.stored[segment.id] = segment


def _write(page: Page) -> None:
    for segment in page.stored.values():
        replace_segment(page.space, segment)
    insert_rows([new_segment_row(page.space, segment) for segment in page.new.values()])
    fingerprints = {row.id: row.fingerprint for row in page.rows}
    values: list[Any] = [page.space]
    for row, segment_id in page.marks.items():
        values += (row, fingerprints[row], segment_id)
    if page.marks:
        places = ", ".join(
            f"(${n}::uuid, ${n + 1}::bigint, ${n + 2}::uuid)" for n in range(2, 2 + 3 * len(page.marks), 3)
        )
        execute_binary(MARK_SQL.format(table=page.kind, values=places), values)
