"""The vectors of recent queries, kept in memory: the same question often comes twice, once to search, once to brief."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np

from memory_app.embedding.protocol import Encoder
from memory_app.embedding.vectors import Vectors

# 1,024 vectors of 384 floats are 1.5 MB. A query longer than this many characters is pasted text: it will not return.
MOST_QUERIES = 1024
LONGEST_QUERY = 500


class QueryCache(Encoder):
    """An encoder that remembers the vectors of its latest queries. One instance belongs to one model."""

    def __init__(self, encoder: Encoder, most: int = MOST_QUERIES) -> None:
        self._encoder, self._most = encoder, most
        self._kept: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = Lock()

    @property
    def name(self) -> str:
        return self._encoder.name

    @property
    def dimensions(self) -> int:
        return self._encoder.dimensions

    @property
    def window(self) -> int:
        return self._encoder.window

    def __len__(self) -> int:
        return len(self._kept)

    def documents(self, texts: Sequence[str]) -> Vectors:
        return self._encoder.documents(texts)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        return self._encoder.token_spans(text)

    def query(self, text: str) -> Vectors:
        found = self._recall(text)
        return self._encode([text])[text] if found is None else found

    def queries(self, texts: Sequence[str]) -> Vectors:
        found = {text: self._recall(text) for text in texts}
        known = {text: vector for text, vector in found.items() if vector is not None}
        known |= self._encode([text for text, vector in found.items() if vector is None])
        return np.array([known[text] for text in texts], dtype=np.float32).reshape(len(texts), self.dimensions)

    def _recall(self, text: str) -> Vectors | None:
        with self._lock:
            if text in self._kept:
                self._kept.move_to_end(text)
            return self._kept.get(text)

    def _encode(self, texts: list[str]) -> dict[str, Vectors]:
        """The vectors of new texts, kept for the next time. Read-only copies: a caller must not change what is kept."""
        fresh = {text: vector.copy() for text, vector in zip(texts, self._encoder.queries(texts), strict=True)}
        for vector in fresh.values():
            vector.flags.writeable = False
        with self._lock:
            self._kept.update({text: vector for text, vector in fresh.items() if len(text) <= LONGEST_QUERY})
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return fresh
