"""The few patterns that Python's `re` matches: simple enough to be linear there, and not possible on RE2."""

import re

PythonMatch = re.Match[str]


def by_python(pattern: str, flags: int = 0, *, because: str) -> re.Pattern[str]:
    """A pattern of `re`. `because` says why it is linear: nothing unbounded in it borders on what it may also match."""
    if not because:
        raise ValueError("say why the pattern is linear")
    return re.compile(pattern, flags)
