"""A week in a language model's words: lines that rest on memories that were shown, and add nothing to them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memory_app.language.extract.hostile import is_hostile
from memory_app.language.sensitive import sensitive_kinds
from memory_app.llm.checks.clean import plain
from memory_app.llm.checks.grounded import invented
from memory_app.llm.failures import BadAnswer
from memory_app.llm.prompts import reflect as prompts
from memory_app.llm.protocol import Made, Model
from memory_app.rules.text import normalised, shortened

MOST_LINES = 6
LONGEST_LINE = 240
"""Characters; the prompt asks for 200."""

LONGEST_READ = 300
"""Characters of a memory that are shown."""


@dataclass(frozen=True, slots=True)
class ReflectionLine:
    """A line, and the places of the memories it rests on."""

    text: str
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WordedReflection:
    """The lines that passed their checks, how many fell and why, and what made them."""

    lines: Sequence[ReflectionLine]
    dropped: Counter[str]
    made: Made


def word_lines(model: Model, memories: Sequence[str]) -> WordedReflection:
    """Asks once about the texts of a week, of which none is sensitive. Raises BadAnswer where no line can be kept, and
    every ModelError."""
    shown = [shortened(text, LONGEST_READ) for text in memories]
    answer = model.ask(prompts.prompt(shown), prompts.Week)
    lines, dropped = list[ReflectionLine](), Counter[str]()
    for given in answer.value.lines:
        line = ReflectionLine(
            plain(given.text, 2 * LONGEST_LINE), tuple(dict.fromkeys(one - 1 for one in given.sources))
        )
        if fault := _fault(line, shown, lines):
            dropped[fault] += 1
        else:
            lines.append(line)
    if not lines:
        raise _unusable(dropped, answer.made)
    return WordedReflection(lines, dropped, answer.made)


def _unusable(dropped: Counter[str], made: Made) -> BadAnswer:
    error = BadAnswer(f"No line can be kept: {', '.join(sorted(dropped)) or 'there is none'}.")
    error.tokens_in, error.tokens_out = made.tokens_in, made.tokens_out
    return error


def _fault(line: ReflectionLine, shown: Sequence[str], before: Sequence[ReflectionLine]) -> str:
    """Why a line cannot be kept; "" if it can."""
    if len(before) >= MOST_LINES:
        return "too many"
    if not line.text:
        return "empty"
    if len(line.text) > LONGEST_LINE:
        return "too long"
    if not line.sources:
        return "no source"
    if not all(0 <= place < len(shown) for place in line.sources):
        return "unknown memory"
    if is_hostile(line.text):
        return "hostile"
    if sensitive_kinds(line.text):
        return "sensitive"
    if invented(line.text, [shown[place] for place in line.sources]):
        return "invented"
    return "repeated" if normalised(line.text) in {normalised(other.text) for other in before} else ""
