"""Groups of things near each other, for a digest of what came up again and again: greedy, and the same each time."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

NEAR = 0.55
"""Cosine with the middle of a group from which one belongs to it. By all-MiniLM-L6-v2 two sentences on one subject
come to .5 to .7, and two on different ones to .3 at most."""


def clusters(vectors: NDArray[np.float32], near: float = NEAR) -> list[list[int]]:
    """Indexes by group, the largest first; alone is a group too. Rows are unit vectors.

    Each joins the nearest group that is near enough, in order; the middle of a group moves with it.
    """
    groups: list[list[int]] = []
    middles: list[NDArray[np.float32]] = []
    for index, vector in enumerate(vectors):
        cosines = [float(vector @ middle) for middle in middles]
        best = int(np.argmax(cosines)) if cosines else -1
        if best >= 0 and cosines[best] >= near:
            groups[best].append(index)
            middles[best] = _middle(vectors[groups[best]])
        else:
            groups.append([index])
            middles.append(vector)
    return sorted(groups, key=lambda group: (-len(group), group[0]))


def centre(vectors: NDArray[np.float32], group: Sequence[int]) -> int:
    """The one of a group that is nearest to its middle: it stands for the others."""
    middle = _middle(vectors[list(group)])
    return group[int(np.argmax(vectors[list(group)] @ middle))]


def _middle(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    total = vectors.sum(axis=0)
    length = float(np.linalg.norm(total))
    unit: NDArray[np.float32] = total / length if length else total
    return unit
