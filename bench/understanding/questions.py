"""What a brief holds for a question: its answer, or nothing where nothing was told."""

from datetime import timedelta

from bench.understanding.briefs import statements_in
from bench.understanding.cases import Case, moment
from bench.understanding.figures import CaseSet, Figure, Outcome
from bench.understanding.simulated_person import SimulatedPerson

ANSWERED = Figure("answer in the brief", at_least=0.8)
EMPTY = Figure("empty though answerable", at_most=0.12)
NEWEST = Figure("of two on a subject in it, the newer first")
FAR = Figure("never told: not empty", at_most=0.05)
NEAR = Figure("told of near it: not empty")
NO_QUESTION = Figure("no question to memory: not empty", at_most=0.03)

UNANSWERED = {"far": FAR, "near": NEAR, "no_question": NO_QUESTION}
LATER = timedelta(days=1)


def measure(case: Case, simulated: SimulatedPerson) -> Outcome:
    """Tells everything in order, then asks everything a day after."""
    outcome, statements = Outcome(), [statement["content"] for statement in case["told"]]
    for statement in case["told"]:
        simulated.save_memory(statement["content"], moment(statement["said_at"]))
    now = moment(case["told"][-1]["said_at"]) + LATER
    for question in case["questions"]:
        brief = simulated.brief(question["query"], now)
        if question["kind"] == "answerable":
            _judge(question, statements_in(brief, statements), not brief, outcome)
        elif outcome.mark(UNANSWERED[question["kind"]], bool(brief)):
            outcome.fault(f"{question['kind']}: {question['query']!r} was told {brief!r}")
    return outcome


def _judge(question: Case, found: list[int], empty: bool, outcome: Outcome) -> None:
    answer, *others = question["answer"]
    outcome.mark(EMPTY, empty)
    if not outcome.mark(ANSWERED, answer in found):
        outcome.fault(f"{question['query']!r}: {found or 'empty'}, not {answer}")
    earlier = [n for n in others if n < answer and n in found]
    if answer in found and earlier:
        first = found.index(answer) < min(map(found.index, earlier))
        if not outcome.mark(NEWEST, first):
            outcome.fault(f"{question['query']!r}: {found}, {answer} is newer")


SET = CaseSet("questions", (ANSWERED, EMPTY, NEWEST, FAR, NEAR, NO_QUESTION), measure)
