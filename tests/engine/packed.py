"""What is packed, as a test sees it: units in segments, and units of the rows themselves."""

from collections import Counter
from uuid import UUID

from django.db import connection

from memory_app.engine.retrieval.pack import pack, units_statement
from memory_app.models import Segment
from memory_app.models.row_security import every_space
from memory_app.models.segment import KINDS, UNPACKED
from memory_app.postgres.fast.binary_protocol import fetch_tuples
from memory_app.rules.segments import split_units
from tests.worlds import NOON

PackedUnit = tuple[UUID, str, UUID, str, UUID | None, bool, str, bytes, bytes]
"""Its space, cell, record and words."""


def pack_all() -> int:
    """Packs whatever waits, however little."""
    return pack(now=NOON, report=lambda done, total: None, many=1)


def units_in_segments() -> "Counter[PackedUnit]":
    with every_space():
        return Counter(
            (row.space_id, row.kind, row.person_id, row.visibility, row.channel_id, row.sensitive, row.embedding_model,
             unit.record, unit.words)
            for row in Segment.objects.all()
            for unit in split_units(row.size, bytes(row.units), bytes(row.words))
        )  # fmt: skip


def units_of_rows() -> "Counter[PackedUnit]":
    """Made of the rows as they stand."""
    found: Counter[PackedUnit] = Counter()
    with every_space():
        for kind in KINDS:
            for space, ids in fetch_tuples(f"SELECT space_id, array_agg(id) FROM {kind} GROUP BY 1", {}):
                units = fetch_tuples(units_statement(kind), {"space": space, "ids": ids})
                found.update((space, unit[0], *unit[5:9], unit[1], unit[3], unit[4]) for unit in units)
    return found


def unpacked_ids() -> set[UUID]:
    with every_space():
        return {row for kind in KINDS for (row,) in fetch_tuples(f"SELECT id FROM {kind} WHERE {UNPACKED}", {})}


def units_searched() -> "Counter[PackedUnit]":
    """As a search reads them: of segments what is packed as it stands, and the rest from the rows."""
    unpacked = {row.bytes for row in unpacked_ids()}
    read = Counter({unit: n for unit, n in units_in_segments().items() if unit[7][:16] not in unpacked})
    read.update({unit: n for unit, n in units_of_rows().items() if unit[7][:16] in unpacked})
    return read


def sizes() -> list[int]:
    """Units of each segment, the fullest first."""
    with every_space(), connection.cursor() as cursor:
        cursor.execute("SELECT size FROM segment ORDER BY size DESC")
        return [size for (size,) in cursor.fetchall()]
