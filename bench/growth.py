"""How cost grows: with the rows someone sees, with the rows of everyone, and with those who ask at once.

Vectors are drawn at random: how long a search takes does not depend on them. A chart of each is drawn by `bench/chart`.
"""

import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count

from bench.chart import Chart
from bench.ground import SMALLER, Ground
from bench.raw import Raw, search_statement
from bench.rows import analyse, owner, strangers
from bench.table import Line
from bench.texts import questions
from bench.timing import interleaved, p50, p95, timed
from memory_app.engine.enter import enter
from memory_app.rules.question import read_question

VISIBLE = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
TOTAL = (10_000, 30_000, 100_000, 300_000, 1_000_000)
CLIENTS = (1, 2, 5, 10, 20, 50)

OWN = 1_000
"""Rows of who asks while those of others grow, and while ever more ask at once."""

ROUNDS = 30
SECONDS = 10.0
"""How long so many clients ask, each the next question as soon as it has its answer."""

MOST_QUESTIONS = 2_000
"""Of one client: more than it can ask in that time."""

THROUGHPUT_AT_LEAST, TAIL_AT_MOST = 0.7, 2.0


def measure(ground: Ground) -> Iterator[Line]:
    """The many rows come last: what is measured before is not to be among them."""
    yield from _more_to_see(ground)
    yield from _more_at_once(ground)
    yield from _more_of_others(ground)


def _more_to_see(ground: Ground) -> Iterator[Line]:
    taken = {}
    for rows in (ground.size(rows) for rows in VISIBLE):
        owner(rows, f"sees {rows}", ground.encoder, ground.now)
        analyse()
        taken[rows] = _searches(ground, f"sees {rows}")
        yield Line(f"search, {rows:,} visible rows, p50", p50(taken[rows]) * 1e3, "ms")
    points = [(rows, p50(several) * 1e3) for rows, several in taken.items()]
    _draw(Chart("A search as the rows grow that someone sees", "visible rows", "ms", points))


def _more_of_others(ground: Ground) -> Iterator[Line]:
    owner(ground.size(OWN), "stays", ground.encoder, ground.now)
    there, points = 0, []
    first = 0.0
    for total in (ground.size(rows) for rows in TOTAL):
        strangers(total - there, f"up to {total}", ground.encoder, ground.now)
        there = total
        took = p50(_searches(ground, "stays")) * 1e3
        first = first or took
        points.append((total, took))
        yield Line(f"search, {ground.size(OWN):,} rows among {total:,}, p50", took, "ms", first, "among the fewest")
    _draw(Chart(f"A search of {ground.size(OWN):,} rows as those of others grow", "rows of others", "ms", points))


def _searches(ground: Ground, person: str) -> list[float]:
    """Seconds of each, questions not asked before."""
    client, asked = ground.client(), iter(questions(ROUNDS + 5, f"{person} {time.perf_counter()}"))
    taken = [timed(lambda: client.post("/search", {"person": person, "query": next(asked)})) for _ in range(ROUNDS + 5)]
    return taken[5:]


def _more_at_once(ground: Ground) -> Iterator[Line]:
    person = "asked at once"
    owner(ground.size(OWN), person, ground.encoder, ground.now)
    analyse()
    raw = _raw(ground, person)
    points, tails = [], []
    for clients in CLIENTS:
        taken, errors, seconds = _at_once(ground, person, clients)
        rate, tail = len(taken) / seconds, p95(taken) / p50(taken)
        points.append((clients, rate))
        tails.append((clients, p95(taken) * 1e3))
        yield Line(f"{clients} clients: searches a second", rate, "/s", (cpu_count() or 1) / raw, "cores ÷ raw",
                   at_least=THROUGHPUT_AT_LEAST if clients == CLIENTS[-1] else None)  # fmt: skip
        yield Line(f"{clients} clients: p95 ÷ median", tail, "", at_most=TAIL_AT_MOST)
        yield Line(f"{clients} clients: errors", errors, "", at_most=0)
    _draw(Chart("Searches a second as more ask at once", "clients", "a second", points))
    _draw(Chart("The slowest twentieth as more ask at once", "clients", "ms (p95)", tails))


def _raw(ground: Ground, person: str) -> float:
    """Seconds of one encode and the SQL of one search."""
    entered, raw = enter(person=person), Raw()
    raw.reach(entered)
    asked = questions(ROUNDS, f"raw {person}")
    statements = [search_statement(entered, question, ground.encoder, ground.now) for question in asked]
    read = [read_question(question, at=ground.now, timezone=entered.person.zone) for question in asked]
    taken = interleaved(
        {
            "encode": lambda n: ground.model.queries([read[n].text, read[n].without_names]),
            "sql": lambda n: raw.run(statements[n]),
        },
        ROUNDS,
    )
    raw.close()
    return p50(taken["encode"]) + p50(taken["sql"])


def _at_once(ground: Ground, person: str, clients: int) -> tuple[list[float], int, float]:
    """Seconds of each search of all clients, how many failed, and how long it went on."""
    began = time.perf_counter()
    ends = began + (SECONDS / SMALLER if ground.small else SECONDS)

    def ask(number: int) -> tuple[list[float], int]:
        client, errors = ground.client(), 0
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
    return taken, sum(errors for _, errors in answers), time.perf_counter() - began


def _post(post: Callable[[str, object], object], body: object) -> Callable[[], object]:
    return lambda: post("/search", body)


def _draw(chart: Chart) -> None:
    print(f"\n{chart}\n", file=sys.stderr, flush=True)
