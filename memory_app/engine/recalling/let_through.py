"""Let through: of what was found, what is relevant enough to be put before an assistant, and may be."""

from collections.abc import Sequence
from uuid import UUID

from memory_app.engine.enter import Entered
from memory_app.engine.recalling.asked import Asked, Result
from memory_app.engine.recalling.recall import Recalled
from memory_app.models import Memory, SensitivePolicy, SourceType, Status
from memory_app.rules.gate import PART_OF_BEST_SIDE, admits, opens, speaks_of, tells_of_a_side
from memory_app.rules.query_kind import query_kind
from memory_app.rules.repeats import say_the_same


def let_through(
    entered: Entered, asked: Asked, recalled: Recalled, *, conversation: UUID | None, asked_for: bool
) -> list[Result]:
    """What was found, if it passes the gate: what may be said here, still holds, and is not of the conversation that is
    going on. One of those that say the same, such as a memory kept in private and in a space: the most relevant.

    asked_for: memories of a topic were asked for; then all that speak of it are relevant, and nothing else is.
    """
    if asked.sides:
        passed = _of_the_sides(recalled)
    else:
        passed = _of_the_topic(recalled) if asked_for else _gated(recalled, entered.person.language)
    return _once([result for result in passed if may_be_briefed(result.memory, entered, conversation)])


def may_be_briefed(memory: Memory, entered: Entered, conversation: UUID | None) -> bool:
    """Whether what is relevant may be told here, still holds, and is not of the conversation that is going on."""
    tells_all = entered.person.sensitive_policy == SensitivePolicy.PRIVATE
    return (
        (tells_all or not memory.sensitive)
        and memory.status == Status.ACTIVE
        # A week's digest repeats what is found beside it, under a title that says nothing; `about` has its lines.
        and memory.source_type != SourceType.REFLECTION
        and (conversation is None or memory.source_conversation != conversation)
    )


def _of_the_sides(recalled: Recalled) -> list[Result]:
    told = [result for result in recalled.results if tells_of_a_side(result.signals, recalled.statistics)]
    return [result for result in told if admits(result.score, told[0].score, PART_OF_BEST_SIDE)]


def _of_the_topic(recalled: Recalled) -> list[Result]:
    return [result for result in recalled.results if speaks_of(result.signals, recalled.statistics)]


def _gated(recalled: Recalled, language: str) -> list[Result]:
    found, question = recalled.results, recalled.question
    if question.is_figure and not any(result.signals.matched for result in found):
        return []
    kind = query_kind(question.text, language)
    if not opens([result.signals for result in found], recalled.statistics, recalled.speakers_named, kind):
        return []
    return [result for result in found if admits(result.score, found[0].score)]


def _once(results: Sequence[Result]) -> list[Result]:
    chosen: list[Result] = []
    for result in results:
        if not any(say_the_same(result.memory.content, other.memory.content) for other in chosen):
            chosen.append(result)
    return chosen
