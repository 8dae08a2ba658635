"""The encoder of this process as `nlp` uses it: it remembers recent texts, and stores example vectors in a file."""

import os
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from django.conf import settings

from memory_app.embedding.cached_encoder import encode_documents_cached
from memory_app.embedding.encoder import current_encoder
from memory_app.embedding.model_files import model_folder
from memory_app.embedding.protocol import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.nlp.encoder import TextEncoder


class RecentTextsEncoder:
    """An encoder that remembers the vectors of recent documents."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    @property
    def name(self) -> str:
        return self._encoder.name

    def documents(self, texts: Sequence[str]) -> Vectors:
        return encode_documents_cached(self._encoder, texts)


def current_text_encoder() -> RecentTextsEncoder:
    """The encoder that is current when it is asked for, so `use_encoder` holds for `nlp`, too."""
    return RecentTextsEncoder(current_encoder())


def stored_vectors(encoder: TextEncoder, texts: Sequence[str]) -> Vectors:
    """Their vectors, from a file in the model's folder: encoding them takes seconds, and each process needs them."""
    folder = model_folder(encoder.name, settings.KEEPSAKE_DATA.absolute())
    digest = blake2b("\n".join(texts).encode(), digest_size=8).hexdigest()
    file = folder / f"examples-{digest}.npy"
    if file.exists():
        stored: Vectors = np.load(file)
        return stored
    vectors = np.asarray(encoder.documents(texts))
    if folder.is_dir():
        draft = file.with_suffix(f".{os.getpid()}.npy")
        np.save(draft, vectors)
        draft.replace(file)
    return vectors
