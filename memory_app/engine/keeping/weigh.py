"""Weigh what may be kept against what is: the decision table, without carrying it out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_app.embedding.vectors import Vectors
from memory_app.engine.enter import Entered
from memory_app.engine.keeping.compose import Given, compose
from memory_app.engine.keeping.surroundings import Surroundings
from memory_app.rules.decide import Decision, decide


@dataclass(frozen=True, slots=True)
class Weighed:
    """What keeping it would do (a `Relation`), to which memory, and why."""

    relation: str
    target: UUID | None
    reason: str


def weigh(entered: Entered, givens: Sequence[Given], vectors: Vectors, now: datetime, model: str) -> list[Weighed]:
    """One answer for each, in order. Expects the venue's scope; changes nothing."""
    if not givens:
        return []
    memories = [compose(entered, given, now) for given in givens]
    around = Surroundings(memories, vectors, now, model)
    decisions = [decide(around.candidate(index), around.of(index)) for index in range(len(memories))]
    return [_weighed(decision) for decision in decisions]


def _weighed(decision: Decision) -> Weighed:
    if decision.conflicts:
        return Weighed("conflict", decision.conflicts[0], decision.reason)
    relation = {"add": "new", "outdated": "duplicate"}.get(decision.outcome, decision.outcome)
    return Weighed(relation, decision.target, decision.reason)
