"""Find what the same person said later on the subject of a statement.

Which of all that is visible may be close enough is told by the signs of its vectors, which the search has read already;
the best of it is compared exactly by the database.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.retrieval.query import MemoryResult, RecallQuery
from memory_app.engine.retrieval.recall import RecallResults
from memory_app.engine.retrieval.visible_rows import visible_rows_sql
from memory_app.engine.venue_context import VenueContext
from memory_app.nlp.classify.change_by_example import change_direction
from memory_app.postgres.fast.binary_protocol import BinaryHalfVector, decode_half_vectors, fetch_tuples
from memory_app.rules.candidate_signals import microseconds
from memory_app.rules.rank_units import best_by_signs
from memory_app.rules.units import Units, id_texts, rows_among

MIN_SAME_SUBJECT = 0.36
"""What a later statement is to reach to come along: its cosine to the one that is briefed, QUESTION of that to the
question, and CHANGE of how much it is like those that tell of a change. Of 32 changed facts (the seen half of
`bench/understanding`, and our own) 30 do, and of what these people said besides one statement in twelve; at the same
share found, by the first cosine alone, one in three."""

QUESTION_WEIGHT, CHANGE_WEIGHT = 0.5, 2.0

MAX_LATER = 2
"""That come along with one statement: the closest."""

COMPARED_WITH_EACH = 100
"""Of what was said later than a statement, how many are compared with it exactly."""

TOLD = np.dtype([("high", ">u8"), ("low", ">u8"), ("told_at", ">i8")])
"""A row's id, and when it was told: microseconds since 2000, as the database sends a time."""

YEAR_2000 = 946_684_800_000_000
"""In microseconds since 1970."""


@dataclass(frozen=True, slots=True)
class LaterStatement:
    """A statement that is briefed, and a later one, by its place: how surely it is on the same subject."""

    earlier: UUID
    space: UUID
    id: UUID
    close: float


def find_later_statements(
    venue_context: VenueContext,
    recall_query: RecallQuery,
    recall_results: RecallResults,
    results: Sequence[MemoryResult],
    encoder: Encoder,
    now: datetime,
) -> list[LaterStatement]:
    """recall_query: as the results were found, for a filter narrows what comes along too. results: those that are
    briefed, of recall_results. Expects the venue's scope."""
    ids, wanted = [result.row.id for result in results], _comparison_vector(recall_query, encoder)
    near = _candidates(recall_results.units, venue_context, results, wanted, encoder.name)
    source, parameters = visible_rows_sql(venue_context.venue, recall_query, now, "wanted")
    values = {
        **parameters,
        "spaces": sorted(venue_context.venue.spaces),
        "ids": "{" + ",".join({*near, *(id.hex for id in ids)}) + "}",
        "briefed": ids,
        "model": encoder.name,
        "wanted": BinaryHalfVector(wanted),
    }
    return [LaterStatement(*row) for row in fetch_tuples(_LATER_SQL.format(source=source), values)]


def _comparison_vector(recall_query: RecallQuery, encoder: Encoder) -> Vectors:
    """What a statement is compared with besides the one that it comes along with."""
    [question] = encoder.queries([recall_query.text])
    wanted: Vectors = QUESTION_WEIGHT * question + CHANGE_WEIGHT * change_direction(encoder)
    return wanted


def _candidates(
    units: Units, venue_context: VenueContext, results: Sequence[MemoryResult], wanted: Vectors, model: str
) -> list[str]:
    """Of each result, those of the units that may be the closest among what the same person said later: ids."""
    rows = fetch_tuples(
        _TOLD_SQL,
        {
            "spaces": sorted(venue_context.venue.spaces),
            "people": list({result.row.person_id for result in results}),
            "first": min(result.row.valid_from for result in results),
            "ids": [result.row.id for result in results],
            "model": model,
        },
    )
    vectors = {row: vector for row, is_vector, vector in rows if is_vector}
    found: list[str] = []
    for person, is_vector, told in rows:
        earlier = [result.row for result in results if result.row.person_id == person and result.row.id in vectors]
        if not is_vector and earlier:
            subjects = decode_half_vectors([vectors[row.id] for row in earlier], len(wanted)) + wanted
            times = np.array([microseconds(row.valid_from) - YEAR_2000 for row in earlier])
            found += _nearest_of_later(units, np.frombuffer(told, TOLD), subjects, times)
    return found


def _nearest_of_later(units: Units, told: NDArray[np.void], subjects: Vectors, times: NDArray[np.int64]) -> list[str]:
    """Ids of those told by one person that are the closest to any subject among what was told after its time."""
    records = units.records[: len(units.signs)]
    at = rows_among(records, told)
    own = np.flatnonzero((at >= 0) & (records["part"] == 0))
    is_later = told["told_at"][at[own]] > times[:, None]
    return id_texts(records[own[best_by_signs(units.signs[own], subjects, is_later, COMPARED_WITH_EACH)]])


_TOLD_SQL = """
SELECT person_id, false, string_agg(uuid_send(id) || timestamptz_send(valid_from), ''::bytea)
FROM memory WHERE space_id = ANY(%(spaces)s::uuid[]) AND person_id = ANY(%(people)s::uuid[]) AND valid_from > %(first)s
GROUP BY person_id
UNION ALL
SELECT id, true, halfvec_send(embedding)
FROM memory
WHERE space_id = ANY(%(spaces)s::uuid[]) AND id = ANY(%(ids)s::uuid[]) AND embedding_model = %(model)s
    AND embedding IS NOT NULL
"""
"""When each was told, whoever sees it, of these people from the first result on; and the vectors of the results."""

_LATER_SQL = f"""
WITH visible AS MATERIALIZED (
    SELECT one.space_id, one.id, one.embedding, person_id, valid_from,
        one.embedding <#> %(wanted)s::halfvec AS apart
    FROM ({{source}}) one JOIN memory USING (space_id, id)
    WHERE NOT one.superseded AND one.embedding_model = %(model)s
),
pairs AS (
    SELECT earlier.id AS earlier, later.space_id, later.id,
        -((later.embedding <#> earlier.embedding) + later.apart) AS close
    FROM visible earlier JOIN visible later
        ON later.person_id = earlier.person_id AND later.valid_from > earlier.valid_from
    WHERE earlier.id = ANY(%(briefed)s::uuid[])
),
placed AS (
    SELECT *, row_number() OVER (PARTITION BY earlier ORDER BY close DESC, id) AS place
    FROM pairs WHERE close >= {MIN_SAME_SUBJECT}
)
SELECT earlier, space_id, id, close
FROM placed
WHERE place <= {MAX_LATER} OR id = ANY(%(briefed)s::uuid[])
ORDER BY earlier, close DESC
"""
