"""Search, add and import beside other memories: the same texts, the same encoder, the same machine, in turns.

Theirs are calls within this process. Ours go over HTTP, and searches are measured as calls within this process too, on
a connection of its own, from the names in the request to the bytes of the answer. Neither theirs nor ours has seen a
question before, and theirs read it with weights of 32 bits.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import psutil
from django.utils import timezone
from pydantic_core import to_json

from bench.peer_stores import CHUNK, Peer, peers
from bench.rows import add_rows_of_others, pack_rows_of, random_vectors
from bench.server import Client
from bench.setup import BenchSetup
from bench.standing import MIB
from bench.table import Line
from bench.texts import questions, texts
from bench.timing import Act, interleaved, p50, p95
from memory_app.embedding.vectors import Vectors
from memory_app.engine.retrieval.query import RecallQuery, memory_results
from memory_app.engine.retrieval.recall import recall
from memory_app.engine.venue_context import resolve_venue
from memory_app.serializers.memory import memory_values

FEW_ROWS, MANY_ROWS, ALL_ROWS = 1_000, 10_000, 100_000
ROUNDS = 60
WARM = 5
BEST = 10
ADDED = 60

OVER_HTTP = {"LangGraph": (1.1, 1.8), "Chroma": (0.6, 0.5)}
WITHIN_PROCESS = {"LangGraph": (0.8, 1.5), "Chroma": (0.6, 0.5)}
"""Ratios of a search that are to be reached, with few rows and with many."""

ADD_AT_MOST, IMPORT_AT_LEAST = {"mem0": 1.0}, {"Chroma": 0.9}


Find = Callable[[str], Sequence[str]]
"""The texts found for a question."""


@dataclass
class Person:
    """Someone whose rows every memory holds. vectors: of them, in order."""

    name: str
    texts: Sequence[str]
    vectors: Vectors = field(repr=False)


def measure(bench_setup: BenchSetup) -> Iterator[Line]:
    few, many, all_rows = (bench_setup.size(rows) for rows in (FEW_ROWS, MANY_ROWS, ALL_ROWS))
    client = bench_setup.client()
    people = [_person(bench_setup, rows) for rows in (few, many)]
    before = psutil.Process().memory_info().rss
    with peers(bench_setup.exact, Path(bench_setup.server.data) / "peers") as stores:
        yield from _imported(client, stores, people)
        _fill(bench_setup, stores, all_rows - few - many)
        for place, person in enumerate(people):
            pack_rows_of(person.name)
            yield from _searched(bench_setup, client, stores, person, place)
        yield from _added(client, stores)
        yield Line("memory: ours, of everything", sum(bench_setup.server.memory().values()) / MIB, "MiB")
        theirs = (psutil.Process().memory_info().rss - before) / MIB
        yield Line("memory: this process more by all of theirs together, without the database", theirs, "MiB")


def _person(bench_setup: BenchSetup, rows: int) -> Person:
    own = texts(rows, f"peers {rows}")
    return Person(f"peer of {rows}", own, bench_setup.exact.documents(own))


def _imported(client: Client, stores: Sequence[Peer], people: Sequence[Person]) -> Iterator[Line]:
    rates: dict[str, list[float]] = {}
    for person in people:
        chunks = [person.texts[at : at + CHUNK] for at in range(0, len(person.texts), CHUNK)]
        acts: dict[str, Act] = {"ours": lambda n, p=person, c=chunks: _import(client, p.name, c[n])}  # type: ignore[misc]
        acts |= {one.name: lambda n, o=one, p=person, c=chunks: o.add_all(p.name, c[n]) for one in stores}  # type: ignore[misc]
        for name, taken in interleaved(acts, len(chunks)).items():
            rates.setdefault(name, []).extend(len(chunk) / s for chunk, s in zip(chunks, taken, strict=True))
    middle = {name: p50(several) for name, several in rates.items()}
    for one in stores:
        least = IMPORT_AT_LEAST.get(one.name)
        yield Line(f"import, {CHUNK} a call", middle["ours"], "rows/s", middle[one.name], one.name, at_least=least)


def _import(client: Client, person: str, contents: Sequence[str]) -> None:
    client.post("/memories/batch", {"items": [{"person": person, "content": content} for content in contents]})


def _fill(bench_setup: BenchSetup, stores: Sequence[Peer], rows: int) -> None:
    """The rows of many others, with vectors at random."""
    add_rows_of_others(rows, "beside peers", bench_setup.encoder, bench_setup.now)
    for number in range(rows // FEW_ROWS):
        contents = texts(FEW_ROWS, f"stranger beside peers {number}")
        vectors = random_vectors(FEW_ROWS, bench_setup.encoder.dimensions, number).astype(np.float32)
        for one in stores:
            for at in range(0, FEW_ROWS, CHUNK):
                one.fill(f"stranger {number}", contents[at : at + CHUNK], vectors[at : at + CHUNK])


def _searched(
    bench_setup: BenchSetup, client: Client, stores: Sequence[Peer], person: Person, place: int
) -> Iterator[Line]:
    """place: of the bounds, 0 for few rows and 1 for many."""
    asked = questions(ROUNDS + WARM, f"peers {person.name}")
    acts: dict[str, Act] = {
        "ours": lambda n: client.post("/search", {"person": person.name, "query": asked[n], "limit": BEST}),
        "within": lambda n: _search_within(bench_setup, person.name, asked[n]),
    }
    acts |= {one.name: lambda n, o=one: o.find(person.name, asked[n], BEST) for one in stores}  # type: ignore[misc]
    for act in acts.values():
        for n in range(ROUNDS, ROUNDS + WARM):
            act(n)
    taken = interleaved(acts, ROUNDS)
    what = f"search, {len(person.texts):,} rows"
    for way, measured, bounds in (("over HTTP", "ours", OVER_HTTP), ("in process", "within", WITHIN_PROCESS)):
        for one in stores:
            most = bounds[one.name][place] if one.name in bounds else None
            ours, theirs = taken[measured], taken[one.name]
            yield Line(f"{what}, {way}, p50", p50(ours) * 1e3, "ms", p50(theirs) * 1e3, one.name, at_most=most)
            yield Line(f"{what}, {way}, p95", p95(ours) * 1e3, "ms", p95(theirs) * 1e3, one.name)
    found = _recall(bench_setup, person, asked, lambda query: _by_meaning(client, person.name, query))
    for one in stores:
        beside = _recall(bench_setup, person, asked, lambda query, o=one: o.find(person.name, query, BEST))  # type: ignore[misc]
        yield Line(f"{what}: recall@{BEST} against exact", found, "", beside, one.name)


def _search_within(bench_setup: BenchSetup, person: str, query: str) -> bytes:
    """What a request for a search does, without HTTP, the key and the log of requests."""
    now = timezone.now()
    venue_context = resolve_venue(person=person)
    found = recall(
        venue_context=venue_context, recall_query=RecallQuery(query, BEST), now=now, encoder=bench_setup.encoder
    )
    shown = [
        {
            "kind": "memory",
            "memory": memory_values(result.row, now),
            "passage": result.passage or None,
            "score": round(result.score, 4),
            "relevant": result.relevant,
        }
        for result in memory_results(found.results)
    ]
    return to_json({"results": shown, "total_found": found.total_found, "search_method": found.search_method})


def _by_meaning(client: Client, person: str, query: str) -> list[str]:
    found = client.post("/search", {"person": person, "query": query, "limit": BEST, "method": "vector"})
    return [result["memory"]["content"] for result in found["results"]]


def _recall(bench_setup: BenchSetup, person: Person, asked: Sequence[str], find: Find) -> float:
    """Of the ten texts nearest to each question, how many are found."""
    shares = []
    for query in asked[:ROUNDS]:
        near = np.argsort(-(person.vectors @ bench_setup.exact.queries([query])[0]))[:BEST]
        shares.append(len({person.texts[n] for n in near} & {*find(query)}) / BEST)
    return float(np.mean(shares))


def _added(client: Client, stores: Sequence[Peer]) -> Iterator[Line]:
    contents = texts(ADDED + WARM, "peers one by one")
    acts: dict[str, Act] = {"ours": lambda n: client.post("/memories", {"person": "adder", "content": contents[n]})}
    acts |= {one.name: lambda n, o=one: o.add("adder", contents[n]) for one in stores}  # type: ignore[misc]
    for act in acts.values():
        for n in range(ADDED, ADDED + WARM):
            act(n)
    taken = interleaved(acts, ADDED)
    for one in stores:
        ours, theirs, most = taken["ours"], taken[one.name], ADD_AT_MOST.get(one.name)
        yield Line("add one memory, p50", p50(ours) * 1e3, "ms", p50(theirs) * 1e3, one.name, at_most=most)
        yield Line("add one memory, p95", p95(ours) * 1e3, "ms", p95(theirs) * 1e3, one.name)
