"""How cost grows: with the rows someone sees, with the rows of everyone, and with those who ask at once.

Vectors are drawn at random: how long a search takes does not depend on them. Beside a search of the rows that someone
sees stands what any store would need that compares all of them: to encode the question, and to compare it with as many
vectors in memory. A chart of each is drawn by `bench/chart`.
"""

import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count

import numpy as np

from bench.raw_sql import RawConnection, search_statements
from bench.rows import add_rows_of_one, add_rows_of_others, analyse, random_vectors
from bench.setup import SMALL_RUN_DIVISOR, BenchSetup
from bench.table import Chart, Line
from bench.texts import questions
from bench.timing import Act, interleaved, p50, p95, timed
from memory_app.engine.venue_context import resolve_venue
from memory_app.nlp.queries.question import read_question

VISIBLE_ROWS = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
TOTAL_ROWS = (10_000, 30_000, 100_000, 300_000, 1_000_000)
CLIENTS = (1, 2, 5, 10, 20, 50)

OWN = 1_000
"""Rows of who asks while those of others grow, and while ever more ask at once."""

ROUNDS, WARM = 30, 5
BEST = 20
SECONDS = 10.0
"""How long so many clients ask, each the next question as soon as it has its answer."""

MOST_QUESTIONS = 2_000
"""Of one client: more than it can ask in that time."""

THROUGHPUT_AT_LEAST, TAIL_AT_MOST = 0.6, 2.0
MOST_ROWS_AT_MOST = 50
"""Milliseconds of a search of the most rows that someone sees."""


def measure(bench_setup: BenchSetup) -> Iterator[Line]:
    """The many rows come last: what is measured before is not to be among them."""
    yield from _measure_visible_rows(bench_setup)
    yield from _measure_clients(bench_setup)
    yield from _measure_rows_of_others(bench_setup)


def _measure_visible_rows(bench_setup: BenchSetup) -> Iterator[Line]:
    taken = {}
    for rows in (bench_setup.size(rows) for rows in VISIBLE_ROWS):
        add_rows_of_one(rows, f"sees {rows}", bench_setup.encoder, bench_setup.now)
        analyse()
        taken[rows], raw = _search_beside_vectors(bench_setup, f"sees {rows}", rows)
        what, beside = f"search, {rows:,} visible rows", "encode + all vectors, p50"
        yield Line(f"{what}, p50", p50(taken[rows]) * 1e3, "ms", raw * 1e3, beside)
        yield Line(f"{what}, p95", p95(taken[rows]) * 1e3, "ms", raw * 1e3, beside)
    yield Line(f"{what}, p50", p50(taken[rows]) * 1e3, "ms", at_most=MOST_ROWS_AT_MOST)
    points = [(rows, p50(several) * 1e3) for rows, several in taken.items()]
    _draw(Chart("A search as the rows grow that someone sees", "visible rows", "ms", points))


def _search_beside_vectors(bench_setup: BenchSetup, person: str, rows: int) -> tuple[list[float], float]:
    """Seconds of each search, questions not asked before; and of one encode and one comparison with all vectors."""
    client, asked = bench_setup.client(), questions(ROUNDS + WARM, f"{person} {time.perf_counter()}")
    vectors = random_vectors(rows, bench_setup.encoder.dimensions, rows).astype(np.float32)
    acts: dict[str, Act] = {
        "search": lambda n: client.post("/search", {"person": person, "query": asked[n]}),
        "encode": lambda n: bench_setup.model.queries([asked[n]]),
        "compare": lambda n: np.argpartition(vectors @ vectors[n], -BEST)[-BEST:],
    }
    for n in range(ROUNDS, ROUNDS + WARM):
        acts["search"](n)
    taken = interleaved(acts, ROUNDS)
    return taken["search"], p50(taken["encode"]) + p50(taken["compare"])


def _measure_rows_of_others(bench_setup: BenchSetup) -> Iterator[Line]:
    add_rows_of_one(bench_setup.size(OWN), "stays", bench_setup.encoder, bench_setup.now)
    there, points = 0, []
    first = 0.0
    for total in (bench_setup.size(rows) for rows in TOTAL_ROWS):
        add_rows_of_others(total - there, f"up to {total}", bench_setup.encoder, bench_setup.now)
        there = total
        took = p50(_search_seconds(bench_setup, "stays")) * 1e3
        first = first or took
        points.append((total, took))
        yield Line(
            f"search, {bench_setup.size(OWN):,} rows among {total:,}, p50", took, "ms", first, "among the fewest"
        )
    _draw(Chart(f"A search of {bench_setup.size(OWN):,} rows as those of others grow", "rows of others", "ms", points))


def _search_seconds(bench_setup: BenchSetup, person: str) -> list[float]:
    """Seconds of each, questions not asked before."""
    client, asked = bench_setup.client(), questions(ROUNDS + WARM, f"{person} {time.perf_counter()}")
    return [timed(_post(client.post, {"person": person, "query": query})) for query in asked][WARM:]


def _measure_clients(bench_setup: BenchSetup) -> Iterator[Line]:
    person = "asked at once"
    add_rows_of_one(bench_setup.size(OWN), person, bench_setup.encoder, bench_setup.now)
    analyse()
    raw = _raw_seconds(bench_setup, person)
    points, tails = [], []
    for clients in CLIENTS:
        taken, errors, seconds = _search_concurrently(bench_setup, person, clients)
        rate, tail = len(taken) / seconds, p95(taken) / p50(taken)
        points.append((clients, rate))
        tails.append((clients, p95(taken) * 1e3))
        yield Line(f"{clients} clients: searches a second", rate, "/s", (cpu_count() or 1) / raw, "cores ÷ raw",
                   at_least=THROUGHPUT_AT_LEAST if clients == CLIENTS[-1] else None)  # fmt: skip
        yield Line(f"{clients} clients: p95 ÷ median", tail, "", at_most=TAIL_AT_MOST)
        yield Line(f"{clients} clients: errors", errors, "", at_most=0)
    _draw(Chart("Searches a second as more ask at once", "clients", "a second", points))
    _draw(Chart("The slowest twentieth as more ask at once", "clients", "ms (p95)", tails))


def _raw_seconds(bench_setup: BenchSetup, person: str) -> float:
    """Seconds of one encode and the SQL of one search, each on its own."""
    venue_context, raw = resolve_venue(person=person), RawConnection()
    raw.set_spaces(venue_context)
    asked = questions(ROUNDS, f"raw {person}")
    statements = [
        search_statements(venue_context, question, bench_setup.encoder, bench_setup.now) for question in asked
    ]
    read = [read_question(question, at=bench_setup.now, timezone=venue_context.person.zone) for question in asked]
    taken = interleaved(
        {
            "encode": lambda n: bench_setup.model.queries([read[n].text, read[n].without_names]),
            "sql": lambda n: raw.run_all(statements[n]),
        },
        ROUNDS,
    )
    raw.close()
    return p50(taken["encode"]) + p50(taken["sql"])


def _search_concurrently(bench_setup: BenchSetup, person: str, clients: int) -> tuple[list[float], int, float]:
    """Seconds of each search of all clients, how many failed, and how long it went on."""
    started = time.perf_counter()
    ends = started + (SECONDS / SMALL_RUN_DIVISOR if bench_setup.small else SECONDS)

    def ask(number: int) -> tuple[list[float], int]:
        client, errors = bench_setup.client(), 0
        taken: list[float] = []
        asked = iter(questions(MOST_QUESTIONS, f"{clients} {number}"))
        while time.perf_counter() < ends or not taken:
            body = {"person": person, "query": next(asked)}
            try:
                taken.append(timed(_post(client.post, body)))
            except (RuntimeError, OSError):
                errors += 1
        return taken, errors

    with ThreadPoolExecutor(clients) as several:
        answers = list(several.map(ask, range(clients)))
    taken = [one for some, _ in answers for one in some]
    return taken, sum(errors for _, errors in answers), time.perf_counter() - started


def _post(post: Callable[[str, object], object], body: object) -> Callable[[], object]:
    return lambda: post("/search", body)


def _draw(chart: Chart) -> None:
    print(f"\n{chart}\n", file=sys.stderr, flush=True)
