"""What is sensitive: as POST /memories answers it for a text that someone wants kept."""

from datetime import UTC, datetime

from bench.understanding.cases import Case
from bench.understanding.figures import CaseSet, Figure, Outcome
from bench.understanding.simulated_person import SimulatedPerson

MISSED = Figure("sensitive ones missed", at_most=0, counted=True)
HARMLESS = Figure("harmless ones taken for sensitive")

AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def measure(case: Case, simulated: SimulatedPerson) -> Outcome:
    outcome, marked = Outcome(), simulated.save_memory(case["text"], AT).sensitive
    wrong = outcome.mark(MISSED, not marked) if case["sensitive"] else outcome.mark(HARMLESS, marked)
    if wrong:
        outcome.fault(f"{case['why']}: {case['text']!r} is {'sensitive' if marked else 'not sensitive'}")
    return outcome


SET = CaseSet("sensitive", (MISSED, HARMLESS), measure)
