"""An encoder as the rest of Keepsake uses it: long documents count whole, and recent queries are remembered."""

from collections.abc import Sequence

import numpy as np

from memory_app.embedding.cache import VectorCache
from memory_app.embedding.chunks import long_documents
from memory_app.embedding.protocol import Encoder
from memory_app.embedding.vectors import Vectors


class ServedEncoder(Encoder):
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
        return long_documents(texts, self.runtime)

    def query(self, text: str) -> Vectors:
        kept = self._cache.get(text)
        return self._encoded([text])[text] if kept is None else kept

    def queries(self, texts: Sequence[str]) -> Vectors:
        kept = {text: self._cache.get(text) for text in texts}
        known = {text: vector for text, vector in kept.items() if vector is not None}
        known |= self._encoded([text for text, vector in kept.items() if vector is None])
        return np.array([known[text] for text in texts], dtype=np.float32).reshape(len(texts), self.dimensions)

    def _encoded(self, texts: list[str]) -> dict[str, Vectors]:
        """The vectors of new texts, read-only, since the same array may be handed out again."""
        vectors = self.runtime.queries(texts) if texts else ()
        fresh = {text: vector.copy() for text, vector in zip(texts, vectors, strict=True)}
        for text, vector in fresh.items():
            vector.flags.writeable = False
            self._cache.put(text, vector)
        return fresh
