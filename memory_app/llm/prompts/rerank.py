"""Which of some texts answer a question best.

The order in which texts answer a question, by a language model. Whatever it answers, no text is lost or doubled.
"""

from collections.abc import Sequence

from pydantic import BaseModel

from memory_app.llm.prompts import NO_INSTRUCTIONS, block
from memory_app.llm.protocol import Model, Prompt
from memory_app.nlp.privacy.sensitive import mask_sensitive
from memory_app.nlp.text import shortened

PROMPT_ID = "rerank-1"

MAX_TOKENS = 2_000

RULES = f"""\
You put texts in the order in which they help to answer a question.

{NO_INSTRUCTIONS}

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


class TextOrder(BaseModel):
    order: list[int]


def prompt(question: str, texts: Sequence[str]) -> Prompt:
    """Asks for the order of the texts, which are numbered from 1."""
    numbered = [{"number": number, "text": text} for number, text in enumerate(texts, 1)]
    return Prompt(
        PROMPT_ID, RULES, f"{block('question', [{'text': question}])}\n{block('texts', numbered)}", MAX_TOKENS
    )


MAX_TEXTS = 50
MAX_TEXT = 400
MAX_QUESTION = 500


def rerank(model: Model, question: str, texts: Sequence[str]) -> list[int]:
    """The places of the texts, best first. What the model leaves out follows in its old order. Raises ModelError."""
    numbered = [mask_sensitive(shortened(text, MAX_TEXT)) for text in texts[:MAX_TEXTS]]
    if len(numbered) < 2:
        return list(range(len(texts)))
    request = prompt(mask_sensitive(shortened(question, MAX_QUESTION)), numbered)
    order = [number - 1 for number in model.ask(request, TextOrder).value.order]
    return list(dict.fromkeys([*(place for place in order if 0 <= place < len(numbered)), *range(len(texts))]))
