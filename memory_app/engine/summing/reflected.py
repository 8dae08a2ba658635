"""What still holds of a reflection: its lines without those that quote what was forgotten, replaced or corrected."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from ...models import Memory


@dataclass(frozen=True, slots=True)
class Reflected:
    """A line, and of the memories it rests on those that are still there, by id."""

    text: str
    sources: Sequence[UUID]


def reflected(reflection: Memory, now: datetime) -> list[Reflected]:
    """Its lines, in order. Expects a scope that holds it; what it rests on lives where it does."""
    lines = [line for line in reflection.attributes.get("lines", []) if isinstance(line, dict)]
    named = {source for line in lines for source in _ids(line, "sources")}
    rows = Memory.objects.current(now).filter(space_id=reflection.space_id, person_id=reflection.person_id)
    there = set(rows.filter(id__in=named).values_list("id", flat=True))
    return [
        Reflected(str(line.get("text", "")), [source for source in _ids(line, "sources") if source in there])
        for line in lines
        if there.issuperset(_ids(line, "quotes"))
    ]


def _ids(line: dict[str, Any], name: str) -> list[UUID]:
    """An import may have brought anything."""
    found = []
    for given in line.get(name) or []:
        try:
            found.append(UUID(str(given)))
        except ValueError:
            continue
    return found
