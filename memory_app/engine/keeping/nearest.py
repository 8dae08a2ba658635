"""The memories that a new one is decided against, as the database tells: the nearest, those of its key, of its text.

One statement that is written once and planned once: the ORM writes it, and the database plans it, in longer than a
thousand rows are compared.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from memory_app.embedding.vectors import Vectors
from memory_app.models import Memory
from memory_app.models.as_sql import named
from memory_app.models.wire import Halves, rows_of
from memory_app.rules.comparable_key import comparable_key

NEAREST = 5
"""How many of the closest memories a decision looks at. Its threshold of .75 is rarely passed by more than a few."""

SHAPES = 2

SPACE, PERSON, CHANNEL = (UUID(int=number) for number in (1, 2, 3))
LEVEL, NOW = "(level)", datetime(1, 1, 1, tzinfo=UTC)
NAMES: Mapping[Any, str] = {SPACE: "space", PERSON: "person", CHANNEL: "channel", LEVEL: "level", NOW: "now"}
"""What stands in for each parameter where the statement is written."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a decision needs of a memory."""

    id: UUID
    content: str
    key: str
    digest: bytes
    speaker: str
    valid_from: datetime
    event_time: datetime | None
    type: str

    @property
    def order(self) -> tuple[datetime, UUID]:
        return self.valid_from.replace(microsecond=self.valid_from.microsecond // 1000 * 1000), self.id

    @classmethod
    def of_row(cls, row: Sequence[Any]) -> "Known":
        """As the columns of these names tell."""
        own, content, key, digest, *rest = row
        return cls(own, content, key, bytes(digest), *rest)


def nearest(memory: Memory, vector: Vectors, now: datetime, model: str) -> list[tuple[float, Known]]:
    """Of what is stored beside a memory and holds now, with its cosine: the `NEAREST`, and all of its key or text.

    What has a vector of another model, or none, is close to nothing.
    """
    values: dict[str, Any] = {
        "space": memory.space_id,
        "person": memory.person_id,
        "channel": memory.channel_id,
        "level": str(memory.visibility),
        "now": now,
        "model": model,
        "vector": Halves(vector),
        "digest": bytes(memory.digest),
        "key": comparable_key(memory.key),
    }
    rows = rows_of(_statement(memory.channel_id is not None), values)
    return [(cosine, Known.of_row(row)) for cosine, *row in rows]


@lru_cache(SHAPES)
def _statement(in_channel: bool) -> str:
    return f"""
WITH beside AS NOT MATERIALIZED ({_beside(in_channel)}),
compared AS NOT MATERIALIZED (
    SELECT *, CASE WHEN embedding_model = %(model)s THEN -(embedding <#> (SELECT %(vector)s::halfvec)) END AS cosine
    FROM beside
),
near AS MATERIALIZED (
    SELECT id FROM compared WHERE embedding_model = %(model)s AND embedding IS NOT NULL
    ORDER BY cosine DESC LIMIT {NEAREST}
),
found AS MATERIALIZED (
    SELECT id FROM near
    UNION SELECT id FROM beside WHERE digest = %(digest)s
    UNION SELECT id FROM beside WHERE comparable_key = %(key)s AND comparable_key <> ''
)
SELECT coalesce(cosine, 0), id, content, key, digest, source_speaker, valid_from, event_time, type
FROM found JOIN compared USING (id)
"""


def _beside(in_channel: bool) -> str:
    channel = CHANNEL if in_channel else None
    like = Memory(space_id=SPACE, person_id=PERSON, visibility=LEVEL, channel_id=channel)
    compared = ("embedding", "embedding_model", "comparable_key")
    columns = (*compared, "id", "content", "key", "digest", "source_speaker", "valid_from", "event_time", "type")
    rows = Memory.objects.beside(like).told().current(NOW).values(*columns)
    return named(rows, NAMES.get)
