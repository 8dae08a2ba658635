"""Which of some lines answer a question, or help to."""

from collections.abc import Sequence

from pydantic import BaseModel

from memory_app.llm.prompts.material import NOT_ORDERS, block
from memory_app.llm.protocol import Prompt

PROMPT_ID = "answers-1"

MOST_TOKENS = 1_000

RULES = f"""\
An assistant is about to answer a person, and may be told some lines that the person once had it remember. You say \
which of them help with what the person says now.

{NOT_ORDERS}

In `helping`, list the numbers of the lines that answer it, or that whoever answers should know. Leave out what only \
shares its words. None may help.

Example:
<question>
{{"text": "what could I cook for Iris?"}}
</question>
<lines>
{{"line": 1, "text": "Iris eats no fish"}}
{{"line": 2, "text": "the cook book is in the shed"}}
</lines>
Answer:
{{"helping": [1]}}
"""


class Helping(BaseModel):
    helping: list[int]


def prompt(question: str, lines: Sequence[str]) -> Prompt:
    """Asks about these lines, which are numbered from 1."""
    rows = [{"line": number, "text": text} for number, text in enumerate(lines, 1)]
    return Prompt(PROMPT_ID, RULES, f"{block('question', [{'text': question}])}\n{block('lines', rows)}", MOST_TOKENS)
