"""How much a sentence resembles what is sensitive: measured against examples, by the embedding model in use."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memory_app.nlp.encoder import TextEncoder, Vectors, example_vectors

FILE = Path(__file__).with_suffix(".txt")
HARMLESS = "harmless"

EXAMPLE_WEIGHT_POWER = 1.5
"""How much more a near example counts than a far one, as a power for each standard deviation of their cosines."""

NEAR, NEAR_WITH_SIGN = 0.4, 0.0
"""By how much more (the logarithm of a ratio) a sentence must resemble what is sensitive than what is harmless: alone,
and where a word of it is a sign. Of everyday statements one in twenty passes: in doubt it is sensitive."""

MIN_SEPARATION = 0.5
"""So much larger must the share found of the sensitive examples be than that of the harmless: else the model cannot
tell them apart, and signs alone decide."""


class SensitiveExamples:
    """Sentences with their kinds, as one model sees them."""

    def __init__(self, encoder: TextEncoder, kinds: Sequence[str], texts: Sequence[str]) -> None:
        self._encoder = encoder
        self._vectors = example_vectors(encoder, texts)
        self._kinds, self._sensitive = np.array(kinds), np.array([kind != HARMLESS for kind in kinds])
        cosines = self._vectors @ self._vectors.T
        others = ~np.eye(len(texts), dtype=bool)
        self._mean, self._deviation = cosines[others].mean(), cosines[others].std()
        near = self._nearness(cosines, others) >= NEAR
        self.apart = float(near[self._sensitive].mean() - near[~self._sensitive].mean())

    def kinds(self, texts: Sequence[str], signs: Sequence[str]) -> list[str]:
        """The kind of each text, "" for harmless. signs: of which kind a word of it is a sign, or ""."""
        if self.apart < MIN_SEPARATION or not texts:
            return list(signs)
        cosines = self._encoder.documents(texts) @ self._vectors.T
        nearness = self._nearness(cosines, np.ones_like(cosines, dtype=bool))
        nearest = self._kinds[np.where(self._sensitive, cosines, -1).argmax(axis=1)]
        return [
            (sign or str(kind)) if near >= (NEAR_WITH_SIGN if sign else NEAR) else ""
            for near, kind, sign in zip(nearness, nearest, signs, strict=True)
        ]

    def _nearness(self, cosines: Vectors, counted: Vectors) -> Vectors:
        weights = np.exp(EXAMPLE_WEIGHT_POWER * (cosines - self._mean) / self._deviation) * counted
        sides = (self._sensitive, ~self._sensitive)
        sensitive, harmless = (weights[:, side].sum(axis=1) / counted[:, side].sum(axis=1) for side in sides)
        nearness: Vectors = np.log(sensitive / harmless)
        return nearness


_by_model: dict[str, SensitiveExamples] = {}


def sensitive_examples(encoder: TextEncoder) -> SensitiveExamples:
    """The examples as this model sees them: made at first use, for a process uses one."""
    if encoder.name not in _by_model:
        kinds, texts = _read()
        _by_model[encoder.name] = SensitiveExamples(encoder, kinds, texts)
    return _by_model[encoder.name]


def _read() -> tuple[list[str], list[str]]:
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    kinds, texts, kind = list[str](), list[str](), HARMLESS
    for line in lines:
        if line[0] == "[":
            kind = line.strip("[]")
        else:
            kinds.append(kind)
            texts.append(line)
    return kinds, texts
