"""What goes on by itself: the backfill beside the encoder alone, the fade beside a bare UPDATE, and the idle worker."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial

from django.db import connection
from django_q.models import Schedule

from bench import backfill, idle
from bench.ground import Ground
from bench.table import Line
from bench.timing import p50, timed
from memory_app.engine.author import Author
from memory_app.engine.enter import enter
from memory_app.engine.forgetting.fade import fade
from memory_app.engine.keeping.compose import Given
from memory_app.engine.keeping.remember import remember
from memory_app.models.ids import new_id
from memory_app.models.scope import every_space

FADING, FADE_ROUNDS = 1_000_000, 2
FADED_FOR = timedelta(days=4_000)
AUTHOR = Author("command", "bench")


def measure(ground: Ground) -> Iterator[Line]:
    yield from idle.measure(ground)
    Schedule.objects.update(next_run=ground.now + timedelta(days=1))  # the worker is to take nothing from under us
    yield from backfill.measure(ground)
    yield _fade(ground)


def _fade(ground: Ground) -> Line:
    """Each starts from rows as they lie after a VACUUM FULL, for what the one leaves behind would slow the other."""
    _old_rows(ground)
    bare, ours = list[float](), list[float]()
    for _ in range(FADE_ROUNDS):
        _fresh(ground)
        bare.append(timed(partial(_update, ground)))
        _fresh(ground)
        ours.append(timed(partial(_faded, ground)))
    what = f"fade of {ground.size(FADING):,} memories"
    return Line(what, p50(ours), "s", p50(bare), "one bare UPDATE of them", at_most=3)


def _old_rows(ground: Ground) -> None:
    """So many memories of one person like one that the engine made, long ago."""
    told = ground.now - FADED_FOR
    entered = enter(person="faded")
    given = Given("Marta gave away the oak bookshelf at the harbour, because the rent went up.", key="")
    model = remember(entered=entered, given=given, author=AUTHOR, now=told, encoder=ground.model).memory
    with every_space(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name FROM information_schema.columns WHERE table_name = 'memory' AND is_generated = 'NEVER'"
        )
        names = [name for (name,) in cursor.fetchall()]
        values = ", ".join("gen_random_uuid()" if name == "id" else f"model.{name}" for name in names)
        cursor.execute(
            f"INSERT INTO memory ({', '.join(names)})"
            f" SELECT {values} FROM memory model, generate_series(2, %s) WHERE model.id = %s",
            [ground.size(FADING), model.id],
        )


def _fresh(ground: Ground) -> None:
    """The rows as they were before, closely packed."""
    with every_space(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memory SET status = 'active', deleted_at = NULL, deleted_by = '', delete_reason = '', version = 1"
            " WHERE reinforced_at < %s AND version > 1",
            [ground.now - FADED_FOR / 2],
        )
        cursor.execute("DELETE FROM memory_version")
        cursor.execute("DELETE FROM operation")
    with connection.cursor() as cursor:
        for table in ("memory", "memory_version"):
            cursor.execute(f"VACUUM (FULL, ANALYZE) {table}")


def _update(ground: Ground) -> None:
    with every_space(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memory SET status = 'deleted', deleted_at = %s, deleted_by = %s, delete_reason = 'faded',"
            " version = version + 1, updated_at = %s, changed_by = %s WHERE reinforced_at < %s",
            [ground.now, str(new_id()), ground.now, AUTHOR.label, ground.now - FADED_FOR / 2],
        )
        assert cursor.rowcount == ground.size(FADING), cursor.rowcount


def _faded(ground: Ground) -> None:
    gone = fade(ground.now)
    assert gone == ground.size(FADING), gone
