"""The backfill of vectors beside the encoder alone, over the same texts."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial

from django_q.models import Schedule

from bench.ground import Ground
from bench.table import Line
from bench.texts import texts
from bench.timing import timed
from memory_app.engine.enter import enter
from memory_app.engine.keeping.compose import Given, compose
from memory_app.engine.running.reembed import reembed
from memory_app.models import Memory
from memory_app.models.scope import every_space

BACKFILLED, ROUNDS = 2_048, 9


def measure(ground: Ground) -> Iterator[Line]:
    Schedule.objects.update(next_run=ground.now + timedelta(days=1))  # the worker is to take nothing from under us
    reembed(encoder=ground.model, report=lambda done, total: None)  # what was said before, and waits
    contents = texts(BACKFILLED, "backfill")
    entered = enter(person="backfilled")
    with every_space():
        Memory.objects.bulk_create([compose(entered, Given(text, key=""), ground.now) for text in contents])
    ours, alone = list[float](), list[float]()
    for number in range(ROUNDS):
        with every_space():
            Memory.objects.filter(person=entered.person).update(embedding=None, embedding_model=None)
        acts: list[tuple[list[float], Callable[[], object]]] = [
            (ours, partial(_embed, ground)),
            (alone, partial(ground.model.documents, contents)),
        ]
        for taken, act in acts if number % 2 else reversed(acts):
            taken.append(timed(act))
    # The round whose ratio is in the middle: both of a round are disturbed by about the same.
    middle = sorted(range(ROUNDS), key=lambda number: alone[number] / ours[number])[ROUNDS // 2]
    rates = [len(contents) / taken[middle] for taken in (ours, alone)]
    what = f"backfill of {len(contents):,} memories"
    yield Line(what, rates[0], "rows/s", rates[1], "the same model alone", at_least=0.9)


def _embed(ground: Ground) -> None:
    done = reembed(encoder=ground.model, report=lambda done, total: None)
    assert done == BACKFILLED, done
