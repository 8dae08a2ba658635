"""What still holds of a reflection: its lines without those that quote what was forgotten, replaced or reworded."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_app.engine.summing.retell import holding, ids_of
from memory_app.models import Memory

TITLE = "The week from {start} to {end}"
_TITLE = re.compile(TITLE.format(start=r"\d{4}-\d\d-\d\d", end=r"\d{4}-\d\d-\d\d"))


@dataclass(frozen=True, slots=True)
class Reflected:
    """A line, and of the memories it rests on those that are still there, by id."""

    text: str
    sources: Sequence[UUID]


def is_title(text: str) -> bool:
    """Whether it is what we call a reflection: those of one week are called alike, in nobody's words."""
    return _TITLE.fullmatch(text) is not None


def reflected(reflection: Memory, now: datetime) -> list[Reflected]:
    """Its lines, in order. Expects a scope that holds it; what it rests on lives where it does."""
    lines = [line for line in reflection.attributes.get("lines", []) if isinstance(line, dict)]
    named = {source for line in lines for source in ids_of(line, "sources")}
    rows = Memory.objects.current(now).filter(space_id=reflection.space_id, person_id=reflection.person_id)
    there = set(rows.filter(id__in=named).values_list("id", flat=True))
    return [
        Reflected(str(line.get("text", "")), [source for source in ids_of(line, "sources") if source in there])
        for line, holds in zip(lines, holding(reflection, lines, now), strict=True)
        if holds
    ]
