"""Index spaces: give each large space an index of its own, and take it away where it finds too little."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory_app.embedding.encoder import Encoder
from memory_app.engine.retrieval.signals import forget_indexes, search_indexes_deeply
from memory_app.jobs.runs import ReportProgress
from memory_app.models.row_security import every_space
from memory_app.models.vector_index import SEARCHABLE_ROWS, VectorIndex, existing_indexes
from memory_app.postgres.fast.binary_protocol import BinaryHalfVector, fetch_dicts

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
WHERE visibility IN ('space', 'everyone') AND {kept} AND embedding_model = %(model)s
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
    there = {one.name: one for one in existing_indexes()}
    wanted = {one.name: one for one in _wanted_indexes(encoder, large_from, there)}
    gone = [one for name, one in there.items() if name not in wanted]
    for one in gone:
        one.drop()
    built = [one for name, one in wanted.items() if there.get(name) != one]
    recall: dict[str, float] = {}
    for done, (name, one) in enumerate(wanted.items()):
        report(done, len(wanted))
        if one in built:
            one.build()
        recall[name] = measure_recall(one)
        if recall[name] < MIN_RECALL:
            one.drop()
            gone.append(one)
    report(len(wanted), len(wanted))
    forget_indexes()
    return IndexingResult([one.name for one in built], [one.name for one in gone], recall)


def _wanted_indexes(encoder: Encoder, large_from: int, there: dict[str, VectorIndex]) -> list[VectorIndex]:
    found = []
    for table, kept in SEARCHABLE_ROWS.items():
        for space, rows in _space_sizes(table, kept, encoder.name, int(large_from * KEEP_LARGE_RATIO)).items():
            one = VectorIndex(table, space, encoder.name, encoder.dimensions)
            if rows >= large_from or there.get(one.name) == one:
                found.append(one)
    return found


def _space_sizes(table: str, kept: str, model: str, least: int) -> dict[UUID, int]:
    with every_space():
        rows = fetch_dicts(COUNT_SQL.format(table=table, kept=kept), {"model": model, "least": least})
    return {row["space_id"]: row["rows"] for row in rows}


def measure_recall(one: VectorIndex) -> float:
    """Of the ten nearest rows that comparing all finds, how many the index finds: the mean over sampled questions."""
    found = []
    with every_space():
        search_indexes_deeply()
        for question in _sample_questions(one):
            best = _nearest_distances(one, question, "embedding", RESULTS_COMPARED)
            quick = _nearest_distances(one, question, one.by, RESULTS_COMPARED)
            found.append(sum(away <= best[-1] + SAME_DISTANCE for away in quick) / len(best))
    return float(np.mean(found)) if found else 0.0


def _sample_questions(one: VectorIndex) -> list[NDArray[np.float32]]:
    """Vectors between two rows each: near to several, as questions are, and not on top of one."""
    sql = (
        f"SELECT embedding::text AS v FROM {one.table} WHERE {one.rows_sql} ORDER BY md5(id::text) LIMIT {2 * SAMPLES}"
    )
    rows = np.array([_parse_vector(row["v"]) for row in fetch_dicts(sql.replace("%", "%%"), {})], dtype=np.float32)
    middles = rows[0 : len(rows) // 2 * 2 : 2] + rows[1::2]
    return [middle / (np.linalg.norm(middle) or 1.0) for middle in middles]


def _parse_vector(text: str) -> list[float]:
    return [float(number) for number in text[1:-1].split(",")]


def _nearest_distances(one: VectorIndex, question: NDArray[np.float32], by: str, limit: int) -> list[float]:
    """How far the nearest rows are, in order. by: the bare column is compared row by row; the index knows another."""
    away = f"{by} <#> %(question)s::halfvec"
    sql = (
        f"SELECT {away} AS away FROM {one.table} WHERE {one.rows_sql.replace('%', '%%')} ORDER BY {away} LIMIT {limit}"
    )
    values: dict[str, Any] = {"question": BinaryHalfVector(question)}
    return [row["away"] for row in fetch_dicts(sql, values)]
