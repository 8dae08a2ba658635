"""Memories added one by one and in batches, over HTTP, beside the model's own rate on the same texts."""

from collections import Counter
from collections.abc import Iterator, Sequence

from bench.searching import FEW_ROWS, MANY_ROWS
from bench.server import Client
from bench.setup import BenchSetup
from bench.table import Line
from bench.texts import texts
from bench.timing import interleaved, p50, p95

BATCH = 500
MOST_ROUNDS = 10
"""Batches that are timed; sentence-transformers takes seconds for each."""

ONE_BY_ONE = 100


def measure(bench_setup: BenchSetup) -> Iterator[Line]:
    """Leaves behind one person with `FEW` memories and one with `MANY`."""
    client = bench_setup.client()
    yield from _one_by_one(bench_setup, client)
    outcomes: Counter[str] = Counter()
    for rows in (FEW_ROWS, MANY_ROWS):
        yield from _imported(bench_setup, client, rows, outcomes)
    yield Line("imported texts that were taken for repeats of others", outcomes.total() - outcomes["added"], "rows")


def _one_by_one(bench_setup: BenchSetup, client: Client) -> Iterator[Line]:
    contents = texts(ONE_BY_ONE, "one by one")
    _add(client, "newcomer", "Before anything is measured.")
    taken = interleaved(
        {
            "http": lambda n: _add(client, "newcomer", contents[n]),
            "encode": lambda n: bench_setup.model.documents([contents[n]]),
        },
        ONE_BY_ONE,
    )
    encode = p50(taken["encode"]) * 1e3
    yield Line("add one memory, p50", p50(taken["http"]) * 1e3, "ms", encode, "encode")
    yield Line("add one memory, p95", p95(taken["http"]) * 1e3, "ms", encode, "encode, p50")


def _imported(bench_setup: BenchSetup, client: Client, rows: int, outcomes: Counter[str]) -> Iterator[Line]:
    contents = texts(rows, f"import of {rows}")
    batches = [contents[start : start + BATCH] for start in range(0, rows, BATCH)]

    def send(n: int) -> None:
        outcomes.update(_import(client, bench_setup.person(rows), batches[n]))

    acts = {
        "http": send,
        "encode": lambda n: bench_setup.model.documents(batches[n]),
        "library": lambda n: bench_setup.library.documents(batches[n]),
    }
    taken = interleaved(acts, min(len(batches), MOST_ROUNDS))
    for n in range(MOST_ROUNDS, len(batches)):
        send(n)
    rates = {name: BATCH / p50(seconds) for name, seconds in taken.items()}
    what = f"import of {rows:,}, {BATCH} a call"
    yield Line(what, rates["http"], "rows/s", rates["library"], "sentence-transformers", at_least=0.8)
    yield Line(what, rates["http"], "rows/s", rates["encode"], "the same model in ONNX",
               at_least=0.8 if rows == MANY_ROWS else None)  # fmt: skip


def _add(client: Client, person: str, content: str) -> None:
    client.post("/memories", {"person": person, "content": content})


def _import(client: Client, person: str, contents: Sequence[str]) -> list[str]:
    items = [{"person": person, "content": content} for content in contents]
    return [item["outcome"] for item in client.post("/memories/batch", {"items": items})["items"]]
