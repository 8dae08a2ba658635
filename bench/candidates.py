"""Of the rows nearest to a question, how many are among the candidates that signs alone leave, and what that costs.

The vectors are real: texts of `bench.texts`, read by the model. A hundred thousand take minutes, so they are kept in a
file beside the exported model, under its name.
"""

from collections.abc import Iterator, Sequence
from os import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from bench.setup import BenchSetup
from bench.table import Line
from bench.texts import questions, texts
from bench.timing import interleaved, p50
from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.nlp.queries.question import read_question
from memory_app.rules.rank_units import ROUGHLY_RANKED, compared_exactly, cosines_by_signs, cosines_by_values

ROWS = (1_000, 10_000, 100_000)
QUESTIONS = 200
ROUNDS = 40
MISSED_OF = 10_000
NEAREST = {10: 10, 20: 10, 200: 100}
"""So many nearest, and how many of 10,000 of them the candidates may lack."""

CHUNK = 2_000
"""Texts that are read between two reports."""

Array = NDArray[Any]


def measure(bench_setup: BenchSetup) -> Iterator[Line]:
    every_size = [bench_setup.size(rows) for rows in ROWS]
    vectors = _document_vectors(bench_setup.exact, every_size[-1])
    asked = _question_vectors(bench_setup, QUESTIONS)
    order = np.random.default_rng(0).permutation(len(vectors))
    for rows in every_size:
        yield from _among(bench_setup, vectors[order[:rows]], asked)


def candidate_rows(signs: Array, question: Vectors) -> Array:
    """Places of the rows that a search compares exactly, were they all alike but for their vectors. signs: packed."""
    roughly = _best(cosines_by_signs(signs, question), ROUGHLY_RANKED)
    chosen: Array = roughly[_best(cosines_by_values(signs[roughly], question), compared_exactly(len(signs)))]
    return chosen


def _among(bench_setup: BenchSetup, vectors: Vectors, asked: Vectors) -> Iterator[Line]:
    signs, what = np.packbits(vectors > 0, axis=1), f"candidates among {len(vectors):,} rows"
    cosines = vectors @ asked.T
    found = [set(candidate_rows(signs, one).tolist()) for one in asked]
    for count, most in NEAREST.items():
        near = [np.argpartition(-one, count)[:count].tolist() if count < len(one) else range(len(one))
                for one in cosines.T]  # fmt: skip
        held = [len(found[n].intersection(those)) / len(those) for n, those in enumerate(near)]
        missed = MISSED_OF * (1 - float(np.mean(held)))
        yield Line(f"{what}: missed of the nearest {count}", missed, f"of {MISSED_OF:,}", at_most=most)
    queries = questions(ROUNDS, "beside candidates")
    taken = interleaved(
        {
            "candidates": lambda n: candidate_rows(signs, asked[n % len(asked)]),
            "exact": lambda n: vectors @ asked[n % len(asked)],
            "encode": lambda n: bench_setup.exact.queries([queries[n]]),
        },
        ROUNDS,
    )
    candidates = p50(taken["candidates"]) * 1e3
    yield Line(f"{what}, p50", candidates, "ms", p50(taken["exact"]) * 1e3, "all vectors, exactly")
    yield Line(f"{what}, p50", candidates, "ms", p50(taken["encode"]) * 1e3, "encode")


def _best(scores: Array, count: int) -> Array:
    """Places of the highest scores."""
    return np.argpartition(-scores, count)[:count] if count < len(scores) else np.arange(len(scores))


def _question_vectors(bench_setup: BenchSetup, count: int) -> Vectors:
    """Of each question what rows are compared with: where it names someone, the mean of it with and without names."""
    rows = []
    for text in questions(count, "candidates"):
        question = read_question(text, at=bench_setup.now, timezone=ZoneInfo("UTC"))
        whole, bare = bench_setup.exact.queries([question.text, question.without_names])
        total = whole + bare if question.names else whole
        rows.append(total / np.linalg.norm(total))
    return np.array(rows, np.float32)


def _document_vectors(encoder: Encoder, count: int) -> Vectors:
    """Of so many texts, from the file or, where that has too few, read now and kept for the next time."""
    file = settings.KEEPSAKE_DATA / "models" / f"{quote(encoder.name, safe='@')}.bench-vectors.npy"
    if file.exists():
        kept: Vectors = np.load(file)
        if len(kept) >= count:
            return kept[:count]
    vectors = _encode(encoder, texts(count, "candidates"))
    _write(file, vectors)
    return vectors


def _encode(encoder: Encoder, contents: Sequence[str]) -> Vectors:
    return np.concatenate([encoder.documents(contents[at : at + CHUNK]) for at in range(0, len(contents), CHUNK)])


def _write(file: Path, vectors: Vectors) -> None:
    """Whole or not at all."""
    partial = file.with_suffix(".partial.npy")
    np.save(partial, vectors)
    replace(partial, file)
