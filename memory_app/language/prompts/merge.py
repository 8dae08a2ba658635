"""Two memories about one thing made into one."""

from pydantic import BaseModel

from memory_app.language.prompts.material import NOT_ORDERS, block
from memory_app.language.protocol import Prompt

PROMPT_ID = "merge-1"

MOST_TOKENS = 3_000

RULES = f"""\
You make one memory of two that are about the same thing.

{NOT_ORDERS}

- content: everything that the newer one says, with each of its names, numbers, dates and every "not"; and from the \
older one what still stands beside it. Nothing that neither says. As short as that allows, in the words of the two.
- summary: its gist in at most 100 characters

Example:
<memories>
{{"which": "older", "text": "Dana plays tennis with Ravi."}}
{{"which": "newer", "text": "Dana plays tennis on Tuesdays, but not in winter."}}
</memories>
Answer:
{{"content": "Dana plays tennis with Ravi on Tuesdays, but not in winter.", "summary": "Dana plays tennis with Ravi \
on Tuesdays, but not in winter"}}
"""


class Joined(BaseModel):
    content: str
    summary: str = ""


def prompt(old: str, new: str) -> Prompt:
    """Asks for one text that says both."""
    memories = block("memories", [{"which": "older", "text": old}, {"which": "newer", "text": new}])
    return Prompt(PROMPT_ID, RULES, memories, MOST_TOKENS)
