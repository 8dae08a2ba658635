"""Erasing one memory among a million, beside the bare deletes of its rows, each a statement of one transaction."""

import threading
from collections.abc import Iterator
from functools import partial

from django.db import connection
from django.utils import timezone

from bench.rows import add_rows_of_others
from bench.setup import BenchSetup
from bench.table import Line
from bench.timing import p50, timed
from memory_app.engine.audit.log import Author
from memory_app.engine.erasure.erase_memory import erase
from memory_app.engine.memories.edit import MemoryRef
from memory_app.models import Memory
from memory_app.models.row_security import every_space

ROWS, SMALL, ROUNDS, WARMING = 1_000_000, 50_000, 40, 5
AUTHOR = Author("command", "bench")

BARE_DELETES = (
    "DELETE FROM memory_version WHERE space_id = %(space)s AND memory_id = %(memory)s",
    "DELETE FROM entity_link WHERE space_id = %(space)s AND memory_id = %(memory)s",
    "DELETE FROM proposal WHERE space_id = %(space)s AND memory_id = %(memory)s",
    "DELETE FROM receipt WHERE items @> jsonb_build_array(jsonb_build_object('memory', %(memory)s))",
    "DELETE FROM idempotency WHERE %(memory)s = ANY(memory_ids)",
    "DELETE FROM memory WHERE space_id = %(space)s AND id = %(memory)s",
)
"""What anyone would write who knows in which tables a memory is."""


def measure(bench_setup: BenchSetup) -> Iterator[Line]:
    rows = SMALL if bench_setup.small else ROWS
    add_rows_of_others(rows, "to erase among", bench_setup.encoder, bench_setup.now)
    memories = _some_memories(2 * (ROUNDS + WARMING))
    bare, erased = [], []
    for number in range(ROUNDS + WARMING):
        bare.append(timed(partial(_delete, memories[2 * number])))
        erased.append(timed(partial(_erase, memories[2 * number + 1])))
        _let_searches_end()
    bare, erased = bare[WARMING:], erased[WARMING:]
    what = f"erase of one memory among {rows:,}, p50"
    yield Line(what, p50(erased) * 1e3, "ms", p50(bare) * 1e3, "bare deletes", at_most=5)


def _some_memories(number: int) -> list[MemoryRef]:
    with every_space():
        rows = Memory.objects.order_by("?").values_list("space_id", "id")[:number]
        return [MemoryRef(space, memory) for space, memory in rows]


def _delete(at: MemoryRef) -> None:
    with every_space(), connection.cursor() as cursor:
        for statement in BARE_DELETES:
            cursor.execute(statement, {"space": at.space, "memory": at.id})


def _erase(at: MemoryRef) -> None:
    erase(at=at, author=AUTHOR, now=timezone.now())


def _let_searches_end() -> None:
    """Where there is much, the words of what was erased are searched for afterwards, beside all else."""
    for thread in threading.enumerate():
        if thread.name == "traces":
            thread.join()
