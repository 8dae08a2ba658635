"""Regular expressions in linear time: what `re` offers, on RE2, for patterns that read what people wrote.

Python's `re` tries alternatives one after another: a pattern that is harmless on ordinary text may take years on text
made for it, and holds the whole process meanwhile. RE2 reads each character once. It knows neither look-around nor word
boundaries beyond ASCII; both are worked out here (see `translate`), so that patterns mean what they mean to `re`.
Modules write `from memory_app.nlp import linear_re as re`. Back references, atomic groups, groups inside look-around
and characters that `alphabet` does not list are refused: `by_python` is for those.
"""

import re
from re import DOTALL, IGNORECASE, MULTILINE, VERBOSE, I, M, S, escape
from typing import TYPE_CHECKING

from memory_app.nlp.linear_re.alphabet import PRIVATE
from memory_app.nlp.linear_re.translate import UnsupportedPattern

if TYPE_CHECKING:  # To a caller the two engines are the same.
    from re import compile

    Match = re.Match[str]
    Pattern = re.Pattern[str]
else:
    from memory_app.nlp.linear_re.pattern import Match, Pattern, compile

__all__ = ["DOTALL", "IGNORECASE", "MULTILINE", "PRIVATE", "VERBOSE", "I", "M", "Match", "Pattern", "S"]
__all__ += ["UnsupportedPattern", "by_python", "compile", "escape"]


def by_python(pattern: str, flags: int = 0, *, because: str) -> re.Pattern[str]:
    """A pattern that RE2 cannot match, for `re`. `because` says why it is linear: nothing unbounded in it borders on
    what it may also match."""
    if not because:
        raise ValueError("say why the pattern is linear")
    return re.compile(pattern, flags)
