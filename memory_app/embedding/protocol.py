"""What the rest of Keepsake may ask of an encoder, whichever model and runtime stand behind it."""

from collections.abc import Sequence
from typing import Protocol

from memory_app.embedding.vectors import Vectors


class Encoder(Protocol):
    """Turns texts into vectors of unit length, and counts and cuts texts by its own tokens.

    A subclass gives the abstract half; the rest follows from it.
    """

    @property
    def name(self) -> str:
        """The model and its variant, as stored on each row: vectors compare only within one name."""
        ...

    @property
    def dimensions(self) -> int: ...

    @property
    def window(self) -> int:
        """How many tokens of a document the model reads, its prompt and special tokens not counted."""
        ...

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Texts to be found: float32 of shape (len(texts), dimensions), in order."""
        ...

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Texts to find by: float32 of shape (len(texts), dimensions), in order."""
        ...

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Where each token of the whole text begins and ends, in characters; no special tokens."""
        ...

    def query(self, text: str) -> Vectors:
        """One text to find by: float32 of shape (dimensions,). Read-only."""
        vector: Vectors = self.queries([text])[0]
        return vector

    def count_tokens(self, text: str) -> int:
        return len(self.token_spans(text))

    def cut(self, text: str, tokens: int) -> str:
        """The longest beginning of the text that is at most `tokens` tokens long."""
        spans = self.token_spans(text)
        if len(spans) <= tokens:
            return text
        return text[: spans[tokens - 1][1]] if tokens > 0 else ""
