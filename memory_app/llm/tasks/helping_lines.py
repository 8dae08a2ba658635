"""Which lines help with a question, as a language model reads them. It can only leave lines out."""

from collections.abc import Sequence

from memory_app.language.sensitive import masked
from memory_app.llm.failures import BadAnswer
from memory_app.llm.prompts import answers as prompts
from memory_app.llm.protocol import Model
from memory_app.rules.text import shortened

LONGEST_LINE = 400
LONGEST_QUESTION = 500


def helping_lines(model: Model, question: str, lines: Sequence[str]) -> frozenset[int]:
    """The places of those that help. Raises BadAnswer for a line that there is not, and every ModelError."""
    shown = [masked(shortened(line, LONGEST_LINE)) for line in lines]
    asked = prompts.prompt(masked(shortened(question, LONGEST_QUESTION)), shown)
    places = {number - 1 for number in model.ask(asked, prompts.Helping).value.helping}
    if not places <= set(range(len(lines))):
        raise BadAnswer("The answer names a line that there is not.")
    return frozenset(places)
