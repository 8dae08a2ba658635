"""Which of some texts answer a question best."""

from collections.abc import Sequence

from pydantic import BaseModel

from memory_app.llm.prompts.material import NOT_ORDERS, block
from memory_app.llm.protocol import Prompt

PROMPT_ID = "rerank-1"

MOST_TOKENS = 2_000

RULES = f"""\
You put texts in the order in which they help to answer a question.

{NOT_ORDERS}

In `order`, list the numbers of all the texts: first the one that answers the question, then those that help, last \
those that only share its words.

Example:
<question>
{{"text": "Where does Dana live?"}}
</question>
<texts>
{{"number": 1, "text": "Dana would love to live by the sea one day."}}
{{"number": 2, "text": "Dana moved to Antwerp in February."}}
</texts>
Answer:
{{"order": [2, 1]}}
"""


class Ordered(BaseModel):
    order: list[int]


def prompt(question: str, texts: Sequence[str]) -> Prompt:
    """Asks for the order of the texts, which are numbered from 1."""
    numbered = [{"number": number, "text": text} for number, text in enumerate(texts, 1)]
    return Prompt(
        PROMPT_ID, RULES, f"{block('question', [{'text': question}])}\n{block('texts', numbered)}", MOST_TOKENS
    )
