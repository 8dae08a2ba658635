"""Fusion: one score from what each signal says, on fixed scales, and the share of each in it."""

from collections.abc import Sequence
from dataclasses import dataclass

MEANING_FROM, MEANING_SPAN = 0.05, 0.75
"""A cosine of .05 says nothing and one of .80 all, for all-MiniLM-L6-v2: fixed, so that no row changes another's."""

MEANING_WEIGHT, WORDS_WEIGHT = 0.5, 0.5


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks for a candidate. cosine: with the question, −1..1. text: words in common, 0..1 of the best row's."""

    cosine: float = 0.0
    text: float = 0.0


@dataclass(frozen=True, slots=True)
class Share:
    """What one signal contributed: its rank among the candidates, from 1, and its part of the score."""

    signal: str
    rank: int
    value: float
    share: float


def fuse(candidates: Sequence[Signals], method: str) -> list[tuple[int, float, tuple[Share, ...]]]:
    """(index, score in 0..1, shares) of the candidates that any signal speaks for, best first."""
    parts = [_parts(signals, method) for signals in candidates]
    scored = [(sum(part.values()), index) for index, part in enumerate(parts)]
    order = sorted((-score, index) for score, index in scored if score > 0)
    ranks = _ranks(parts)
    return [(index, -score, _shares(index, candidates[index], parts[index], ranks)) for score, index in order]


def _parts(signals: Signals, method: str) -> dict[str, float]:
    meaning = min(1.0, max(0.0, (signals.cosine - MEANING_FROM) / MEANING_SPAN))
    if method == "vector":
        return {"meaning": meaning}
    if method == "text":
        return {"words": signals.text}
    return {"meaning": MEANING_WEIGHT * meaning, "words": WORDS_WEIGHT * signals.text}


def _ranks(parts: Sequence[dict[str, float]]) -> dict[str, dict[int, int]]:
    names = parts[0] if parts else {}
    return {
        name: {index: rank for rank, index in enumerate(sorted(range(len(parts)), key=lambda i: -parts[i][name]), 1)}
        for name in names
    }


def _shares(
    index: int, signals: Signals, parts: dict[str, float], ranks: dict[str, dict[int, int]]
) -> tuple[Share, ...]:
    raw = {"meaning": signals.cosine, "words": signals.text}
    return tuple(
        Share(name, ranks[name][index], round(raw[name], 4), round(part, 4)) for name, part in parts.items() if part > 0
    )
