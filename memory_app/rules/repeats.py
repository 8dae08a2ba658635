"""Whether something was put to a person before, word for word or reworded; and whether two texts state one fact."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .apart import apart
from .decide import DUPLICATE_FROM, MERGE_FROM
from .differences import alike, differences, same_particulars
from .text import jaccard

Vector = NDArray[np.float32]


def repeats(text: str, vector: Vector, earlier: Iterable[tuple[str, Vector | list[float] | None]]) -> bool:
    """Whether a text says what one of the earlier ones (text, unit vector), which were refused, said.

    In whatever words; but who refused to have "I live in Rome" kept has not been asked about "I live in Oslo".
    """
    return any(_close(text, vector, said, other) and not apart(text, said) for said, other in earlier)


def _close(text: str, vector: Vector, said: str, other: Vector | list[float] | None) -> bool:
    if jaccard(text, said) >= DUPLICATE_FROM or alike(text, said):
        return True
    return other is not None and float(np.asarray(other, dtype=np.float32) @ vector) >= MERGE_FROM


def say_the_same(a: str, b: str) -> bool:
    """Whether to be told one of the two is to be told both: nearly the same words, and no name, number or "not" is on
    one side only."""
    if jaccard(a, b) < DUPLICATE_FROM:
        return False
    return alike(a, b) or (same_particulars(a, b) and not differences(a, b))
