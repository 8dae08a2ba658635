"""A pattern of an utterance: in any case, over several lines."""

from memory_app.rules import linear_re as re


def pattern(expression: str) -> re.Pattern:
    return re.compile(expression, re.IGNORECASE | re.DOTALL)
