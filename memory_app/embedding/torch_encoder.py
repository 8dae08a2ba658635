"""The model run by sentence-transformers itself: the reference, and the way for models that ONNX cannot express.

Importing this imports torch (five seconds, 600 MB), so only `encoder.current` does, by name, and only when it must.
"""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Self

import numpy as np
from sentence_transformers import SentenceTransformer
from tokenizers import Tokenizer

from memory_app.embedding.model_files import TOKENIZER_FILE, ModelSpec
from memory_app.embedding.protocol import Encoder
from memory_app.embedding.vectors import Vectors, to_unit_length

# Texts a batch: on two cores 16 short texts were as quick as any other number, and use little memory.
BATCH = 16


class TorchEncoder(Encoder):
    """Vectors from sentence-transformers, one call at a time: its fast tokenizers do not bear two threads at once."""

    def __init__(self, model_spec: ModelSpec, model: SentenceTransformer, tokenizer: Tokenizer) -> None:
        self._model_spec, self._model, self._tokenizer = model_spec, model, tokenizer
        self._lock = Lock()
        specials = tokenizer.num_special_tokens_to_add(False)
        self._window = model_spec.max_tokens - specials - len(self.token_spans(model_spec.document_prompt))

    @classmethod
    def load(cls, folder: Path, model_spec: ModelSpec) -> Self:
        model = SentenceTransformer(model_spec.reference, device="cpu")
        return cls(model_spec, model, Tokenizer.from_file(str(folder / TOKENIZER_FILE)))

    @property
    def name(self) -> str:
        return self._model_spec.name

    @property
    def dimensions(self) -> int:
        return self._model_spec.dimensions

    @property
    def window(self) -> int:
        return self._window

    def documents(self, texts: Sequence[str]) -> Vectors:
        """What exceeds the window is not read: `served` gives long texts in pieces."""
        return self._encode(self._model.encode_document, texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self._encode(self._model.encode_query, texts)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        return self._tokenizer.encode(text, add_special_tokens=False).offsets

    def _encode(self, encode: Any, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        with self._lock:
            return to_unit_length(encode(list(texts), batch_size=BATCH, show_progress_bar=False), self.dimensions)
