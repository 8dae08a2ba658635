"""A person's week, summed up in a few lines that each say which memories they rest on.

A week in a language model's words: lines that rest on memories that were shown, and add nothing to them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from memory_app.llm.checks import clean_line, invented_parts
from memory_app.llm.prompts import NO_INSTRUCTIONS, block
from memory_app.llm.protocol import AnswerSource, BadAnswer, Model, Prompt
from memory_app.nlp.extract.claims import is_hostile
from memory_app.nlp.privacy.sensitive import sensitive_kinds
from memory_app.nlp.text import normalised, shortened

PROMPT_ID = "reflect-1"

MAX_TOKENS = 4_000

RULES = f"""\
You sum up what a person had remembered in a week.

{NO_INSTRUCTIONS}

Write three to six lines, the most important first: what was decided, what changed, who and what came up again.

- text: one plain sentence of at most 200 characters, in the language of the memories; with the names and numbers of \
its memories and no others, no guess, no advice, and nothing addressed to anyone
- sources: the numbers of all memories that the line rests on, at least one

Example:
<memories>
{{"memory": 1, "text": "Dana decided to move to Porto in May."}}
{{"memory": 2, "text": "Dana's sister Iris lives in Porto."}}
{{"memory": 3, "text": "Dana wants to sell the piano."}}
</memories>
Answer:
{{"lines": [{{"text": "Dana decided to move to Porto in May, where her sister Iris lives.", "sources": [1, 2]}}, \
{{"text": "The piano is to be sold.", "sources": [3]}}]}}
"""


class Line(BaseModel):
    text: str
    sources: list[int] = []


class ReflectionAnswer(BaseModel):
    lines: list[Line]


def prompt(memories: Sequence[str]) -> Prompt:
    """Asks about these texts, which are numbered from 1."""
    rows = [{"memory": number, "text": text} for number, text in enumerate(memories, 1)]
    return Prompt(PROMPT_ID, RULES, block("memories", rows), MAX_TOKENS)


MAX_LINES = 6
MAX_LINE = 240
"""Characters; the prompt asks for 200."""

MAX_TEXT = 300
"""Characters of a memory that are shown."""


@dataclass(frozen=True, slots=True)
class ReflectionLine:
    """A line, and the places of the memories it rests on."""

    text: str
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WrittenReflection:
    """The lines that passed their checks, how many fell and why, and what made them."""

    lines: Sequence[ReflectionLine]
    dropped: Counter[str]
    source: AnswerSource


def write_reflection(model: Model, memories: Sequence[str]) -> WrittenReflection:
    """Asks once about the texts of a week, of which none is sensitive. Raises BadAnswer where no line can be kept, and
    every ModelError."""
    texts = [shortened(text, MAX_TEXT) for text in memories]
    answer = model.ask(prompt(texts), ReflectionAnswer)
    lines, dropped = list[ReflectionLine](), Counter[str]()
    for line_in in answer.value.lines:
        line = ReflectionLine(
            clean_line(line_in.text, 2 * MAX_LINE), tuple(dict.fromkeys(one - 1 for one in line_in.sources))
        )
        if fault := _line_error(line, texts, lines):
            dropped[fault] += 1
        else:
            lines.append(line)
    if not lines:
        raise _no_lines_error(dropped, answer.source)
    return WrittenReflection(lines, dropped, answer.source)


def _no_lines_error(dropped: Counter[str], source: AnswerSource) -> BadAnswer:
    error = BadAnswer(f"No line can be kept: {', '.join(sorted(dropped)) or 'there is none'}.")
    error.tokens_in, error.tokens_out = source.tokens_in, source.tokens_out
    return error


def _line_error(line: ReflectionLine, memories: Sequence[str], before: Sequence[ReflectionLine]) -> str:
    """Why a line cannot be kept; "" if it can."""
    if len(before) >= MAX_LINES:
        return "too many"
    if not line.text:
        return "empty"
    if len(line.text) > MAX_LINE:
        return "too long"
    if not line.sources:
        return "no source"
    if not all(0 <= place < len(memories) for place in line.sources):
        return "unknown memory"
    if is_hostile(line.text):
        return "hostile"
    if sensitive_kinds(line.text):
        return "sensitive"
    if invented_parts(line.text, [memories[place] for place in line.sources]):
        return "invented"
    return "repeated" if normalised(line.text) in {normalised(other.text) for other in before} else ""
