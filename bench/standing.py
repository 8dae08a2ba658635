"""How soon it is ready the second time, and what memory it takes when nobody asks anything."""

import time
from collections.abc import Iterator

from bench.setup import BenchSetup
from bench.table import Line

MIB = 1024 * 1024
SETTLES_SECONDS = 5.0


def measure(bench_setup: BenchSetup) -> Iterator[Line]:
    """Expects the second start, and nothing asked of it yet but what loads the model."""
    yield Line("second start, until it greets", bench_setup.server.seconds, "s", at_most=8)
    client = bench_setup.client()
    client.post("/memories", {"person": "warm", "content": "The kettle is warm."})
    client.post("/search", {"person": "warm", "query": "What is warm?"})
    time.sleep(SETTLES_SECONDS)
    parts = bench_setup.server.memory()
    yield Line("memory of everything, idle", sum(parts.values()) / MIB, "MiB", at_most=1000)
    for part, size in parts.items():
        yield Line(f"memory, idle: {part}", size / MIB, "MiB")
