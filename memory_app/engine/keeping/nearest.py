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

from ...embedding.vectors import Vectors
from ...models import Memory
from ...models.as_sql import named
from ...models.mark import CONFLICTS_WITH, TOLD_FIRST, id_in, newer_of, told
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
    """What a decision needs of a memory. contradiction: the newer one that says otherwise."""

    id: UUID
    content: str
    key: str
    digest: bytes
    speaker: str
    valid_from: datetime
    contradiction: UUID | None

    @property
    def told(self) -> tuple[datetime, UUID]:
        return told(self.valid_from, self.id)

    @classmethod
    def of_row(cls, row: Sequence[Any]) -> "Known":
        """As the columns of these names tell, and what the mark of a contradiction holds."""
        own, content, key, digest, speaker, valid_from, other, first = row
        return cls(own, content, key, bytes(digest), speaker, valid_from, newer_of(own, id_in(other), first))


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
    return [(cosine, Known.of_row(row)) for cosine, *row in rows]


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
SELECT coalesce(cosine, 0), id, content, key, digest, source_speaker, valid_from,
    attributes ->> '{CONFLICTS_WITH}',
    CASE attributes -> '{TOLD_FIRST}' WHEN 'true' THEN true WHEN 'false' THEN false END
FROM found JOIN compared USING (id)
"""


def _beside(in_channel: bool) -> str:
    channel = CHANNEL if in_channel else None
    like = Memory(space_id=SPACE, person_id=PERSON, visibility=LEVEL, channel_id=channel)
    compared = ("embedding", "embedding_model", "attributes")
    columns = (*compared, "id", "content", "key", "digest", "source_speaker", "valid_from")
    rows = Memory.objects.beside(like).told().current(NOW).values(*columns)
    return named(rows, NAMES.get)
