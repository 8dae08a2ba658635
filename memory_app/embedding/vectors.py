"""What every vector must be before anyone stores it or searches with it: finite, not zero, of the right length."""

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from memory_app.embedding.errors import BadVector

# One vector has shape (dimensions,), several have (n, dimensions).
Vectors: TypeAlias = NDArray[np.float32]

# Shorter than this is noise around zero: dividing by it would give a direction that means nothing.
LEAST_LENGTH = 1e-6


def checked(vectors: ArrayLike, dimensions: int) -> Vectors:
    """The same as float32, one (dimensions,) or several (n, dimensions); BadVector says which row is at fault."""
    with np.errstate(over="ignore"):  # too large for float32 becomes infinite, and is refused as such below
        rows = np.asarray(vectors, dtype=np.float32)
    if rows.ndim not in (1, 2) or rows.shape[-1] != dimensions:
        raise BadVector(f"expected vectors of {dimensions} dimensions, got an array of shape {rows.shape}")
    _refuse(rows, ~np.isfinite(rows).all(axis=-1), "holds NaN or infinity")
    _refuse(rows, np.linalg.norm(rows, axis=-1) < LEAST_LENGTH, "is zero")
    return rows


def unit(vectors: ArrayLike, dimensions: int) -> Vectors:
    """Checked vectors, each divided by its Euclidean length."""
    rows = checked(vectors, dimensions)
    lengths = np.linalg.norm(rows.astype(np.float64), axis=-1, keepdims=True)
    divided: Vectors = (rows / lengths).astype(np.float32)
    return divided


def _refuse(rows: Vectors, bad: NDArray[np.bool_] | np.bool_, what: str) -> None:
    if bad.any():
        where = f"vector {int(np.argmax(bad))} of {len(rows)}" if rows.ndim == 2 else "the vector"
        raise BadVector(f"{where} {what}")
