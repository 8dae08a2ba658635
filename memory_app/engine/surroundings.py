"""The owner's memories of one level that new ones are decided against: the nearest, the same key, the same text."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
from django.db.models import BinaryField, Func, Q
from numpy.typing import NDArray
from pgvector.django import MaxInnerProduct

from ..models import Memory
from ..models.memory import MemoryQuerySet
from ..rules.decide import Neighbour

NEAREST = 5
"""How many of the closest memories a decision looks at. Its threshold of .85 is rarely passed by more than one."""

READ_WHOLE_FROM = 16
READ_WHOLE_UP_TO = 20_000
"""A batch of at least so many compares with the whole level at once, in memory, while that is no larger than this;
else each asks the database for its nearest. One exact scan costs about 0.5 ms a thousand rows."""

Vectors = NDArray[np.float32]


class Sent(Func):
    """A halfvec as bytes: read thousands of times faster than its text."""

    function = "halfvec_send"
    output_field = BinaryField()


@dataclass(frozen=True, slots=True)
class Known:
    """What a decision needs of a memory."""

    id: UUID
    content: str
    key: str
    digest: bytes
    confidence: float

    def as_neighbour(self, cosine: float) -> Neighbour:
        return Neighbour(id=self.id, text=self.content, key=self.key, cosine=cosine)


class Surroundings:
    """Neighbours for each memory of a batch that shares one owner, level and place; grows as the batch is kept."""

    def __init__(self, batch: Sequence[Memory], vectors: Vectors, now: datetime, model: str) -> None:
        self._batch, self._vectors, self._model = batch, vectors, model
        self._beside = Memory.objects.beside(batch[0]).current(now)
        self._comparable = self._beside.filter(embedding_model=model)
        self._added: dict[int, Known] = {}
        self._gone: set[UUID] = set()
        self._stored, self._cosines = self._whole() if self._fits_in_memory() else ([], None)
        self._without_vector = self._same_without_vector() if self._cosines is not None else []
        self._alike = vectors @ vectors.T

    def of(self, index: int) -> list[Neighbour]:
        """The neighbours of the batch's memory at `index`, closest first, those of its key or text among them."""
        memory = self._batch[index]
        found = [*self._stored_near(index), *self._added_near(index)]
        found = [(cosine, known) for cosine, known in found if known.id not in self._gone]
        found.sort(key=lambda pair: -pair[0])
        certain = [pair for pair in found[NEAREST:] if _same(pair[1], memory)]
        return [known.as_neighbour(cosine) for cosine, known in [*found[:NEAREST], *certain]]

    def add(self, index: int) -> None:
        """The memory at `index` was added: later ones are compared with it."""
        self._added[index] = _known(self._batch[index])

    def drop(self, memory: UUID) -> None:
        """A memory was superseded: later ones are not compared with it."""
        self._gone.add(memory)

    def _fits_in_memory(self) -> bool:
        if len(self._batch) < READ_WHOLE_FROM:
            return False
        return self._comparable[: READ_WHOLE_UP_TO + 1].count() <= READ_WHOLE_UP_TO

    def _whole(self) -> tuple[list[Known], Vectors | None]:
        columns = ("id", "content", "key", "digest", "confidence")
        rows = list(self._comparable.annotate(sent=Sent("embedding")).values_list(*columns, "sent"))
        stored = [Known(i, content, key, bytes(digest), sure) for i, content, key, digest, sure, _ in rows]
        if not rows:
            return stored, np.zeros((len(self._batch), 0), dtype=np.float32)
        matrix = np.stack([_received(row[5]) for row in rows])
        return stored, self._vectors @ matrix.T

    def _same_without_vector(self) -> list[Known]:
        """Of the key or text of one of the batch, but with no vector of this model: not of the whole that was read."""
        digests = [memory.digest for memory in self._batch]
        keys = {memory.key for memory in self._batch} - {""}
        same = self._beside.exclude(embedding_model=self._model, embedding__isnull=False)
        return [_known(row) for row in _slim(same.filter(Q(digest__in=digests) | Q(key__in=keys)))]

    def _stored_near(self, index: int) -> list[tuple[float, Known]]:
        if self._cosines is None:
            return self._asked(index)
        row, memory = self._cosines[index], self._batch[index]
        near = np.argsort(-row)[:NEAREST] if len(row) > NEAREST else np.arange(len(row))
        same = [n for n, known in enumerate(self._stored) if _same(known, memory)]
        compared = [(float(row[n]), self._stored[n]) for n in {*near.tolist(), *same}]
        return compared + [(0.0, known) for known in self._without_vector if _same(known, memory)]

    def _asked(self, index: int) -> list[tuple[float, Known]]:
        memory, vector = self._batch[index], self._vectors[index]
        nearest = self._comparable.order_by(MaxInnerProduct("embedding", vector))[:NEAREST]
        same = self._beside.filter(digest=memory.digest)
        if memory.key:
            same = self._beside.filter(key=memory.key) | same
        found = {row.id: row for rows in (nearest, same) for row in _slim(rows)}
        return [(self._cosine(row, vector), _known(row)) for row in found.values()]

    def _cosine(self, row: Memory, vector: NDArray[np.float32]) -> float:
        """Vectors of another model compare to nothing, whatever their dimension."""
        if row.embedding is None or row.embedding_model != self._model:
            return 0.0
        return float(np.asarray(row.embedding, dtype=np.float32) @ vector)

    def _added_near(self, index: int) -> list[tuple[float, Known]]:
        return [(float(self._alike[index, other]), known) for other, known in self._added.items()]


def _slim(rows: MemoryQuerySet) -> MemoryQuerySet:
    return rows.only("space_id", "id", "content", "key", "digest", "confidence", "embedding", "embedding_model")


def _known(memory: Memory) -> Known:
    return Known(memory.id, memory.content, memory.key, bytes(memory.digest), memory.confidence)


def _same(known: Known, memory: Memory) -> bool:
    return known.digest == memory.digest or (bool(memory.key) and known.key == memory.key)


def _received(sent: bytes | memoryview) -> NDArray[np.float32]:
    """A halfvec in pgvector's binary form: two 16-bit numbers of header, then big-endian halves."""
    halves = np.frombuffer(sent, dtype=">f2", offset=4)
    return halves.astype(np.float32)
