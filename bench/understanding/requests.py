"""Requests to remember, through POST /remember and inside a turn, and what only looks like one."""

from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import permutations

from bench.understanding.cases import Case, has_all_words, moment, words
from bench.understanding.figures import CaseSet, Figure, Outcome
from bench.understanding.simulated_person import SimulatedPerson
from memory_app.models import Memory

ASKED = Figure("requests through /remember, right")
LOOK_ALIKE = Figure("look-alikes through /remember, kept")
IN_TURN = Figure("requests in a turn, right")
LOOK_ALIKE_IN_TURN = Figure("look-alikes in a turn, kept")
TASK = Figure("tasks in a turn with their day")

MOST_EXTRA = 3
ASKING = ("remember", "remind", "forget", "note", "memorise", "store")
"""No words to keep, also misspelt."""

ALIKE = 0.75
WHOLE_CLAUSE = "whole clause"
"""In the note of a case where all that follows "remember" is right, too."""


def measure(case: Case, simulated: SimulatedPerson) -> Outcome:
    """Sends the utterance as a turn; and, of one person more, as a request."""
    outcome, at = Outcome(), moment(case["said_at"])
    in_turn = simulated.talk([("user", case["utterance"])], at).remembered
    _judge(case, in_turn, (IN_TURN, LOOK_ALIKE_IN_TURN), outcome)
    if case["task_day"]:
        days = [str(memory.event_time.date()) for memory in in_turn if memory.event_time]
        if not outcome.mark(TASK, days[:1] == [case["task_day"]]):
            outcome.fault(f"not on {case['task_day']}: {days} for {case['utterance']!r}")
    asked = simulated.another().request(case["utterance"], at)
    _judge(case, asked, (ASKED, LOOK_ALIKE), outcome)
    return outcome


def _judge(case: Case, kept: Sequence[Memory], figures: tuple[Figure, Figure], outcome: Outcome) -> None:
    right, look_alike = figures
    contents = [memory.content for memory in kept]
    wrong = (
        not outcome.mark(right, _is_right(case, contents))
        if case["requests"]
        else outcome.mark(look_alike, bool(contents))
    )
    if wrong:
        outcome.fault(f"{right.what}: no; {case['utterance']!r} kept {contents}")


def _is_right(case: Case, contents: Sequence[str]) -> bool:
    wanted = case["requests"]
    if len(contents) != len(wanted):
        return False
    return any(
        all(_is_kept(case, request, content) for request, content in zip(wanted, order, strict=True))
        for order in permutations(contents)
    )


def _is_kept(case: Case, request: str, content: str) -> bool:
    extra = list((Counter(words(content)) - Counter(words(request))).elements())
    if not has_all_words(content, request) or any(get_close_matches(word, ASKING, 1, ALIKE) for word in extra):
        return False
    return len(extra) <= MOST_EXTRA or WHOLE_CLAUSE in case["note"]


SET = CaseSet("requests", (ASKED, LOOK_ALIKE, IN_TURN, LOOK_ALIKE_IN_TURN, TASK), measure)
