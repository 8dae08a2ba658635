"""When two key names are one: case and spacing do not matter, and "_" and "-" are spacing. The name is shown as given.

The database computes the same beside each memory (`models/memory.py`), where uniqueness is held.
"""

from memory_app.nlp import linear_re as re

_SPACING = re.compile(r"[\s_-]+")


def comparable_key(key: str) -> str:
    """What equal key names have in common: "Home  City", "home_city" and "home-city" are "home city"."""
    return "".join(map(_lower, _SPACING.sub(" ", key))).strip(" ")


def _lower(character: str) -> str:
    """As PostgreSQL does it: one character for one, whatever stands beside it."""
    lower = character.lower()
    return lower if len(lower) == 1 else lower[0]


def same_key(one: str, other: str) -> bool:
    """Whether both name the same key; no key is not the same as no key."""
    return (key := comparable_key(one)) != "" and key == comparable_key(other)
