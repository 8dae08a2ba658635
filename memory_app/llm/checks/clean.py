"""A model's words made fit to be kept: plain text of bounded length, or nothing."""

import unicodedata
from collections.abc import Sequence

from memory_app.rules import linear_re as re
from memory_app.rules.text import shortened

LONGEST_SUMMARY = 100
LONGEST_KEY = 60
LONGEST_KEYWORD = 40
MOST_KEYWORDS = 5

_SPACED = ("Cc", "Cs", "Zl", "Zp")
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_KEY = re.compile(r"[a-z][a-z0-9_]*")


def plain(text: str, limit: int) -> str:
    """On one line, without characters that control a terminal, a page's direction or a database, cut to `limit`."""
    spaced = "".join(" " if unicodedata.category(letter) in _SPACED else letter for letter in text)
    return shortened("".join(letter for letter in spaced if letter not in _DIRECTIONS), limit)


def summary_of(summary: str, content: str) -> str:
    """The summary within its length; that of the content where there is none."""
    return plain(summary, LONGEST_SUMMARY) or plain(content, LONGEST_SUMMARY)


def key_of(key: str) -> str:
    """A key as rows hold them, or "" where it cannot be one."""
    folded = re.sub(r"[\s-]+", "_", key.strip().lower())
    return folded if len(folded) <= LONGEST_KEY and _KEY.fullmatch(folded) else ""


def keywords_of(keywords: Sequence[str]) -> tuple[str, ...]:
    """At most five, each once."""
    kept: dict[str, str] = {}
    for keyword in keywords:
        if word := plain(keyword, LONGEST_KEYWORD):
            kept.setdefault(word.lower(), word)
    return tuple(kept.values())[:MOST_KEYWORDS]
