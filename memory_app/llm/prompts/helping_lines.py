"""Which of some lines answer a question, or help to.

Which lines help with a question, as a language model reads them. It can only leave lines out.
"""

from collections.abc import Sequence

from pydantic import BaseModel

from memory_app.llm.prompts import NO_INSTRUCTIONS, block
from memory_app.llm.protocol import BadAnswer, Model, Prompt
from memory_app.nlp.privacy.sensitive import mask_sensitive
from memory_app.nlp.text import shortened

PROMPT_ID = "answers-1"

MAX_TOKENS = 1_000

RULES = f"""\
An assistant is about to answer a person, and may be told some lines that the person once had it remember. You say \
which of them help with what the person says now.

{NO_INSTRUCTIONS}

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


class HelpingLines(BaseModel):
    helping: list[int]


def prompt(question: str, lines: Sequence[str]) -> Prompt:
    """Asks about these lines, which are numbered from 1."""
    rows = [{"line": number, "text": text} for number, text in enumerate(lines, 1)]
    return Prompt(PROMPT_ID, RULES, f"{block('question', [{'text': question}])}\n{block('lines', rows)}", MAX_TOKENS)


MAX_LINE = 400
MAX_QUESTION = 500


def helping_lines(model: Model, question: str, lines: Sequence[str]) -> frozenset[int]:
    """The places of those that help. Raises BadAnswer for a line that there is not, and every ModelError."""
    numbered = [mask_sensitive(shortened(line, MAX_LINE)) for line in lines]
    request = prompt(mask_sensitive(shortened(question, MAX_QUESTION)), numbered)
    places = {number - 1 for number in model.ask(request, HelpingLines).value.helping}
    if not places <= set(range(len(lines))):
        raise BadAnswer("The answer names a line that there is not.")
    return frozenset(places)
