"""The encoder by which `nlp` compares sentences. Whoever starts the process sets it; `nlp` itself loads no model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

# One vector for each text: float32 of shape (len(texts), dimensions), each of unit length.
Vectors: TypeAlias = NDArray[np.float32]


class TextEncoder(Protocol):
    """An embedding model. Its vectors compare only with vectors of the same name."""

    @property
    def name(self) -> str: ...

    def documents(self, texts: Sequence[str]) -> Vectors: ...


def encode_examples(encoder: TextEncoder, texts: Sequence[str]) -> Vectors:
    """The vectors of texts that never change."""
    return encoder.documents(texts)


@dataclass
class _Process:
    encoder: Callable[[], TextEncoder | None] = lambda: None
    example_vectors: Callable[[TextEncoder, Sequence[str]], Vectors] = encode_examples


_process = _Process()


def set_text_encoder(
    encoder: Callable[[], TextEncoder | None],
    example_vectors: Callable[[TextEncoder, Sequence[str]], Vectors] = encode_examples,
) -> None:
    """From now on this process compares sentences by what `encoder` returns; `example_vectors` may store vectors."""
    _process.encoder, _process.example_vectors = encoder, example_vectors


def text_encoder() -> TextEncoder | None:
    """The encoder of this process, or None: then only the forms and words of a sentence decide."""
    return _process.encoder()


def example_vectors(encoder: TextEncoder, texts: Sequence[str]) -> Vectors:
    """The vectors of texts that never change, from wherever the process stores them."""
    return _process.example_vectors(encoder, texts)
