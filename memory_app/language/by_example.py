"""The type of a text by the examples it is nearest to: for what no rule recognises.

Leaves the rules to `kinds`, and which texts to ask about to the engine.
"""

from collections.abc import Sequence

import numpy as np

from ..embedding.protocol import Encoder
from ..embedding.vectors import Vectors

EXAMPLES = {
    "preference": (
        "Jazz over anything else in the evening",
        "No cilantro in my food, ever",
        "Mornings suit me better than nights",
        "Concise answers, please, without small talk",
        "Window seats whenever there is a choice",
    ),
    "decision": (
        "Oak for the floor it is, not bamboo",
        "The contract goes to the second bidder",
        "Settled on Lisbon for the summer",
        "No more meetings on Fridays from now on",
        "The team picks PostgreSQL for the new service",
    ),
    "event": (
        "Dinner with the neighbours last Saturday",
        "A burst pipe flooded the cellar in January",
        "Graduation ceremony on the 12th of June",
        "Our flight to Oslo was cancelled yesterday",
        "First concert of the choir in spring",
    ),
    "person": (
        "Marta, head of procurement at the supplier",
        "The new dentist is called Dr. Okafor",
        "Jonas, my brother-in-law, repairs boats",
        "Priya leads the design group in Pune",
        "Our landlord, a retired teacher named Hugo",
    ),
    "project": (
        "Garden shed: roof done, door still missing",
        "The migration to the new data centre is half done",
        "Website relaunch, budget 20k, deadline in May",
        "Writing a novel about lighthouse keepers",
        "Building a recommendation engine at work",
    ),
    "fact": (
        "The boiler is in the cupboard under the stairs",
        "Two cats and a parrot live in our flat",
        "The gate code changes every month",
        "Mount Teide is the highest mountain of Spain",
        "The car takes diesel",
    ),
}
"""Sentences of our own, none of which a rule is sure of."""

NEAR, MARGIN = 0.35, 0.06
"""A text takes the type of its nearest example only where that is as close as this, and so much closer than the nearest
of any other type; else it stays a fact, which claims least. Tried on the first half of the tests' labelled sentences.
"""


def type_by_example(vector: Vectors, encoder: Encoder) -> str:
    """The type of the text that the unit vector is of; "fact" in doubt."""
    types, examples = _examples(encoder)
    cosines = examples @ vector
    best = {name: max(c for c, t in zip(cosines, types, strict=True) if t == name) for name in EXAMPLES}
    (first, near), (_, next_near) = sorted(best.items(), key=lambda item: -item[1])[:2]
    return first if near >= NEAR and near - next_near >= MARGIN else "fact"


_encoded: dict[str, tuple[Sequence[str], Vectors]] = {}
"""The examples' types and vectors, by embedding model: encoded at first use, for a process uses one."""


def _examples(encoder: Encoder) -> tuple[Sequence[str], Vectors]:
    if encoder.name not in _encoded:
        types = [name for name, texts in EXAMPLES.items() for _ in texts]
        vectors = encoder.documents([text for texts in EXAMPLES.values() for text in texts])
        _encoded[encoder.name] = types, np.asarray(vectors)
    return _encoded[encoder.name]
