"""A cross-encoder by sentence-transformers. Importing this imports torch: only `reranker` does, by name, if it must."""

from collections.abc import Callable, Sequence

import numpy as np
from sentence_transformers import CrossEncoder
from torch.nn import Identity

BATCH = 16
MAX_TEXT = 1_000
"""Characters of a text that are read: beyond, a pair takes several times as long, and is cut by most models anyway."""


def load(name: str) -> Callable[[str, Sequence[str]], list[float]]:
    """What scores texts beside a question, by a model of that name or in that folder. Raises ValueError for a model
    that gives several numbers for a pair, and whatever sentence-transformers raises for one that it cannot load."""
    model = CrossEncoder(name, device="cpu")
    if model.num_labels != 1:
        raise ValueError(f"{name} gives {model.num_labels} numbers for a pair of texts, not one: it cannot rank.")

    def scores(question: str, texts: Sequence[str]) -> list[float]:
        pairs = [(question[:MAX_TEXT], text[:MAX_TEXT]) for text in texts]
        # Bare, without the model's own scaling to 0..1, at whose ends different texts become alike.
        found = model.predict(pairs, batch_size=BATCH, show_progress_bar=False, activation_fn=Identity())
        if not np.isfinite(found).all():
            raise ValueError(f"{name} gave a score that is no number.")
        return [float(score) for score in found]

    return scores
