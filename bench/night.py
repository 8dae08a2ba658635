"""What goes on by itself: the backfill beside the encoder alone, the fade beside a bare UPDATE, and the idle worker."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial

from django.db import connection
from django_q.models import Schedule

from bench import backfill, idle
from bench.rows import copied_columns
from bench.setup import BenchSetup
from bench.table import Line
from bench.timing import p50, timed
from memory_app.engine.audit.log import Author
from memory_app.engine.deletion.fade import fade
from memory_app.engine.memories.memory_input import MemoryInput
from memory_app.engine.memories.remember import remember
from memory_app.engine.venue_context import resolve_venue
from memory_app.models.ids import new_id
from memory_app.models.row_security import every_space

FADING, FADE_ROUNDS = 1_000_000, 2
FADED_AGE = timedelta(days=4_000)
AUTHOR = Author("command", "bench")


def measure(bench_setup: BenchSetup) -> Iterator[Line]:
    yield from idle.measure(bench_setup)
    Schedule.objects.update(next_run=bench_setup.now + timedelta(days=1))  # the worker is to take nothing from under us
    yield from backfill.measure(bench_setup)
    yield _fade(bench_setup)


def _fade(bench_setup: BenchSetup) -> Line:
    """Each starts from rows as they lie after a VACUUM FULL, for what the one leaves behind would slow the other."""
    _old_rows(bench_setup)
    bare, ours = list[float](), list[float]()
    for _ in range(FADE_ROUNDS):
        _reset_rows(bench_setup)
        bare.append(timed(partial(_bare_update, bench_setup)))
        _reset_rows(bench_setup)
        ours.append(timed(partial(_run_fade, bench_setup)))
    what = f"fade of {bench_setup.size(FADING):,} memories"
    return Line(what, p50(ours), "s", p50(bare), "one bare UPDATE of them", at_most=3)


def _old_rows(bench_setup: BenchSetup) -> None:
    """So many memories of one person like one that the engine made, long ago."""
    told = bench_setup.now - FADED_AGE
    venue_context = resolve_venue(person="faded")
    memory_input = MemoryInput("Marta gave away the oak bookshelf at the harbour, because the rent went up.", key="")
    model = remember(
        venue_context=venue_context, memory_input=memory_input, author=AUTHOR, now=told, encoder=bench_setup.model
    ).memory
    with every_space(), connection.cursor() as cursor:
        names = copied_columns()
        values = ", ".join("gen_random_uuid()" if name == "id" else f"model.{name}" for name in names)
        cursor.execute(
            f"INSERT INTO memory ({', '.join(names)})"
            f" SELECT {values} FROM memory model, generate_series(2, %s) WHERE model.id = %s",
            [bench_setup.size(FADING), model.id],
        )


def _reset_rows(bench_setup: BenchSetup) -> None:
    """The rows as they were before, closely packed."""
    with every_space(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memory SET status = 'active', deleted_at = NULL, deleted_by = '', delete_reason = '', version = 1"
            " WHERE reinforced_at < %s AND version > 1",
            [bench_setup.now - FADED_AGE / 2],
        )
        cursor.execute("DELETE FROM memory_version")
        cursor.execute("DELETE FROM operation")
    with connection.cursor() as cursor:
        for table in ("memory", "memory_version"):
            cursor.execute(f"VACUUM (FULL, ANALYZE) {table}")


def _bare_update(bench_setup: BenchSetup) -> None:
    with every_space(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memory SET status = 'deleted', deleted_at = %s, deleted_by = %s, delete_reason = 'faded',"
            " version = version + 1, updated_at = %s, changed_by = %s WHERE reinforced_at < %s",
            [bench_setup.now, str(new_id()), bench_setup.now, AUTHOR.label, bench_setup.now - FADED_AGE / 2],
        )
        assert cursor.rowcount == bench_setup.size(FADING), cursor.rowcount


def _run_fade(bench_setup: BenchSetup) -> None:
    gone = fade(bench_setup.now)
    assert gone == bench_setup.size(FADING), gone
