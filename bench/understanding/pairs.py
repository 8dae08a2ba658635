"""Two statements: the old one is kept, then the new one is told."""

from datetime import UTC, datetime, timedelta

from bench.understanding.cases import Case, holds
from bench.understanding.figures import CaseSet, Figure, Outcome
from bench.understanding.someone import Someone

SAME = Figure("the same: one memory")
LOST = Figure("more: words lost", at_most=0, counted=True)
CONFLICT = Figure("in conflict: both stand, and it is asked")
OTHER = Figure("other: both stand")
NEEDLESS = Figure("other: asked needlessly")

OLD = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
NEW = OLD + timedelta(days=30)


def measure(case: Case, someone: Someone) -> Outcome:
    """Judges what stands after both were told."""
    outcome, relation = Outcome(), case["relation"]
    someone.told(case["old"], OLD)
    someone.told(case["new"], NEW)
    contents, asked = [memory.content for memory in someone.memories()], someone.has_conflict()
    text, both = "\n".join(contents), len(contents) == 2
    match relation:
        case "same":
            wrong = not outcome.mark(SAME, len(contents) == 1)
        case "more":
            wrong = outcome.mark(LOST, not (holds(text, case["old"]) and holds(text, case["new"])))
        case "conflict":
            wrong = not outcome.mark(CONFLICT, both and asked)
        case _:
            wrong = not outcome.mark(OTHER, both)
            wrong = outcome.mark(NEEDLESS, asked) or wrong
    if wrong:
        outcome.fault(f"{relation}: {case['old']!r}, {case['new']!r}: {contents}, {'asked' if asked else 'not asked'}")
    return outcome


SET = CaseSet("pairs", (SAME, LOST, CONFLICT, OTHER, NEEDLESS), measure)
