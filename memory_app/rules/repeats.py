"""Whether something was proposed to a person before, in the same words or in others."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from memory_app.rules.comparison import adds_nothing, differs_in_a_particular
from memory_app.rules.text import jaccard

REPEATED_FROM = 0.85
"""Cosine from which a text repeats one that was refused; from written pairs of one statement in two wordings."""

Vector = NDArray[np.float32]

SAME_QUOTE = 0.5
"""Of the words of two quotes, those that both have: the rules quote sentences, a model often a clause of one."""


def repeats(text: str, vector: Vector, earlier: Iterable[tuple[str, Vector | list[float] | None]]) -> bool:
    """Whether a text says what one of the earlier ones (text, unit vector), which were refused, said.

    In whatever words; but who refused to have "I live in Rome" kept has not been asked about "I live in Oslo".
    """
    return any(
        adds_nothing(text, said) or (_is_close(vector, other) and not differs_in_a_particular(text, said))
        for said, other in earlier
    )


def rests_on(quote: tuple[str, str], earlier: tuple[str, str]) -> bool:
    """Whether two quotes, each a turn and words of it, are nearly the same words. A turn may tell several things, and
    only one of them was refused."""
    return quote[0] == earlier[0] and jaccard(quote[1], earlier[1]) >= SAME_QUOTE


def say_the_same(a: str, b: str) -> bool:
    """Whether one of the two texts has no word that the other has not."""
    return adds_nothing(a, b) or adds_nothing(b, a)


def _is_close(vector: Vector, other: Vector | list[float] | None) -> bool:
    return other is not None and float(np.asarray(other, dtype=np.float32) @ vector) >= REPEATED_FROM
