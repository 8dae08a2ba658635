"""Erasing one memory among a million, beside the bare deletes of its rows, each a statement of one transaction."""

import threading
from collections.abc import Iterator
from functools import partial

from django.db import connection
from django.utils import timezone

from bench.ground import Ground
from bench.rows import strangers
from bench.table import Line
from bench.timing import p50, timed
from memory_app.engine.author import Author
from memory_app.engine.edit import At
from memory_app.engine.erasing.erase import erase
from memory_app.models import Memory
from memory_app.models.scope import every_space

ROWS, SMALL, ROUNDS, WARMING = 1_000_000, 50_000, 40, 5
AUTHOR = Author("command", "bench")

BARE = (
    "DELETE FROM memory_version WHERE space_id = %(space)s AND memory_id = %(memory)s",
    "DELETE FROM entity_link WHERE space_id = %(space)s AND memory_id = %(memory)s",
    "DELETE FROM proposal WHERE space_id = %(space)s AND memory_id = %(memory)s",
    "DELETE FROM receipt WHERE items @> jsonb_build_array(jsonb_build_object('memory', %(memory)s))",
    "DELETE FROM idempotency WHERE %(memory)s = ANY(memory_ids)",
    "DELETE FROM memory WHERE space_id = %(space)s AND id = %(memory)s",
)
"""What anyone would write who knows in which tables a memory is."""


def measure(ground: Ground) -> Iterator[Line]:
    rows = SMALL if ground.small else ROWS
    strangers(rows, "to erase among", ground.encoder, ground.now)
    memories = _some(2 * (ROUNDS + WARMING))
    bare, erased = [], []
    for number in range(ROUNDS + WARMING):
        bare.append(timed(partial(_delete, memories[2 * number])))
        erased.append(timed(partial(_erase, memories[2 * number + 1])))
        _let_searches_end()
    bare, erased = bare[WARMING:], erased[WARMING:]
    what = f"erase of one memory among {rows:,}, p50"
    yield Line(what, p50(erased) * 1e3, "ms", p50(bare) * 1e3, "bare deletes", at_most=5)


def _some(number: int) -> list[At]:
    with every_space():
        rows = Memory.objects.order_by("?").values_list("space_id", "id")[:number]
        return [At(space, memory) for space, memory in rows]


def _delete(at: At) -> None:
    with every_space(), connection.cursor() as cursor:
        for statement in BARE:
            cursor.execute(statement, {"space": at.space, "memory": at.id})


def _erase(at: At) -> None:
    erase(at=at, author=AUTHOR, now=timezone.now())


def _let_searches_end() -> None:
    """Where there is much, the words of what was erased are searched for afterwards, beside all else."""
    for thread in threading.enumerate():
        if thread.name == "traces":
            thread.join()
