"""A pattern of an utterance: in any case, over several lines."""

import re


def pattern(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE | re.DOTALL)
