"""An encoder as the rest of Keepsake uses it: long documents count whole, and recent queries are remembered.

The vectors of recent texts: the same question often comes twice, once to search and once to brief, and what is saved
was looked at before it was.

The vectors of recent documents: a text is read before it is saved, and both need the same vector.
"""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np

from memory_app.embedding.chunks import encode_long_documents
from memory_app.embedding.protocol import Encoder
from memory_app.embedding.vectors import Vectors

# 1,024 vectors of 384 floats are 1.5 MB. A text of more characters is pasted, and will not return.
MAX_CACHED_QUERIES = 1024
MAX_CACHED_TEXT = 500


class VectorCache:
    """Text to vector of one model, the least recently used forgotten first. For many threads."""

    def __init__(self, max_size: int = MAX_CACHED_QUERIES) -> None:
        self._max_size = max_size
        self._vectors: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._vectors)

    def get(self, text: str) -> Vectors | None:
        with self._lock:
            if text in self._vectors:
                self._vectors.move_to_end(text)
            return self._vectors.get(text)

    def put(self, text: str, vector: Vectors) -> None:
        if len(text) > MAX_CACHED_TEXT:
            return
        with self._lock:
            self._vectors[text] = vector
            self._vectors.move_to_end(text)
            if len(self._vectors) > self._max_size:
                self._vectors.popitem(last=False)


class CachedEncoder(Encoder):
    """A runtime (ONNX or torch) behind a cache of its query vectors."""

    def __init__(self, runtime: Encoder, cache: VectorCache | None = None) -> None:
        self.runtime = runtime
        self._cache = VectorCache() if cache is None else cache

    @property
    def name(self) -> str:
        return self.runtime.name

    @property
    def dimensions(self) -> int:
        return self.runtime.dimensions

    @property
    def window(self) -> int:
        return self.runtime.window

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        return self.runtime.token_spans(text)

    def documents(self, texts: Sequence[str]) -> Vectors:
        return encode_long_documents(texts, self.runtime)

    def query(self, text: str) -> Vectors:
        cached = self._cache.get(text)
        return self._encoded([text])[text] if cached is None else cached

    def queries(self, texts: Sequence[str]) -> Vectors:
        cached = {text: self._cache.get(text) for text in texts}
        known = {text: vector for text, vector in cached.items() if vector is not None}
        known |= self._encoded([text for text, vector in cached.items() if vector is None])
        return np.array([known[text] for text in texts], dtype=np.float32).reshape(len(texts), self.dimensions)

    def _encoded(self, texts: list[str]) -> dict[str, Vectors]:
        """The vectors of new texts, read-only, since the same array may be handed out again."""
        vectors = self.runtime.queries(texts) if texts else ()
        fresh = {text: vector.copy() for text, vector in zip(texts, vectors, strict=True)}
        for text, vector in fresh.items():
            vector.flags.writeable = False
            self._cache.put(text, vector)
        return fresh


# As many as the sentences of a batch of 1,000 memories: 6 MB.
MAX_CACHED_DOCUMENTS = 4096

_caches: WeakKeyDictionary[Encoder, VectorCache] = WeakKeyDictionary()


def encode_documents_cached(encoder: Encoder, texts: Sequence[str]) -> Vectors:
    """As `Encoder.documents`, without encoding again what was encoded just now."""
    cache = _caches.setdefault(encoder, VectorCache(MAX_CACHED_DOCUMENTS))
    known = {text: vector for text in texts if (vector := cache.get(text)) is not None}
    fresh = [text for text in dict.fromkeys(texts) if text not in known]
    if fresh:
        for text, vector in zip(fresh, encoder.documents(fresh), strict=True):
            known[text] = vector.copy()
            cache.put(text, known[text])
    return np.array([known[text] for text in texts], np.float32).reshape(len(texts), encoder.dimensions)
