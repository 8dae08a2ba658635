"""The word that asks to remember, as fingers type it: "rember", "remmeber that"."""

from difflib import SequenceMatcher

from memory_app.rules import linear_re as re

MEANT = "remember"
ALIKE = 0.8
"""Share of letters in order from which a word is "remember" misspelt: "rmember" has .93, "reminder" .63."""

_LIKE_REMEMBER = re.compile(r"\br\w{4,9}r\b", re.IGNORECASE)


def spelt(text: str) -> str:
    """The text with this word spelt as the grammar of requests has it; all others are left as they are."""
    return _LIKE_REMEMBER.sub(lambda found: _or_as_it_is(found[0]), text)


def _or_as_it_is(word: str) -> str:
    plain = word.lower()
    alike = plain != MEANT and SequenceMatcher(None, plain, MEANT).ratio() >= ALIKE
    return MEANT if alike else word
