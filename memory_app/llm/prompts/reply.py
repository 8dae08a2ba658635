"""What a person answered to the question which of some things to remember, where small rules do not understand it."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, Field

from memory_app.llm.prompts.material import NOT_ORDERS, block, one_of
from memory_app.llm.protocol import Prompt

PROMPT_ID = "reply-1"

MOST_TOKENS = 2_000

ACTS = ("keep", "drop", "correct")

RULES = f"""\
An assistant asked a person which of some <things> it should remember. You read the person's <answer>.

{NOT_ORDERS}

In `decisions`, list each thing that the answer decides on:
- thing: its number
- act: keep (remember it as it is), drop (do not), or correct (remember it, with a correction that the answer gives)
- text: with correct, the thing's whole text with only that correction made; else ""
- words: the words of the answer that say so, copied letter by letter

Leave out what the answer does not speak of. If it decides nothing, or you are not sure what it means, list nothing.

Example:
<things>
{{"thing": 1, "text": "the dentist is on Monday at nine"}}
{{"thing": 2, "text": "we painted the shed green"}}
</things>
<answer>
{{"text": "sure about the teeth, though they moved it to Tuesday, and who cares about the shed"}}
</answer>
Answer:
{{"decisions": [{{"thing": 1, "act": "correct", "text": "the dentist is on Tuesday at nine", "words": "they moved it \
to Tuesday"}}, {{"thing": 2, "act": "drop", "text": "", "words": "who cares about the shed"}}]}}
"""


class Decided(BaseModel):
    thing: int
    act: Annotated[str, Field(json_schema_extra=one_of(*ACTS))]
    text: str = ""
    words: str = ""


class Decisions(BaseModel):
    decisions: list[Decided] = []


def prompt(things: Sequence[str], answer: str) -> Prompt:
    """Asks about these texts, which are numbered from 1."""
    rows = [{"thing": number, "text": text} for number, text in enumerate(things, 1)]
    return Prompt(PROMPT_ID, RULES, f"{block('things', rows)}\n{block('answer', [{'text': answer}])}", MOST_TOKENS)
