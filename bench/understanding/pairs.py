"""Two statements: the old one is kept, then the new one is told."""

from datetime import UTC, datetime, timedelta

from bench.understanding.cases import Case, has_all_words
from bench.understanding.figures import CaseSet, Figure, Outcome
from bench.understanding.simulated_person import SimulatedPerson

SAME = Figure("the same: one memory")
LOST = Figure("more: words lost", at_most=0, counted=True)
CONFLICT = Figure("in conflict: both stand, and it is asked")
OTHER = Figure("other: both stand")
NEEDLESS = Figure("other: asked needlessly")

OLD = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
NEW = OLD + timedelta(days=30)


def measure(case: Case, simulated: SimulatedPerson) -> Outcome:
    """Judges what stands after both were told."""
    outcome, relation = Outcome(), case["relation"]
    simulated.save_memory(case["old"], OLD)
    simulated.save_memory(case["new"], NEW)
    contents, asked = [memory.content for memory in simulated.memories()], simulated.has_conflict()
    text, both = "\n".join(contents), len(contents) == 2
    match relation:
        case "same":
            wrong = not outcome.mark(SAME, len(contents) == 1)
        case "more":
            wrong = outcome.mark(LOST, not (has_all_words(text, case["old"]) and has_all_words(text, case["new"])))
        case "conflict":
            wrong = not outcome.mark(CONFLICT, both and asked)
        case _:
            wrong = not outcome.mark(OTHER, both)
            wrong = outcome.mark(NEEDLESS, asked) or wrong
    if wrong:
        outcome.fault(f"{relation}: {case['old']!r}, {case['new']!r}: {contents}, {'asked' if asked else 'not asked'}")
    return outcome


SET = CaseSet("pairs", (SAME, LOST, CONFLICT, OTHER, NEEDLESS), measure)
