"""Let through: of what was found, what is relevant enough to be put before an assistant, and may be."""

from collections.abc import Sequence
from uuid import UUID

from ...models import SensitivePolicy, SourceType, Status
from ...rules.gate import admits, asks_how_to, opens, speaks_of, tells_of_a_side, without_word
from ...rules.repeats import say_the_same
from ..enter import Entered
from .asked import Asked, Result
from .recall import Recalled


def let_through(
    entered: Entered, asked: Asked, recalled: Recalled, *, query: str, conversation: UUID | None, asked_for: bool
) -> list[Result]:
    """What was found, if it passes the gate: what may be said here, still holds, and is not of the conversation that is
    going on. One of those that say the same, such as a memory kept in private and in a space: the most relevant.

    query: as it was asked, which `asked` may ask in other words.
    asked_for: memories of a topic were asked for; then all that speak of it are relevant, and nothing else is.
    """
    tells_all = entered.person.sensitive_policy == SensitivePolicy.PRIVATE
    if asked.sides:
        passed = _of_the_sides(recalled)
    else:
        passed = _of_the_topic(recalled) if asked_for else _gated(recalled, query, named_by_us=asked.query != query)
    told = [
        result
        for result in passed
        if (tells_all or not result.memory.sensitive)
        and result.memory.status == Status.ACTIVE
        # A week's digest repeats what is found beside it, under a title that says nothing; `about` has its lines.
        and result.memory.source_type != SourceType.REFLECTION
        and (conversation is None or result.memory.source_conversation != conversation)
    ]
    return _once(told)


def _of_the_sides(recalled: Recalled) -> list[Result]:
    told = [result for result in recalled.results if tells_of_a_side(result.signals, recalled.statistics)]
    return [result for result in told if admits(result.score, told[0].score)]


def _of_the_topic(recalled: Recalled) -> list[Result]:
    return [result for result in recalled.results if speaks_of(result.signals, recalled.statistics)]


def _gated(recalled: Recalled, query: str, *, named_by_us: bool) -> list[Result]:
    verb, words, found = asks_how_to(query), recalled.question.words, recalled.results
    if recalled.question.is_figure and not any(result.signals.matched for result in found):
        return []
    bare = [without_word(result.signals, verb, words) for result in found]
    if not opens(bare, recalled.statistics, recalled.speakers_named, named_by_us=named_by_us, how_to=bool(verb)):
        return []
    # What has no word of the question but the verb is no answer beside one that has.
    told = [
        result for result, without in zip(found, bare, strict=True) if without.matched or not result.signals.matched
    ]
    return [result for result in told or found if admits(result.score, found[0].score)]


def _once(results: Sequence[Result]) -> list[Result]:
    chosen: list[Result] = []
    for result in results:
        if not any(say_the_same(result.memory.content, other.memory.content) for other in chosen):
            chosen.append(result)
    return chosen
