"""Who speaks, where a text says so at its start: "Anna: …", "[8 May 2023] Anna: …"."""

import re

_LED_BY_A_NAME = re.compile(
    r"(?:\[[^\]\n]{4,40}\]\s*)?(?P<name>[A-ZÀ-ÖØ-Þ][\w'’-]{1,30}(?:\s[A-ZÀ-ÖØ-Þ][\w'’-]{1,30})?):\s+\S"
)
_NO_NAMES = frozenset(
    {"attendees", "decided", "fact", "fyi", "important", "note", "reminder", "summary", "todo", "task"}
)


def speaker_in(text: str) -> str:
    """The name that a text is led by; empty when it is led by none."""
    found = _LED_BY_A_NAME.match(text)
    name = found["name"] if found else ""
    return "" if name.casefold() in _NO_NAMES else name
