"""Harmless: whether the person may be offered that something is told wherever they talk, at the level `global`."""

from memory_app.language.local import is_global_safe
from memory_app.models import Memory, Proposal
from memory_app.rules.visibility import Visibility

NARROWER = (Visibility.PRIVATE.value, Visibility.CHANNEL.value)
"""Levels that `global` is wider than: what a space sees, others would lose."""


def is_harmless(row: Memory | Proposal) -> bool:
    """Whether a memory, or what may become one, is an explicit and harmless fact. It is for its person to decide."""
    sensitive = isinstance(row, Memory) and row.sensitive
    return not sensitive and is_global_safe(row.content, row.key)
