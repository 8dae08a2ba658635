"""A person's week, summed up in a few lines that each say which memories they rest on."""

from collections.abc import Sequence

from pydantic import BaseModel

from memory_app.llm.prompts.material import NOT_ORDERS, block
from memory_app.llm.protocol import Prompt

PROMPT_ID = "reflect-1"

MOST_TOKENS = 4_000

RULES = f"""\
You sum up what a person had remembered in a week.

{NOT_ORDERS}

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


class Week(BaseModel):
    lines: list[Line]


def prompt(memories: Sequence[str]) -> Prompt:
    """Asks about these texts, which are numbered from 1."""
    rows = [{"memory": number, "text": text} for number, text in enumerate(memories, 1)]
    return Prompt(PROMPT_ID, RULES, block("memories", rows), MOST_TOKENS)
