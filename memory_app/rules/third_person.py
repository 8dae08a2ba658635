"""A question about oneself as others would ask it: of Alice, "where do I live?" is "where do Alice live?".

For comparing alone, with memories that tell of their owner by name; the endings of verbs say nothing to that.
`oneself.py` has the other way round.
"""

import re
from collections.abc import Sequence

_OTHERWISE: Sequence[tuple[re.Pattern[str], str]] = [
    (re.compile(expression, re.IGNORECASE), instead)
    for expression, instead in (
        (r"\b(?:am i|are we)\b", "is {name}"),
        (r"\b(?:i['’]m|i am|we['’]re|we are)\b", "{name} is"),
        (r"\b(?:my|mine|our|ours)\b", "{name}'s"),
        (r"\b(?:i|me|myself|we|us|ourselves)\b", "{name}"),
    )
]
# A country, and what goes in and out: no pronouns.
_NO_PRONOUN = re.compile(r"\bU\.?S\b|\bI/O\b")


def in_third_person(text: str, name: str) -> str:
    """The text with whoever asks called by `name`; the text itself where it is not about them."""
    if not name or _NO_PRONOUN.search(text):
        return text
    called = (name[:1].upper() + name[1:]).replace("\\", r"\\")
    for pattern, instead in _OTHERWISE:
        text = pattern.sub(instead.format(name=called), text)
    return text
