"""The memories that a new one is decided against, as the database tells: the nearest, those of its key, of its text.

One statement that is written once and planned once: the ORM writes it, and the database plans it, in longer than a
thousand rows are compared.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from ...embedding.vectors import Vectors
from ...models import Memory
from ...models.as_sql import named
from ...models.memory import CONFLICTS_WITH, id_in
from ...models.wire import Halves, rows_of

NEAREST = 5
"""How many of the closest memories a decision looks at. Its threshold of .85 is rarely passed by more than one."""

SHAPES = 4

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
    contradicts: UUID | None

    @property
    def contradiction(self) -> UUID | None:
        """The newer memory that says otherwise: ids ascend with time."""
        return self.contradicts if self.contradicts and self.contradicts > self.id else None


def nearest(memory: Memory, said: Vectors, otherwise: Vectors, now: datetime, model: str) -> list[tuple[float, Known]]:
    """Of what is stored beside a memory and holds now, with its cosine: the `NEAREST`, and all of its key or text.

    said, otherwise: vectors of the memory in the two ways it can be said, of which the closer counts. What has a vector
    of another model, or none, is close to nothing.
    """
    twice = bool((said != otherwise).any())
    values: dict[str, Any] = {
        "space": memory.space_id,
        "person": memory.person_id,
        "channel": memory.channel_id,
        "level": str(memory.visibility),
        "now": now,
        "model": model,
        "said": Halves(said),
        "otherwise": Halves(otherwise),
        "digest": bytes(memory.digest),
        "key": memory.key,
    }
    rows = rows_of(_statement(memory.channel_id is not None, twice), values)
    return [
        (cosine, Known(id=found, content=content, key=key, digest=digest, speaker=speaker, contradicts=id_in(other)))
        for cosine, found, content, key, digest, speaker, other in rows
    ]


@lru_cache(SHAPES)
def _statement(in_channel: bool, twice: bool) -> str:
    distances = ", ".join(f"embedding <#> (SELECT %({to})s::halfvec)" for to in ("said", *["otherwise"] * twice))
    return f"""
WITH beside AS NOT MATERIALIZED ({_beside(in_channel)}),
compared AS NOT MATERIALIZED (
    SELECT *, CASE WHEN embedding_model = %(model)s THEN -least({distances}) END AS cosine FROM beside
),
near AS MATERIALIZED (
    SELECT id FROM compared WHERE embedding_model = %(model)s AND embedding IS NOT NULL
    ORDER BY cosine DESC LIMIT {NEAREST}
),
found AS MATERIALIZED (
    SELECT id FROM near
    UNION SELECT id FROM beside WHERE digest = %(digest)s
    UNION SELECT id FROM beside WHERE key = %(key)s AND key <> ''
)
SELECT coalesce(cosine, 0), id, content, key, digest, source_speaker, attributes ->> '{CONFLICTS_WITH}'
FROM found JOIN compared USING (id)
"""


def _beside(in_channel: bool) -> str:
    channel = CHANNEL if in_channel else None
    like = Memory(space_id=SPACE, person_id=PERSON, visibility=LEVEL, channel_id=channel)
    columns = ("embedding", "embedding_model", "attributes", "id", "content", "key", "digest", "source_speaker")
    rows = Memory.objects.beside(like).told().current(NOW).values(*columns)
    return named(rows, NAMES.get)
