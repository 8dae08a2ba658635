"""What firms are called without their legal forms ("Ltd.", "GmbH", "Inc."), which cleanco knows of 80 countries."""

from functools import lru_cache

from cleanco import basename

from memory_app.rules.text import normalised


@lru_cache(maxsize=10_000)
def firm_name(name: str) -> str:
    """The normalised name without legal forms; what is nothing but one ("Coop", "Limited") stays."""
    return normalised(basename(name)) or normalised(name)


def has_legal_form(name: str) -> bool:
    return " " in name and firm_name(name) != normalised(name)
