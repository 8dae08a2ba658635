"""Replies to a list of proposals: just those are kept and turned down that the person meant, corrected as they said."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from bench.understanding.cases import Case, has_all_words
from bench.understanding.figures import CaseSet, Figure, Outcome
from bench.understanding.simulated_person import SimulatedPerson
from memory_app.models import Proposal

RIGHT = Figure("right")
ASKED_AGAIN = Figure("corrections asked about once more")
UNCORRECTED = Figure("kept without the correction", counted=True)
UNWANTED = Figure("unwanted ones kept", at_most=0, counted=True)
UNASKED = Figure("turned down unasked", at_most=0, counted=True)

AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Decided:
    """By their numbers: what was kept, as which text, and what was turned down."""

    kept: Mapping[int, str]
    rejected: frozenset[int]


def measure(case: Case, simulated: SimulatedPerson) -> Outcome:
    """Puts the proposals to the person at the end of a conversation, and judges what the reply did."""
    outcome, talk = Outcome(), simulated.talk([("user", "Hello.")], AT)
    proposed = simulated.propose(talk.conversation, case["proposals"], AT)
    if refused := [answer.reason for answer in proposed if not isinstance(answer, Proposal)]:
        outcome.mark(RIGHT, False)
        outcome.fault(f"{case['id']}: could not be put to the person: {refused}")
        return outcome
    simulated.end(talk.conversation, AT)
    replied = simulated.reply(talk.conversation, case["reply"], AT)
    numbers = {proposal.id: number for number, proposal in enumerate(proposed, 1)}
    kept = {numbers[one.proposal.id]: one.memory.content for one in replied.accepted}
    decided = Decided(kept, frozenset(numbers[one.id] for one in replied.rejected))
    if _judge(case, decided, outcome):
        shown = f"kept {decided.kept}, turned down {sorted(decided.rejected)}: {replied.message!r}"
        outcome.fault(f"{case['proposals']}, {case['reply']!r}: {shown}")
    return outcome


def _judge(case: Case, decided: Decided, outcome: Outcome) -> bool:
    """Marks one reply. Whether anything is wrong."""
    every = range(1, len(case["proposals"]) + 1)
    edits = {int(number): text for number, text in (case["edit"] or {}).items()}
    uncorrected = {n for n, text in edits.items() if n in decided.kept and not has_all_words(decided.kept[n], text)}
    asked_again = not decided.kept and not decided.rejected
    for number in every:
        outcome.mark(UNWANTED, number in decided.kept and number not in case["accept"])
        outcome.mark(UNASKED, number in decided.rejected and number in (*case["accept"], *case["untouched"]))
    for number in edits:
        outcome.mark(UNCORRECTED, number in uncorrected)
    if edits:
        outcome.mark(ASKED_AGAIN, asked_again)
    as_meant = {*decided.kept} == {*case["accept"]} and {*case["reject"]} <= decided.rejected and not uncorrected
    untouched = decided.rejected.isdisjoint([*case["accept"], *case["untouched"]])
    return not outcome.mark(RIGHT, (as_meant and untouched) or (bool(edits) and asked_again))


SET = CaseSet("replies", (RIGHT, ASKED_AGAIN, UNCORRECTED, UNWANTED, UNASKED), measure)
