"""The owner's memories of one level that new ones are decided against: the nearest, the same key, the same text."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

import numpy as np
from django.db.models import BinaryField, Func, Q
from numpy.typing import NDArray

from memory_app.engine.keeping.compose import own_names
from memory_app.engine.keeping.nearest import NEAREST, Known, nearest
from memory_app.models import Memory, MemoryType, Person
from memory_app.rules.comparable_key import comparable_key, same_key
from memory_app.rules.decide import Candidate, Neighbour

READ_WHOLE_FROM = 16
READ_WHOLE_UP_TO = 20_000
"""A batch of at least so many compares with the whole level at once, in memory, while that is no larger than this;
else each asks the database for its nearest. One exact scan costs about 0.5 ms a thousand rows."""

RECORDS = frozenset({MemoryType.MEETING.value, MemoryType.JOURNAL.value})
"""Types of memories that are records of many statements."""

COLUMNS = ("id", "content", "key", "digest", "source_speaker", "valid_from", "event_time", "type")

Vectors = NDArray[np.float32]


class Sent(Func):
    """A halfvec as bytes: read thousands of times faster than its text."""

    function = "halfvec_send"
    output_field = BinaryField()


class Surroundings:
    """Neighbours for each memory of a batch that shares one owner, level and place; grows as the batch is kept."""

    def __init__(self, batch: Sequence[Memory], vectors: Vectors, now: datetime, model: str) -> None:
        self._batch, self._vectors, self._now, self._model = batch, vectors, now, model
        self._beside = Memory.objects.beside(batch[0]).told().current(now)
        self._comparable = self._beside.filter(embedding_model=model)
        self._gone: set[UUID] = set()
        self._in_memory = self._fits_in_memory()
        stored, matrix = self._whole() if self._in_memory else ([], vectors[:0])
        # What there is to compare with: what is stored, then the batch itself, of which nothing is saved yet.
        self._known: list[Known | None] = [*stored, *(None for _ in batch)]
        self._there = np.arange(len(self._known)) < len(stored)
        self._cosines = vectors @ np.vstack([matrix, vectors]).T
        self._found: dict[UUID, Known] = {}
        self._places: dict[bytes | str, list[int]] = {}
        for place, known in enumerate(stored):
            self._note(place, known)

    def of(self, index: int, also: Collection[UUID] = ()) -> list[Neighbour]:
        """The neighbours of the batch's memory at `index`, closest first, those of its key or text among them, and of
        those named in `also` the ones that hold still."""
        found = self._near(index)
        if not self._in_memory:
            # What was kept of the batch may be stored by now, and is then found twice.
            there = {known.id for _, known in found}
            found += [pair for pair in self._asked(index) if pair[1].id not in there]
        named = set(also) - {known.id for _, known in found}
        found.sort(key=lambda pair: -pair[0])
        self._found |= {known.id: known for _, known in found}
        certain = [pair for pair in found[NEAREST:] if pair[1].id in also or _same(pair[1], self._batch[index])]
        far = self._named(index, named) if named else []
        return self._as_neighbours([*found[:NEAREST], *certain, *far], self._batch[index])

    def candidate(self, index: int) -> Candidate:
        """The batch's memory at `index`, as it is decided on."""
        memory = self._batch[index]
        speaker = speaker_of(memory.person, memory.source_speaker)
        record = memory.type if memory.type in RECORDS else ""
        return Candidate(memory.content, memory.key, speaker, memory.valid_from, memory.event_time, record)

    def known(self, memory: UUID) -> Known:
        """What was found of a memory that `of` answered."""
        return self._found[memory]

    def add(self, index: int) -> None:
        """The memory at `index` was added: later ones are compared with it."""
        place, known = len(self._known) - len(self._batch) + index, _known(self._batch[index])
        self._known[place], self._there[place] = known, True
        self._note(place, known)

    def drop(self, memory: UUID) -> None:
        """A memory was superseded: later ones are not compared with it."""
        self._gone.add(memory)
        for place, known in enumerate(self._known):
            if known and known.id == memory:
                self._there[place] = False

    def _as_neighbours(self, found: list[tuple[float, Known]], memory: Memory) -> list[Neighbour]:
        return [
            Neighbour(
                id=known.id,
                text=known.content,
                key=known.key,
                cosine=cosine,
                speaker=speaker_of(memory.person, known.speaker),
                event_time=known.event_time,
                record=known.type if known.type in RECORDS else "",
                later=memory.said_before and known.order > memory.order,
            )
            for cosine, known in found
        ]

    def _note(self, place: int, known: Known) -> None:
        self._places.setdefault(known.digest, []).append(place)
        if key := comparable_key(known.key):
            self._places.setdefault(key, []).append(place)

    def _named(self, index: int, ids: Collection[UUID]) -> list[tuple[float, Known]]:
        """Those of these ids that are stored beside it and hold."""
        rows = [row for row in self._comparable.filter(id__in=ids) if row.id not in self._gone]
        found = [(float(self._vectors[index] @ np.asarray(row.embedding, np.float32)), _known(row)) for row in rows]
        self._found |= {known.id: known for _, known in found}
        return found

    def _near(self, index: int) -> list[tuple[float, Known]]:
        """Of what is in memory: the nearest, and all of the same text or key."""
        memory, cosines = self._batch[index], self._cosines[index]
        there = np.flatnonzero(self._there)
        nearest = there[np.argpartition(-cosines[there], NEAREST)[:NEAREST]] if len(there) > NEAREST else there
        signs = (bytes(memory.digest), comparable_key(memory.key))
        same = [place for sign in signs for place in self._places.get(sign, ()) if self._there[place]]
        places = dict.fromkeys([*nearest.tolist(), *same])
        return [(float(cosines[place]), known) for place in places if (known := self._known[place])]

    def _fits_in_memory(self) -> bool:
        if len(self._batch) < READ_WHOLE_FROM:
            return False
        return self._comparable[: READ_WHOLE_UP_TO + 1].count() <= READ_WHOLE_UP_TO

    def _whole(self) -> tuple[list[Known], Vectors]:
        """The level with its vectors. What has none of this model is there when it is the same; it is close to none."""
        rows = list(self._comparable.annotate(sent=Sent("embedding")).values_list(*COLUMNS, "sent"))
        stored = [Known.of_row(row[:-1]) for row in rows]
        without = self._same_without_vector()
        blank = np.zeros((len(without), self._vectors.shape[1]), dtype=np.float32)
        return stored + without, np.vstack([_received([row[-1] for row in rows], blank.shape[1]), blank])

    def _same_without_vector(self) -> list[Known]:
        """Of the key or text of one of the batch, but with no vector of this model: not of the whole that was read."""
        digests = [memory.digest for memory in self._batch]
        keys = {comparable_key(memory.key) for memory in self._batch} - {""}
        same = self._beside.exclude(embedding_model=self._model, embedding__isnull=False)
        rows = same.filter(Q(digest__in=digests) | Q(comparable_key__in=keys))
        return [_known(row) for row in rows.only("space_id", *COLUMNS)]

    def _asked(self, index: int) -> list[tuple[float, Known]]:
        """Of what is stored, as the database tells."""
        found = nearest(self._batch[index], self._vectors[index], self._now, self._model)
        return [pair for pair in found if pair[1].id not in self._gone]


def _known(memory: Memory) -> Known:
    return Known.of_row([getattr(memory, column) for column in COLUMNS])


def speaker_of(person: Person, speaker: str) -> str:
    """Who said it; "" for the person themselves, whatever they are called."""
    return "" if speaker.casefold() in own_names(person) else speaker.casefold()


def _same(known: Known, memory: Memory) -> bool:
    return known.digest == memory.digest or same_key(known.key, memory.key)


def _received(sent: Sequence[bytes | memoryview], dimensions: int) -> Vectors:
    """Halfvecs in pgvector's binary form: two 16-bit numbers of header, then big-endian halves."""
    halves = np.frombuffer(b"".join(sent), dtype=">f2").reshape(len(sent), dimensions + 2)
    return halves[:, 2:].astype(np.float32)
