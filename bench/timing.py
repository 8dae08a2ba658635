"""Times of several ways to do a thing, taken in turns: what else the machine does then falls on all of them alike."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

Act = Callable[[int], object]


def interleaved(acts: Mapping[str, Act], rounds: int) -> dict[str, list[float]]:
    """Seconds each act took in each round; an act is given the round's number. Which goes first changes each round."""
    taken: dict[str, list[float]] = {name: [] for name in acts}
    names = list(acts)
    for number in range(rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            taken[name].append(timed(partial(acts[name], number)))
    return taken


def timed(act: Callable[[], object]) -> float:
    """Seconds that it took."""
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def p50(taken: Sequence[float]) -> float:
    return statistics.median(taken)


def p95(taken: Sequence[float]) -> float:
    return sorted(taken)[int(len(taken) * 0.95)]
