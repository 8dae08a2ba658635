"""What every vector must be before anyone stores it or searches with it: finite, not zero, of the right length.

What can go wrong between a text and its vector. All are ValueErrors, and say which model or row is meant.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

# One vector has shape (dimensions,), several have (n, dimensions).
Vectors: TypeAlias = NDArray[np.float32]

# Shorter than this is noise around zero: dividing by it would give a direction that means nothing.
MIN_LENGTH = 1e-6


def check_vectors(vectors: ArrayLike, dimensions: int) -> Vectors:
    """The same as float32, one (dimensions,) or several (n, dimensions); BadVector says which row is at fault."""
    with np.errstate(over="ignore"):  # too large for float32 becomes infinite, and is refused as such below
        rows = np.asarray(vectors, dtype=np.float32)
    if rows.ndim not in (1, 2) or rows.shape[-1] != dimensions:
        raise BadVector(f"expected vectors of {dimensions} dimensions, got an array of shape {rows.shape}")
    _raise_if_any(rows, ~np.isfinite(rows).all(axis=-1), "holds NaN or infinity")
    _raise_if_any(rows, np.linalg.norm(rows, axis=-1) < MIN_LENGTH, "is zero")
    return rows


def to_unit_length(vectors: ArrayLike, dimensions: int) -> Vectors:
    """Checked vectors, each divided by its Euclidean length."""
    rows = check_vectors(vectors, dimensions)
    lengths = np.linalg.norm(rows.astype(np.float64), axis=-1, keepdims=True)
    divided: Vectors = (rows / lengths).astype(np.float32)
    return divided


def _raise_if_any(rows: Vectors, bad: NDArray[np.bool_] | np.bool_, what: str) -> None:
    if bad.any():
        where = f"vector {int(np.argmax(bad))} of {len(rows)}" if rows.ndim == 2 else "the vector"
        raise BadVector(f"{where} {what}")


class EmbeddingError(ValueError):
    """Something about the embedding model or its vectors is not as it must be."""


class BadVector(EmbeddingError):
    """A vector that must not be stored or searched with: not finite, zero, or of the wrong length."""


class ModelUnavailable(EmbeddingError):
    """The configured model could not be found, read or prepared."""
