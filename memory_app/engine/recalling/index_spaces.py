"""Index spaces: give each large space an index of its own, and take it away where it finds too little."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory_app.embedding.encoder import Encoder
from memory_app.engine.recalling.near import forget, look_closely
from memory_app.engine.running.carry_out import Report
from memory_app.models.near import KEPT, Near, existing
from memory_app.models.scope import every_space
from memory_app.models.wire import Halves, fetch

LARGE_FROM = 50_000
"""Shared rows from which comparing all of them takes longer than people wait (half a second at 1,000,000, with
.5 ms a thousand)."""

STAYS_LARGE = 0.8
"""Part of that down to which an index stays: at the border it would come and go each night."""

LEAST_RECALL = 0.99
QUESTIONS = 100
BEST = 10
SAME = 1e-5
"""Two rows that differ by so little in closeness are equally near: halves tell no more."""

COUNTED = """
SELECT space_id, count(*) AS rows FROM {table}
WHERE visibility IN ('space', 'everyone') AND {kept} AND embedding_model = %(model)s
GROUP BY space_id HAVING count(*) >= %(least)s
"""


@dataclass(frozen=True, slots=True)
class Indexed:
    """What was done, as names of indexes. recall: of each that was checked, recall@10 against comparing all rows."""

    built: Sequence[str]
    dropped: Sequence[str]
    recall: dict[str, float]


def index_spaces(*, encoder: Encoder, report: Report, large_from: int = LARGE_FROM) -> Indexed:
    """Builds what is missing, checks all, drops what falls short or is needed no more. Outside of any transaction. May
    be killed anywhere and run again: a half-built index is built anew."""
    there = {one.name: one for one in existing()}
    wanted = {one.name: one for one in _wanted(encoder, large_from, there)}
    gone = [one for name, one in there.items() if name not in wanted]
    for one in gone:
        one.drop()
    built = [one for name, one in wanted.items() if there.get(name) != one]
    recall: dict[str, float] = {}
    for done, (name, one) in enumerate(wanted.items()):
        report(done, len(wanted))
        if one in built:
            one.build()
        recall[name] = checked(one)
        if recall[name] < LEAST_RECALL:
            one.drop()
            gone.append(one)
    report(len(wanted), len(wanted))
    forget()
    return Indexed([one.name for one in built], [one.name for one in gone], recall)


def _wanted(encoder: Encoder, large_from: int, there: dict[str, Near]) -> list[Near]:
    found = []
    for table, kept in KEPT.items():
        for space, rows in _sizes(table, kept, encoder.name, int(large_from * STAYS_LARGE)).items():
            one = Near(table, space, encoder.name, encoder.dimensions)
            if rows >= large_from or there.get(one.name) == one:
                found.append(one)
    return found


def _sizes(table: str, kept: str, model: str, least: int) -> dict[UUID, int]:
    with every_space():
        rows = fetch(COUNTED.format(table=table, kept=kept), {"model": model, "least": least})
    return {row["space_id"]: row["rows"] for row in rows}


def checked(one: Near) -> float:
    """Of the ten nearest rows that comparing all finds, how many the index finds: the mean over sampled questions."""
    found = []
    with every_space():
        look_closely()
        for question in _questions(one):
            best = _nearest(one, question, "embedding", BEST)
            quick = _nearest(one, question, one.by, BEST)
            found.append(sum(away <= best[-1] + SAME for away in quick) / len(best))
    return float(np.mean(found)) if found else 0.0


def _questions(one: Near) -> list[NDArray[np.float32]]:
    """Vectors between two rows each: near to several, as questions are, and not on top of one."""
    sql = f"SELECT embedding::text AS v FROM {one.table} WHERE {one.holds} ORDER BY md5(id::text) LIMIT {2 * QUESTIONS}"
    rows = np.array([_vector(row["v"]) for row in fetch(sql.replace("%", "%%"), {})], dtype=np.float32)
    middles = rows[0 : len(rows) // 2 * 2 : 2] + rows[1::2]
    return [middle / (np.linalg.norm(middle) or 1.0) for middle in middles]


def _vector(text: str) -> list[float]:
    return [float(number) for number in text[1:-1].split(",")]


def _nearest(one: Near, question: NDArray[np.float32], by: str, limit: int) -> list[float]:
    """How far the nearest rows are, in order. by: the bare column is compared row by row; the index knows another."""
    away = f"{by} <#> %(question)s::halfvec"
    sql = f"SELECT {away} AS away FROM {one.table} WHERE {one.holds.replace('%', '%%')} ORDER BY {away} LIMIT {limit}"
    values: dict[str, Any] = {"question": Halves(question)}
    return [row["away"] for row in fetch(sql, values)]
