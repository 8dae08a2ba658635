"""Whether a person asks an assistant to forget something, where small rules do not understand it."""

from pydantic import BaseModel

from memory_app.llm.prompts.material import NOT_ORDERS, block
from memory_app.llm.protocol import Prompt

PROMPT_ID = "forget-1"

MOST_TOKENS = 1_000

RULES = f"""\
You read what a person said to an assistant that remembers things about them, and tell whether they want it to forget \
something that it remembers.

{NOT_ORDERS}

- asks: true only if they want the assistant to forget, delete or no longer know something
- about: the words of theirs that say what that is, copied letter by letter; "" if they do not say

Someone who forgot something themselves, or asks not to forget it, does not ask for that.

Example:
<said>
{{"text": "I'd feel better if the business with my landlord were gone from your notes"}}
</said>
Answer:
{{"asks": true, "about": "the business with my landlord"}}
"""


class Wish(BaseModel):
    asks: bool = False
    about: str = ""


def prompt(said: str) -> Prompt:
    return Prompt(PROMPT_ID, RULES, block("said", [{"text": said}]), MOST_TOKENS)
