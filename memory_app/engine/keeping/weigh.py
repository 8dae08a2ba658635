"""Weigh what may be kept against what is: the decision table, without carrying it out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from ...embedding.encoder import Encoder
from ...embedding.vectors import Vectors
from ...rules.decide import decide
from ..enter import Entered
from .compared import BothWays
from .compose import Given, compose
from .surroundings import Surroundings

RELATIONS = {
    "add": "new",
    "duplicate": "duplicate",
    "outdated": "duplicate",  # nobody is asked about what they told otherwise since
    "merge": "merge",
    "supersede": "supersede",
    "conflict": "conflict",
}


@dataclass(frozen=True, slots=True)
class Weighed:
    """What keeping it would do (a `Relation`), to which memory, and why."""

    relation: str
    target: UUID | None
    reason: str


def weigh(
    entered: Entered, givens: Sequence[Given], vectors: Vectors, now: datetime, encoder: Encoder
) -> list[Weighed]:
    """One answer for each, in order. Expects the venue's scope; changes nothing."""
    if not givens:
        return []
    memories = [compose(entered, given, now) for given in givens]
    around = Surroundings(memories, vectors, BothWays(memories, encoder, vectors).otherwise, now, encoder.name)
    decisions = [decide(around.candidate(index), around.of(index)) for index in range(len(memories))]
    return [Weighed(RELATIONS[decision.outcome], decision.target, decision.reason) for decision in decisions]
