"""The words that ask to remember, as fingers type them: "rember", "remmeber that", "dont foget"."""

from difflib import SequenceMatcher

from memory_app.rules import linear_re as re

ALIKE = 0.8
"""Share of letters in order from which a word is "remember" or "forget" misspelt: "rmember" has .93, "reminder" .63."""

_LIKE_REMEMBER = re.compile(r"\br\w{4,9}r\b", re.IGNORECASE)
_LIKE_FORGET = re.compile(r"(\b(?:don't|dont|do not|never)\s+)(f\w{3,5}t)\b", re.IGNORECASE)


def spelt(text: str) -> str:
    """The text with these two words spelt as the grammar of requests has them; all others are left as they are."""
    text = _LIKE_REMEMBER.sub(lambda found: _or_as_it_is(found[0], "remember"), text)
    return _LIKE_FORGET.sub(lambda found: found[1] + _or_as_it_is(found[2], "forget"), text)


def _or_as_it_is(word: str, meant: str) -> str:
    plain = word.lower()
    return meant if plain != meant and SequenceMatcher(None, plain, meant).ratio() >= ALIKE else word
