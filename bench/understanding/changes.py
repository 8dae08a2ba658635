"""Changed facts told as an event: the brief for a question has the later one first, and says when each was told."""

from datetime import timedelta

from bench.understanding.briefs import shows_day, statements_in
from bench.understanding.cases import Case, moment
from bench.understanding.figures import CaseSet, Figure, Outcome
from bench.understanding.simulated_person import SimulatedPerson

RIGHT = Figure("the change first of the two, both with their days", at_least=0.9)
FIRST = Figure("the change first of the two")
BOTH = Figure("both in the brief")
LATER = timedelta(days=1)


def measure(case: Case, simulated: SimulatedPerson) -> Outcome:
    """Tells everything in order, and asks a day after."""
    outcome, two = Outcome(), [case["before"], case["after"]]
    every = sorted([*two, *case["others"]], key=lambda statement: moment(statement["said_at"]))
    for statement in every:
        simulated.save_memory(statement["content"], moment(statement["said_at"]))
    brief = simulated.brief(case["question"], moment(every[-1]["said_at"]) + LATER)
    order = statements_in(brief, [statement["content"] for statement in two])
    dated = all(shows_day(brief, two[n]["content"], moment(two[n]["said_at"])) for n in order)
    first = outcome.mark(FIRST, order[:1] == [1])
    outcome.mark(BOTH, len(order) == len(two))
    if not outcome.mark(RIGHT, first and dated):
        outcome.fault(f"{case['question']!r} for {case['after']['content']!r}: {brief!r}")
    return outcome


SET = CaseSet("changes", (RIGHT, FIRST, BOTH), measure)
