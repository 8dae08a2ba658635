"""Search over HTTP beside the model call and the statement it is made of, and as other people's rows grow."""

from collections.abc import Iterator
from dataclasses import dataclass

from bench.ground import Ground
from bench.raw import Raw, search_statement
from bench.rows import analyse, strangers
from bench.table import Line
from bench.texts import questions
from bench.timing import Act, interleaved, p50, p95
from memory_app.engine.enter import enter
from memory_app.rules.question import read_question

ROUNDS = 60
FEW, MANY = 1_000, 10_000
OTHERS, MORE_OTHERS = 10_000, 100_000


@dataclass(frozen=True)
class Taken:
    """Seconds of each way, round by round."""

    http: list[float]
    encode: list[float]
    sql: list[float]

    @property
    def raw(self) -> float:
        return p50(self.encode) + p50(self.sql)


def measure(ground: Ground) -> Iterator[Line]:
    """Expects `adding` to have filled the two people."""
    strangers(OTHERS, "early", ground.encoder, ground.now)
    for rows in (FEW, MANY):
        yield from _beside_raw(rows, _search(ground, rows, "early"))
    before = {rows: _search(ground, rows, "before") for rows in (FEW, MANY)}
    strangers(MORE_OTHERS - OTHERS, "late", ground.encoder, ground.now)
    for rows in (FEW, MANY):
        yield _among_others(rows, before[rows], _search(ground, rows, "after"))


def _beside_raw(rows: int, taken: Taken) -> Iterator[Line]:
    what = f"search, {rows:,} rows of one person"
    limit = 2.5 if rows == MANY else None
    yield Line(f"{what}, p50", p50(taken.http) * 1e3, "ms", taken.raw * 1e3, "encode + SQL", at_most=limit)
    yield Line(f"{what}, p95", p95(taken.http) * 1e3, "ms", taken.raw * 1e3, "encode + SQL, p50")
    yield Line(f"{what}: encode alone", p50(taken.encode) * 1e3, "ms", taken.raw * 1e3, "encode + SQL")
    yield Line(f"{what}: SQL alone", p50(taken.sql) * 1e3, "ms", taken.raw * 1e3, "encode + SQL")


def _among_others(rows: int, before: Taken, after: Taken) -> Line:
    """The time before is corrected for how fast the machine was, by the model's calls: they know nothing of rows."""
    pace = p50(after.encode) / p50(before.encode)
    what = f"search, {rows:,} rows among {MORE_OTHERS:,} of others, p50"
    return Line(what, p50(after.http) * 1e3, "ms", p50(before.http) * pace * 1e3, f"among {OTHERS:,}", at_most=1.2)


def _search(ground: Ground, rows: int, label: str) -> Taken:
    analyse()
    person = ground.person(rows)
    entered, client, raw = enter(person=person), ground.client(), Raw()
    raw.reach(entered)
    asked = questions(ROUNDS + 5, f"{label} {rows}")
    statements = [search_statement(entered, question, ground.encoder, ground.now) for question in asked]
    read = [read_question(question, at=ground.now, timezone=entered.person.zone) for question in asked]

    def find(n: int) -> None:
        client.post("/search", {"person": person, "query": asked[n]})

    def encode(n: int) -> None:
        ground.model.queries([read[n].text, read[n].without_names])

    acts: dict[str, Act] = {"http": find, "encode": encode, "sql": lambda n: raw.run(statements[n])}
    for act in acts.values():
        for n in range(ROUNDS, ROUNDS + 5):
            act(n)
    taken = interleaved(acts, ROUNDS)
    raw.close()
    return Taken(taken["http"], taken["encode"], taken["sql"])
