"""The vectors of recent texts: the same question often comes twice, once to search and once to brief, and what is saved
was looked at before it was."""

from collections import OrderedDict
from threading import Lock

from memory_app.embedding.vectors import Vectors

# 1,024 vectors of 384 floats are 1.5 MB. A text of more characters is pasted, and will not return.
MOST_QUERIES = 1024
LONGEST_QUERY = 500


class VectorCache:
    """Text to vector of one model, the least recently used forgotten first. For many threads."""

    def __init__(self, most: int = MOST_QUERIES) -> None:
        self._most = most
        self._kept: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, text: str) -> Vectors | None:
        with self._lock:
            if text in self._kept:
                self._kept.move_to_end(text)
            return self._kept.get(text)

    def put(self, text: str, vector: Vectors) -> None:
        if len(text) > LONGEST_QUERY:
            return
        with self._lock:
            self._kept[text] = vector
            self._kept.move_to_end(text)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
