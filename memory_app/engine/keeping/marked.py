"""The mark of a contradiction: each of two memories that say otherwise names the other among its attributes."""

from collections.abc import Mapping
from typing import Any

from ...models import Memory
from ...models.mark import CONFLICTS_WITH, TOLD_FIRST

MARK = (CONFLICTS_WITH, TOLD_FIRST)


def marked(memory: Memory, against: Memory | None) -> dict[str, Any]:
    """The attributes of a memory with the mark of this other one alone; with none, where there is none."""
    if against is None:
        return unmarked(memory.attributes)
    first = memory.told < against.told
    as_ids_tell = first == (memory.id < against.id)
    mark = {CONFLICTS_WITH: str(against.id)} | ({} if as_ids_tell else {TOLD_FIRST: first})
    return unmarked(memory.attributes) | mark


def unmarked(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes without a mark."""
    return {name: value for name, value in attributes.items() if name not in MARK}


def mark_of(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """The mark among the attributes, as it is."""
    return {name: value for name, value in attributes.items() if name in MARK and CONFLICTS_WITH in attributes}
