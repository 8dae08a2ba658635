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
    outcome, statements = Outcome(), [told["content"] for told in case["told"]]
    for told in case["told"]:
        simulated.told(told["content"], moment(told["said_at"]))
    now = moment(case["told"][-1]["said_at"]) + LATER
    for question in case["questions"]:
        brief = simulated.brief(question["query"], now)
        if question["kind"] == "answerable":
            _judge(question, statements_in(brief, statements), not brief, outcome)
        elif outcome.mark(UNANSWERED[question["kind"]], bool(brief)):
            outcome.fault(f"{question['kind']}: {question['query']!r} was told {brief!r}")
    return outcome


def _judge(question: Case, told: list[int], empty: bool, outcome: Outcome) -> None:
    answer, *others = question["answer"]
    outcome.mark(EMPTY, empty)
    if not outcome.mark(ANSWERED, answer in told):
        outcome.fault(f"{question['query']!r}: {told or 'empty'}, not {answer}")
    earlier = [n for n in others if n < answer and n in told]
    if answer in told and earlier:
        first = told.index(answer) < min(map(told.index, earlier))
        if not outcome.mark(NEWEST, first):
            outcome.fault(f"{question['query']!r}: {told}, {answer} is newer")


SET = CaseSet("questions", (ANSWERED, EMPTY, NEWEST, FAR, NEAR, NO_QUESTION), measure)
