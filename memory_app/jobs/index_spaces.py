"""Index spaces: give each large space an index of its own, and take it away where it finds too little."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory_app.embedding.encoder import Encoder
from memory_app.engine.retrieval.signals import forget_indexes, search_indexes_deeply
from memory_app.models.row_security import every_space
from memory_app.models.vector_index import SEARCHABLE_ROWS, VectorIndex, existing_indexes
from memory_app.postgres.fast.binary_protocol import BinaryHalfVector, fetch_dicts
from memory_app.progress import ReportProgress

LARGE_FROM = 50_000
"""Shared rows from which comparing all of them takes longer than people wait (half a second at 1,000,000, with
.5 ms a thousand)."""

KEEP_LARGE_RATIO = 0.8
"""Part of that down to which an index stays: at the border it would come and go each night."""

MIN_RECALL = 0.99
SAMPLES = 100
RESULTS_COMPARED = 10
SAME_DISTANCE = 1e-5
"""Two rows that differ by so little in closeness are equally near: halves tell no more."""

COUNT_SQL = """
SELECT space_id, count(*) AS rows FROM {table}
WHERE visibility IN ('space', 'everyone') AND {condition} AND embedding_model = %(model)s
GROUP BY space_id HAVING count(*) >= %(least)s
"""


@dataclass(frozen=True, slots=True)
class IndexingResult:
    """What was done, as names of indexes. recall: of each that was checked, recall@10 against comparing all rows."""

    built: Sequence[str]
    dropped: Sequence[str]
    recall: dict[str, float]


def index_spaces(*, encoder: Encoder, report: ReportProgress, large_from: int = LARGE_FROM) -> IndexingResult:
    """Builds what is missing, checks all, drops what falls short or is needed no more. Outside of any transaction. May
    be killed anywhere and run again: a half-built index is built anew."""
    existing = {index.name: index for index in existing_indexes()}
    wanted = {index.name: index for index in _wanted_indexes(encoder, large_from, existing)}
    unneeded = [index for name, index in existing.items() if name not in wanted]
    for index in unneeded:
        index.drop()
    built = [index for name, index in wanted.items() if existing.get(name) != index]
    recall: dict[str, float] = {}
    for done, (name, index) in enumerate(wanted.items()):
        report(done, len(wanted))
        if index in built:
            index.build()
        recall[name] = measure_recall(index)
        if recall[name] < MIN_RECALL:
            index.drop()
            unneeded.append(index)
    report(len(wanted), len(wanted))
    forget_indexes()
    return IndexingResult([index.name for index in built], [index.name for index in unneeded], recall)


def _wanted_indexes(encoder: Encoder, large_from: int, existing: dict[str, VectorIndex]) -> list[VectorIndex]:
    found = []
    for table, condition in SEARCHABLE_ROWS.items():
        for space, rows in _space_sizes(table, condition, encoder.name, int(large_from * KEEP_LARGE_RATIO)).items():
            index = VectorIndex(table, space, encoder.name, encoder.dimensions)
            if rows >= large_from or existing.get(index.name) == index:
                found.append(index)
    return found


def _space_sizes(table: str, condition: str, model: str, least: int) -> dict[UUID, int]:
    with every_space():
        rows = fetch_dicts(COUNT_SQL.format(table=table, condition=condition), {"model": model, "least": least})
    return {row["space_id"]: row["rows"] for row in rows}


def measure_recall(index: VectorIndex) -> float:
    """Of the ten nearest rows that comparing all finds, how many the index finds: the mean over sampled questions."""
    found = []
    with every_space():
        search_indexes_deeply()
        for question in _sample_questions(index):
            best = _nearest_distances(index, question, "embedding", RESULTS_COMPARED)
            quick = _nearest_distances(index, question, index.by, RESULTS_COMPARED)
            found.append(sum(away <= best[-1] + SAME_DISTANCE for away in quick) / len(best))
    return float(np.mean(found)) if found else 0.0


def _sample_questions(index: VectorIndex) -> list[NDArray[np.float32]]:
    """Vectors between two rows each: near to several, as questions are, and not on top of one."""
    sql = (
        f"SELECT embedding::text AS v FROM {index.table} WHERE {index.rows_sql}"
        f" ORDER BY md5(id::text) LIMIT {2 * SAMPLES}"
    )
    rows = np.array([_parse_vector(row["v"]) for row in fetch_dicts(sql.replace("%", "%%"), {})], dtype=np.float32)
    middles = rows[0 : len(rows) // 2 * 2 : 2] + rows[1::2]
    return [middle / (np.linalg.norm(middle) or 1.0) for middle in middles]


def _parse_vector(text: str) -> list[float]:
    return [float(number) for number in text[1:-1].split(",")]


def _nearest_distances(index: VectorIndex, question: NDArray[np.float32], by: str, limit: int) -> list[float]:
    """How far the nearest rows are, in order. by: the bare column is compared row by row; the index knows another."""
    away = f"{by} <#> %(question)s::halfvec"
    sql = (
        f"SELECT {away} AS away FROM {index.table} WHERE {index.rows_sql.replace('%', '%%')}"
        f" ORDER BY {away} LIMIT {limit}"
    )
    values: dict[str, Any] = {"question": BinaryHalfVector(question)}
    return [row["away"] for row in fetch_dicts(sql, values)]
