"""What a model says that a text is to a known memory, checked by the words of both."""

from collections.abc import Sequence

from memory_app.llm.prompts.extract import RELATIONS
from memory_app.rules.comparison import differs_in_a_particular


def relation_fault(number: int, kind: str, content: str, known: Sequence[str]) -> str:
    """Why it is not believed that `content` is this to the known memory of that number, from 1; "" if it is. How close
    the two are in meaning is left to `rules/decide.py`."""
    if not 1 <= number <= len(known) or kind not in RELATIONS:
        return "unknown relation"
    # What differs by a number, a date, a name or a "not" is neither the same nor a mere addition.
    if kind in ("same", "addition") and differs_in_a_particular(known[number - 1], content):
        return "relation contradicted"
    return ""
