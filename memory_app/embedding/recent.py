"""The vectors of recent documents: a text is read before it is saved, and both need the same vector."""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np

from memory_app.embedding.cache import VectorCache
from memory_app.embedding.protocol import Encoder
from memory_app.embedding.vectors import Vectors

# As many as the sentences of a batch of 1,000 memories: 6 MB.
MOST_DOCUMENTS = 4096

_caches: WeakKeyDictionary[Encoder, VectorCache] = WeakKeyDictionary()


def recent_documents(encoder: Encoder, texts: Sequence[str]) -> Vectors:
    """As `Encoder.documents`, without encoding again what was encoded just now."""
    cache = _caches.setdefault(encoder, VectorCache(MOST_DOCUMENTS))
    known = {text: vector for text in texts if (vector := cache.get(text)) is not None}
    fresh = [text for text in dict.fromkeys(texts) if text not in known]
    if fresh:
        for text, vector in zip(fresh, encoder.documents(fresh), strict=True):
            known[text] = vector.copy()
            cache.put(text, known[text])
    return np.array([known[text] for text in texts], np.float32).reshape(len(texts), encoder.dimensions)
