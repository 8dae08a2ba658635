"""Search over HTTP beside the model call and the statements it is made of, and as other people's rows grow."""

from collections.abc import Iterator
from dataclasses import dataclass

from bench.raw_sql import RawConnection, search_statements
from bench.rows import add_rows_of_others, analyse, pack_rows_of
from bench.setup import BenchSetup
from bench.table import Line
from bench.texts import questions
from bench.timing import Act, interleaved, p50, p95
from memory_app.engine.venue_context import resolve_venue
from memory_app.nlp.queries.question import read_question

ROUNDS = 60
FEW_ROWS, MANY_ROWS = 1_000, 10_000
OTHERS, MORE_OTHERS = 10_000, 100_000


@dataclass(frozen=True)
class SearchTimes:
    """Seconds of each way, round by round."""

    http: list[float]
    encode: list[float]
    sql: list[float]

    @property
    def raw(self) -> float:
        return p50(self.encode) + p50(self.sql)


def measure(bench_setup: BenchSetup) -> Iterator[Line]:
    """Expects `adding` to have filled the two people."""
    add_rows_of_others(OTHERS, "early", bench_setup.encoder, bench_setup.now)
    for rows in (FEW_ROWS, MANY_ROWS):
        yield from _compare_with_raw(rows, _search(bench_setup, rows, "early"))
    before = {rows: _search(bench_setup, rows, "before") for rows in (FEW_ROWS, MANY_ROWS)}
    add_rows_of_others(MORE_OTHERS - OTHERS, "late", bench_setup.encoder, bench_setup.now)
    for rows in (FEW_ROWS, MANY_ROWS):
        yield _compare_among_others(rows, before[rows], _search(bench_setup, rows, "after"))


def _compare_with_raw(rows: int, taken: SearchTimes) -> Iterator[Line]:
    what = f"search, {rows:,} rows of one person"
    limit = 2.5 if rows == MANY_ROWS else None
    yield Line(f"{what}, p50", p50(taken.http) * 1e3, "ms", taken.raw * 1e3, "encode + SQL", at_most=limit)
    yield Line(f"{what}, p95", p95(taken.http) * 1e3, "ms", taken.raw * 1e3, "encode + SQL, p50")
    yield Line(f"{what}: encode alone", p50(taken.encode) * 1e3, "ms", taken.raw * 1e3, "encode + SQL")
    yield Line(f"{what}: SQL alone", p50(taken.sql) * 1e3, "ms", taken.raw * 1e3, "encode + SQL")


def _compare_among_others(rows: int, before: SearchTimes, after: SearchTimes) -> Line:
    """The time before is corrected for how fast the machine was, by the model's calls: they know nothing of rows."""
    pace = p50(after.encode) / p50(before.encode)
    what = f"search, {rows:,} rows among {MORE_OTHERS:,} of others, p50"
    return Line(what, p50(after.http) * 1e3, "ms", p50(before.http) * pace * 1e3, f"among {OTHERS:,}", at_most=1.2)


def _search(bench_setup: BenchSetup, rows: int, label: str) -> SearchTimes:
    analyse()
    person = bench_setup.person(rows)
    pack_rows_of(person)
    venue_context, client, raw = resolve_venue(person=person), bench_setup.client(), RawConnection()
    raw.set_spaces(venue_context)
    asked = questions(ROUNDS + 5, f"{label} {rows}")
    statements = [
        search_statements(venue_context, question, bench_setup.encoder, bench_setup.now) for question in asked
    ]
    read = [read_question(question, at=bench_setup.now, timezone=venue_context.person.zone) for question in asked]

    def find(n: int) -> None:
        client.post("/search", {"person": person, "query": asked[n]})

    def encode(n: int) -> None:
        bench_setup.model.queries([read[n].text, read[n].without_names])

    acts: dict[str, Act] = {"http": find, "encode": encode, "sql": lambda n: raw.run_all(statements[n])}
    for act in acts.values():
        for n in range(ROUNDS, ROUNDS + 5):
            act(n)
    taken = interleaved(acts, ROUNDS)
    raw.close()
    return SearchTimes(taken["http"], taken["encode"], taken["sql"])
