"""An encoder for tests that do not judge recall: a text is the sum of its words, each a fixed random direction."""

import hashlib
import re
from collections.abc import Sequence

import numpy as np

from memory_app.embedding.protocol import Encoder
from memory_app.embedding.vectors import Vectors

DIMENSIONS = 64


class HashingEncoder(Encoder):
    """Texts that share words are close; nothing is known of meaning."""

    name = "test-hashing-64"
    dimensions = DIMENSIONS
    window = 256

    def documents(self, texts: Sequence[str]) -> Vectors:
        return np.stack([_vector(text) for text in texts])

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self.documents(texts)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        return [match.span() for match in re.finditer(r"\w+|[^\w\s]", text)]


def _vector(text: str) -> Vectors:
    words = re.findall(r"\w+", text.casefold()) or [text]
    total = np.sum([_direction(word) for word in words], axis=0)
    unit: Vectors = (total / np.linalg.norm(total)).astype(np.float32)
    return unit


def _direction(word: str) -> Vectors:
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest())
    return np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)
