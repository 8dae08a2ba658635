"""Regular expressions in linear time: what `re` offers, on RE2, for patterns that read what people wrote.

Python's `re` tries alternatives one after another: a pattern that is harmless on ordinary text may take years on text
made for it, and holds the whole process meanwhile. RE2 reads each character once. It knows neither look-around nor word
boundaries beyond ASCII; both are worked out here (see `marked`), so that patterns mean what they mean to `re`. Modules
write `from memory_app.rules import linear_re as re`. Back references, atomic groups, groups inside look-around and
characters that `alphabet` does not list are refused: `by_python` is for those. Look-around reads `LOOKED_AT` characters
at least, and twice as many at most.
"""

from memory_app.rules.linear_re.alphabet import PRIVATE, SYMBOL
from memory_app.rules.linear_re.by_python import PythonMatch, by_python
from memory_app.rules.linear_re.pattern import (
    DOTALL,
    IGNORECASE,
    LOOKED_AT,
    MULTILINE,
    VERBOSE,
    I,
    M,
    Match,
    Pattern,
    S,
    compile,
    escape,
    findall,
    finditer,
    fullmatch,
    match,
    search,
    split,
    sub,
)
from memory_app.rules.linear_re.translate import UnsupportedPattern

__all__ = [
    "DOTALL",
    "IGNORECASE",
    "LOOKED_AT",
    "MULTILINE",
    "PRIVATE",
    "SYMBOL",
    "VERBOSE",
    "I",
    "M",
    "Match",
    "Pattern",
    "PythonMatch",
    "S",
    "UnsupportedPattern",
    "by_python",
    "compile",
    "escape",
    "findall",
    "finditer",
    "fullmatch",
    "match",
    "search",
    "split",
    "sub",
]
