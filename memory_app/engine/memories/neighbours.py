"""Find the memories that a new one is compared with: the nearest of its owner and level, those of its key or text.

They are read by one SQL statement that is written and planned once: the ORM writes it, and the database plans it, in
more time than a thousand rows take to compare.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import Q
from numpy.typing import NDArray

from memory_app.embedding.vectors import Vectors
from memory_app.engine.memories.memory_input import MemoryDraft, names_of_person
from memory_app.models import Memory, MemoryType
from memory_app.postgres.fast.binary_protocol import (
    BinaryHalfVector,
    decode_half_vectors,
    fetch_tuples,
)
from memory_app.postgres.fast.prepared_query import parametrised_sql
from memory_app.rules.decide import Candidate, Neighbour, comparable_key, same_key

NEAREST_COUNT = 5
"""How many of the nearest memories a decision considers. Few ever pass its threshold of 0.75."""

STATEMENT_COUNT = 2

SPACE, PERSON, CHANNEL = (UUID(int=number) for number in (1, 2, 3))
LEVEL, NOW = "(level)", datetime(1, 1, 1, tzinfo=UTC)
PARAMETER_NAMES: Mapping[Any, str] = {SPACE: "space", PERSON: "person", CHANNEL: "channel", LEVEL: "level", NOW: "now"}
"""Placeholder values, and the parameters that they become in the statement."""


WHOLE_LEVEL_FROM = 16
WHOLE_LEVEL_LIMIT = 20_000
"""A batch of at least so many is compared in memory with the whole level, if that has no more rows than the limit;
otherwise the database is asked for each memory. One exact scan takes about 0.5 ms per thousand rows."""

RECORD_TYPES = frozenset({MemoryType.MEETING.value, MemoryType.JOURNAL.value})
"""Types of memories that record many statements."""

STORED_COLUMNS = ("id", "content", "key", "digest", "source_speaker", "valid_from", "event_time", "type")

FloatVectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """The fields of a stored memory that a decision needs."""

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
    def of_row(cls, row: Sequence[Any]) -> "StoredMemory":
        """From a row of STORED_COLUMNS."""
        own, content, key, digest, *rest = row
        return cls(own, content, key, bytes(digest), *rest)


def nearest_memories(memory: Memory, vector: Vectors, now: datetime, model: str) -> list[tuple[float, StoredMemory]]:
    """The current memories of the same owner and level, each with its cosine: the NEAREST_COUNT nearest, and all with
    the same key or text. The cosine is 0 for one without a vector of this model."""
    values = _level_values(memory, now, model) | {
        "vector": BinaryHalfVector(vector),
        "digest": bytes(memory.digest),
        "key": comparable_key(memory.key),
    }
    rows = fetch_tuples(_nearest_sql(memory.channel_id is not None), values)
    return [(cosine, StoredMemory.of_row(row)) for cosine, *row in rows]


def _level_values(memory: Memory, now: datetime, model: str) -> dict[str, Any]:
    """The level of a memory, as parameters of `_level_sql`."""
    return {
        "space": memory.space_id,
        "person": memory.person_id,
        "channel": memory.channel_id,
        "level": str(memory.visibility),
        "now": now,
        "model": model,
    }


@lru_cache(STATEMENT_COUNT)
def _nearest_sql(in_channel: bool) -> str:
    return f"""
WITH beside AS NOT MATERIALIZED ({_level_sql(in_channel)}),
compared AS NOT MATERIALIZED (
    SELECT *, CASE WHEN embedding_model = %(model)s THEN -(embedding <#> (SELECT %(vector)s::halfvec)) END AS cosine
    FROM beside
),
near AS MATERIALIZED (
    SELECT id FROM compared WHERE embedding_model = %(model)s AND embedding IS NOT NULL
    ORDER BY cosine DESC LIMIT {NEAREST_COUNT}
),
found AS MATERIALIZED (
    SELECT id FROM near
    UNION SELECT id FROM beside WHERE digest = %(digest)s
    UNION SELECT id FROM beside WHERE comparable_key = %(key)s AND comparable_key <> ''
)
SELECT coalesce(cosine, 0), id, content, key, digest, source_speaker, valid_from, event_time, type
FROM found JOIN compared USING (id)
"""


@lru_cache(STATEMENT_COUNT)
def _whole_level_sql(in_channel: bool) -> str:
    return f"""
WITH beside AS NOT MATERIALIZED ({_level_sql(in_channel)})
SELECT {", ".join(STORED_COLUMNS)}, halfvec_send(embedding)
FROM beside WHERE embedding_model = %(model)s AND embedding IS NOT NULL
"""


def _level_sql(in_channel: bool) -> str:
    channel = CHANNEL if in_channel else None
    like = Memory(space_id=SPACE, person_id=PERSON, visibility=LEVEL, channel_id=channel)
    compared = ("embedding", "embedding_model", "comparable_key")
    columns = (*compared, "id", "content", "key", "digest", "source_speaker", "valid_from", "event_time", "type")
    rows = Memory.objects.same_level(like).originals().current(NOW).values(*columns)
    return parametrised_sql(rows, PARAMETER_NAMES.get)


class NeighbourSearch:
    """Neighbours for each memory of a batch of one owner, level and channel; grows as the batch is saved."""

    def __init__(self, batch: Sequence[MemoryDraft], vectors: FloatVectors, now: datetime, model: str) -> None:
        self._drafts, self._batch = batch, [draft.memory for draft in batch]
        self._vectors, self._now, self._model = vectors, now, model
        self._same_level = Memory.objects.same_level(self._batch[0]).originals().current(now)
        self._comparable = self._same_level.filter(embedding_model=model)
        self._dropped: set[UUID] = set()
        self._in_memory = self._fits_in_memory()
        stored, matrix = self._load_level() if self._in_memory else ([], vectors[:0])
        # First what is stored, then the batch itself, of which nothing is saved yet.
        self._known: list[StoredMemory | None] = [*stored, *(None for _ in batch)]
        self._available = np.arange(len(self._known)) < len(stored)
        self._cosines = vectors @ np.vstack([matrix, vectors]).T
        self._by_id: dict[UUID, StoredMemory] = {}
        self._positions: dict[bytes | str, list[int]] = {}
        for place, known in enumerate(stored):
            self._index_position(place, known)

    def neighbours_of(self, index: int, also: Collection[UUID] = ()) -> list[Neighbour]:
        """The neighbours of the batch's memory at `index`, nearest first, including those of its key or text, and those
        of the ids in `also` that are current."""
        found = self._nearest_in_memory(index)
        if not self._in_memory:
            # A memory of the batch may be stored by now, and is then found twice.
            ids = {known.id for _, known in found}
            found += [pair for pair in self._nearest_stored(index) if pair[1].id not in ids]
        missing = set(also) - {known.id for _, known in found}
        found.sort(key=lambda pair: -pair[0])
        self._by_id |= {known.id: known for _, known in found}
        certain = [
            pair
            for pair in found[NEAREST_COUNT:]
            if pair[1].id in also or _same_text_or_key(pair[1], self._batch[index])
        ]
        far = self._stored_by_id(index, missing) if missing else []
        return self._as_neighbours([*found[:NEAREST_COUNT], *certain, *far], self._drafts[index])

    def candidate(self, index: int) -> Candidate:
        """The batch's memory at `index`, as input for a decision."""
        memory = self._batch[index]
        speaker = comparable_speaker(memory.source_speaker, names_of_person(memory.person))
        record = memory.type if memory.type in RECORD_TYPES else ""
        return Candidate(memory.content, memory.key, speaker, memory.valid_from, memory.event_time, record)

    def found(self, memory: UUID) -> StoredMemory:
        """A memory that `neighbours_of` found."""
        return self._by_id[memory]

    def add(self, index: int) -> None:
        """After the memory at `index` was saved: later ones are compared with it."""
        place, known = len(self._known) - len(self._batch) + index, _stored_from(self._batch[index])
        self._known[place], self._available[place] = known, True
        self._index_position(place, known)

    def drop(self, memory: UUID) -> None:
        """After a memory was superseded: later ones are not compared with it."""
        self._dropped.add(memory)
        for place, known in enumerate(self._known):
            if known and known.id == memory:
                self._available[place] = False

    def _as_neighbours(self, found: list[tuple[float, StoredMemory]], draft: MemoryDraft) -> list[Neighbour]:
        order, names = draft.memory.order, names_of_person(draft.memory.person)
        return [
            Neighbour(
                id=known.id,
                text=known.content,
                key=known.key,
                cosine=cosine,
                speaker=comparable_speaker(known.speaker, names),
                event_time=known.event_time,
                record=known.type if known.type in RECORD_TYPES else "",
                later=draft.said_before and known.order > order,
            )
            for cosine, known in found
        ]

    def _index_position(self, place: int, known: StoredMemory) -> None:
        self._positions.setdefault(known.digest, []).append(place)
        if key := comparable_key(known.key):
            self._positions.setdefault(key, []).append(place)

    def _stored_by_id(self, index: int, ids: Collection[UUID]) -> list[tuple[float, StoredMemory]]:
        """Those of these ids that are current at the same level."""
        rows = [row for row in self._comparable.filter(id__in=ids) if row.id not in self._dropped]
        found = [
            (float(self._vectors[index] @ np.asarray(row.embedding, np.float32)), _stored_from(row)) for row in rows
        ]
        self._by_id |= {known.id: known for _, known in found}
        return found

    def _nearest_in_memory(self, index: int) -> list[tuple[float, StoredMemory]]:
        """Of the vectors in memory: the nearest, and all of the same text or key."""
        memory, cosines = self._batch[index], self._cosines[index]
        available = np.flatnonzero(self._available)
        nearest = (
            available[np.argpartition(-cosines[available], NEAREST_COUNT)[:NEAREST_COUNT]]
            if len(available) > NEAREST_COUNT
            else available
        )
        signs = (bytes(memory.digest), comparable_key(memory.key)) if self._positions else ()
        same = [place for sign in signs for place in self._positions.get(sign, ()) if self._available[place]]
        places = dict.fromkeys([*nearest.tolist(), *same])
        return [(float(cosines[place]), known) for place in places if (known := self._known[place])]

    def _fits_in_memory(self) -> bool:
        if len(self._batch) < WHOLE_LEVEL_FROM:
            return False
        return self._comparable[: WHOLE_LEVEL_LIMIT + 1].count() <= WHOLE_LEVEL_LIMIT

    def _load_level(self) -> tuple[list[StoredMemory], FloatVectors]:
        """The level with its vectors, and memories without one of this model whose key or text is the same."""
        first = self._batch[0]
        values = _level_values(first, self._now, self._model)
        rows = fetch_tuples(_whole_level_sql(first.channel_id is not None), values)
        stored = [StoredMemory.of_row(row[:-1]) for row in rows]
        without = self._same_without_vector()
        zeros = np.zeros((len(without), self._vectors.shape[1]), dtype=np.float32)
        return stored + without, np.vstack([decode_half_vectors([row[-1] for row in rows], zeros.shape[1]), zeros])

    def _same_without_vector(self) -> list[StoredMemory]:
        """Memories of the same key or text as one of the batch, but without a vector of this model."""
        digests = [memory.digest for memory in self._batch]
        keys = {comparable_key(memory.key) for memory in self._batch} - {""}
        same = self._same_level.exclude(embedding_model=self._model, embedding__isnull=False)
        rows = same.filter(Q(digest__in=digests) | Q(comparable_key__in=keys))
        return [_stored_from(row) for row in rows.only("space_id", *STORED_COLUMNS)]

    def _nearest_stored(self, index: int) -> list[tuple[float, StoredMemory]]:
        """The nearest in the database."""
        found = nearest_memories(self._batch[index], self._vectors[index], self._now, self._model)
        return [pair for pair in found if pair[1].id not in self._dropped]


def _stored_from(memory: Memory) -> StoredMemory:
    return StoredMemory.of_row([getattr(memory, column) for column in STORED_COLUMNS])


def comparable_speaker(speaker: str, names: Collection[str]) -> str:
    """Who said it; "" for the person themselves. names: those of the person, as `names_of_person` has them."""
    return "" if speaker.casefold() in names else speaker.casefold()


def _same_text_or_key(known: StoredMemory, memory: Memory) -> bool:
    return known.digest == memory.digest or same_key(known.key, memory.key)
