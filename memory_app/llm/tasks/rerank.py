"""The order in which texts answer a question, by a language model. Whatever it answers, no text is lost or doubled."""

from collections.abc import Sequence

from memory_app.language.sensitive import masked
from memory_app.llm.prompts import rerank as prompts
from memory_app.llm.protocol import Model
from memory_app.rules.text import shortened

MOST_TEXTS = 50
LONGEST_TEXT = 400
LONGEST_QUESTION = 500


def rerank(model: Model, question: str, texts: Sequence[str]) -> list[int]:
    """The places of the texts, best first. What the model leaves out follows in its old order. Raises ModelError."""
    shown = [masked(shortened(text, LONGEST_TEXT)) for text in texts[:MOST_TEXTS]]
    if len(shown) < 2:
        return list(range(len(texts)))
    asked = prompts.prompt(masked(shortened(question, LONGEST_QUESTION)), shown)
    order = [number - 1 for number in model.ask(asked, prompts.Ordered).value.order]
    return list(dict.fromkeys([*(place for place in order if 0 <= place < len(shown)), *range(len(texts))]))
