"""How sure one may be that a turn says something worth keeping: a weighted sum of its signals, as a probability.

The weights were learned by `bench/extraction_weights.py` on annotated conversations between friends (LoCoMo, five
development conversations): that a turn was noted as an observation, and half as much that a question is answered by
it. The probability is that of the former, calibrated on conversations left out. Signals speak of form, not of topics.
"""

import math
from collections.abc import Mapping

BIAS = 1.812
WEIGHTS: Mapping[str, float] = {
    "own_rank": -1.471,
    "among": -1.072,
    "speaks_of_self": 0.697,
    "fresh": 0.591,
    "points_at_picture": 0.528,
    "was_asked": 0.517,
    "times": 0.387,
    "answers": 0.368,
    "possessions": 0.355,
    "opens_with_self": 0.336,
    "names": 0.319,
    "stands_out": 0.248,
    "events": 0.212,
    "places": 0.184,
    "taken_up": 0.133,
    "own_words": -0.126,
    "after_much": -0.124,
    "vague": -0.098,
    "cheered": 0.093,
}


def worth(signals: Mapping[str, float]) -> float:
    """0 to 1; 0 for a turn without signals."""
    if not signals:
        return 0.0
    return 1 / (1 + math.exp(-(BIAS + sum(weight * signals[name] for name, weight in WEIGHTS.items()))))
