"""An encoder whose tokens are words and whose vectors can be worked out by hand, and which notes what it was asked."""

import re
from collections.abc import Sequence

import numpy as np

from memory_app.embedding.protocol import Encoder
from memory_app.embedding.vectors import Vectors, to_unit_length


class WordEncoder(Encoder):
    """The vector of a text counts its words by their first letter: a, b, c, anything else."""

    name = "words"
    dimensions = 4

    def __init__(self, window: int = 6) -> None:
        self._window = window
        self.asked: list[str] = []

    @property
    def window(self) -> int:
        return self._window

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        return [found.span() for found in re.finditer(r"\S+", text)]

    def documents(self, texts: Sequence[str]) -> Vectors:
        return self.queries(texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        rows = np.zeros((len(texts), 4))
        for row, text in enumerate(texts):
            for word in text.split():
                rows[row, "abc".find(word[0])] += 1
        return to_unit_length(rows, 4)
