"""Later statements: what the same person said after a statement, and on the same subject, among what may be seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.enter import Entered
from memory_app.engine.recalling.asked import Asked, Result
from memory_app.engine.recalling.visible_rows import visible_rows
from memory_app.language.change_by_example import change_direction
from memory_app.models.wire import Halves, rows_of

SAME_SUBJECT = 0.36
"""What a later statement is to reach to come along: its cosine to the one that is briefed, QUESTION of that to the
question, and CHANGE of how much it is like those that tell of a change. Of 32 changed facts (the seen half of
`bench/understanding`, and our own) 30 do, and of what these people said besides one statement in twelve; at the same
share found, by the first cosine alone, one in three."""

QUESTION, CHANGE = 0.5, 2.0

MOST_LATER = 2
"""That come along with one statement: the closest."""


@dataclass(frozen=True, slots=True)
class Later:
    """A statement that is briefed, and a later one, by its place: how surely it is on the same subject."""

    earlier: UUID
    space: UUID
    id: UUID
    close: float


def later_statements(
    entered: Entered, asked: Asked, results: Sequence[Result], encoder: Encoder, now: datetime
) -> list[Later]:
    """asked: as the results were found, for a filter narrows what comes along too. Expects the venue's scope."""
    source, shown = visible_rows(entered.venue, asked, now)
    ids = [result.memory.id for result in results]
    rows = rows_of(_STATEMENT.format(source=source), {**shown, "ids": ids, "wanted": Halves(_wanted(asked, encoder))})
    return [Later(*row) for row in rows]


def _wanted(asked: Asked, encoder: Encoder) -> Vectors:
    """What a statement is compared with besides the one that it comes along with."""
    [question] = encoder.queries([asked.query])
    wanted: Vectors = QUESTION * question + CHANGE * change_direction(encoder)
    return wanted


# All is compared exactly: no index is asked, which would hold rows of others.
_STATEMENT = f"""
WITH visible AS MATERIALIZED (
    SELECT one.space_id, one.id, one.embedding, one.embedding_model, person_id, valid_from
    FROM ({{source}}) one JOIN memory USING (space_id, id)
    WHERE NOT one.superseded
),
pairs AS (
    SELECT earlier.id AS earlier, later.space_id, later.id,
        -((later.embedding <#> earlier.embedding) + (later.embedding <#> %(wanted)s::halfvec)) AS close
    FROM visible earlier JOIN visible later
        ON later.person_id = earlier.person_id AND later.valid_from > earlier.valid_from
        AND later.embedding_model = earlier.embedding_model
    WHERE earlier.id = ANY(%(ids)s::uuid[])
),
placed AS (SELECT *, row_number() OVER (PARTITION BY earlier ORDER BY close DESC, id) AS place FROM pairs)
SELECT earlier, space_id, id, close
FROM placed
WHERE close >= {SAME_SUBJECT} AND (place <= {MOST_LATER} OR id = ANY(%(ids)s::uuid[]))
ORDER BY earlier, close DESC
"""
