"""The backfill of vectors beside the encoder alone, over the same texts."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial

from django_q.models import Schedule

from bench.setup import BenchSetup
from bench.table import Line
from bench.texts import texts
from bench.timing import timed
from memory_app.engine.memories.memory_input import MemoryInput, build_memory
from memory_app.engine.venue_context import resolve_venue
from memory_app.jobs.embed_rows import embed_rows
from memory_app.models import Memory
from memory_app.models.row_security import every_space

BACKFILLED, ROUNDS = 2_048, 9


def measure(bench_setup: BenchSetup) -> Iterator[Line]:
    Schedule.objects.update(next_run=bench_setup.now + timedelta(days=1))  # the worker is to take nothing from under us
    embed_rows(encoder=bench_setup.model, report=lambda done, total: None)  # what was said before, and waits
    contents = texts(BACKFILLED, "backfill")
    venue_context = resolve_venue(person="backfilled")
    with every_space():
        Memory.objects.bulk_create(
            [build_memory(venue_context, MemoryInput(text, key=""), bench_setup.now).memory for text in contents]
        )
    ours, alone = list[float](), list[float]()
    for number in range(ROUNDS):
        with every_space():
            Memory.objects.filter(person=venue_context.person).update(embedding=None, embedding_model=None)
        acts: list[tuple[list[float], Callable[[], object]]] = [
            (ours, partial(_embed, bench_setup)),
            (alone, partial(bench_setup.model.documents, contents)),
        ]
        for taken, act in acts if number % 2 else reversed(acts):
            taken.append(timed(act))
    # The round whose ratio is in the middle: both of a round are disturbed by about the same.
    middle = sorted(range(ROUNDS), key=lambda number: alone[number] / ours[number])[ROUNDS // 2]
    rates = [len(contents) / taken[middle] for taken in (ours, alone)]
    what = f"backfill of {len(contents):,} memories"
    yield Line(what, rates[0], "rows/s", rates[1], "the same model alone", at_least=0.9)


def _embed(bench_setup: BenchSetup) -> None:
    done = embed_rows(encoder=bench_setup.model, report=lambda done, total: None)
    assert done == BACKFILLED, done
