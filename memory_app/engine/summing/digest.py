"""The lines of a digest, by statistics alone: how much is new, who and what came up again, what was decided, and what
is about to fade. Each tells what it rests on, and which of that it quotes.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np

from memory_app.models import EntityLink, EntityType, Memory, MemoryType, Person, Status
from memory_app.models.memory import MemoryQuerySet
from memory_app.rules.clusters import centre, clusters
from memory_app.rules.text import normalised, shortened

MOST_LINES_OF_A_KIND = 3
QUOTED = 2
"""Memories that a line about several quotes; the others it only counts."""

LONGEST_QUOTE = 120
FADING_WITHIN = timedelta(days=14)

ABOUT_TO_FADE = "About to fade"
SECTIONS = {"preference": "on what is liked", "work": "on work", "personal": "personal", "reading": "on what was read"}
NAMING = (EntityType.PERSON, EntityType.PROJECT, EntityType.ORGANIZATION, EntityType.LOCATION, EntityType.TOPIC)


@dataclass(frozen=True, slots=True)
class Line:
    """One line, the memories it rests on, and those of them whose words are in it."""

    text: str
    sources: Sequence[UUID]
    quotes: Sequence[UUID] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "sources": [str(source) for source in self.sources],
            "quotes": [str(quote) for quote in self.quotes],
        }


def digest(own: MemoryQuerySet, recent: Sequence[Memory], now: datetime, model: str, person: Person) -> list[Line]:
    """own: all that may be drawn upon, of that person. recent: of that, what the digest is of, the newest first.
    model: whose vectors tell what goes together."""
    named = _named(recent, person)
    return [
        _new(recent),
        *_decided(recent),
        *named,
        *_subjects(recent, model, {source for line in named for source in line.sources}),
        *_about_to_fade(own, now, person.zone),
    ]


def _new(recent: Sequence[Memory]) -> Line:
    counted = Counter(SECTIONS.get(memory.category, "other") for memory in recent)
    told = sorted(counted.items(), key=lambda one: (one[0] == "other", -one[1], one[0]))
    return Line(
        f"{len(recent)} memories are new: {_listed([f'{number} {name}' for name, number in told])}.",
        [memory.id for memory in recent],
    )


def _decided(recent: Sequence[Memory]) -> list[Line]:
    decisions = [memory for memory in recent if memory.type == MemoryType.DECISION]
    return [Line(f"Decided: {short(memory)}", [memory.id], [memory.id]) for memory in decisions[:MOST_LINES_OF_A_KIND]]


def _named(recent: Sequence[Memory], person: Person) -> list[Line]:
    """Who and what came up in several memories, and what was said of them last; of the person themselves all are."""
    by_id = {memory.id: memory for memory in recent}
    links = EntityLink.objects.filter(
        space_id__in={memory.space_id for memory in recent}, memory_id__in=list(by_id), entity__type__in=NAMING
    )
    mentions: dict[str, set[UUID]] = {}
    own_names = {normalised(person.name), normalised(str(person))}
    for name, memory in links.exclude(entity__normal__in=own_names).values_list("entity__name", "memory_id"):
        mentions.setdefault(name, set()).add(memory)
    often = [(name, [one for one in recent if one.id in ids]) for name, ids in mentions.items() if len(ids) > 1]
    often.sort(key=lambda one: (-len(one[1]), one[0]))
    return [
        _about(f"{name} came up in {len(told)} memories", told, told) for name, told in often[:MOST_LINES_OF_A_KIND]
    ]


def _subjects(recent: Sequence[Memory], model: str, told_already: set[UUID]) -> list[Line]:
    """What several memories are about, the one in the middle of them first; not what is told under a name."""
    told = [memory for memory in recent if memory.embedding is not None and memory.embedding_model == model]
    if not told:
        return []
    vectors = np.array([np.asarray(memory.embedding, dtype=np.float32) for memory in told])
    lines = []
    for group in clusters(vectors):
        members = [told[index] for index in group]
        if len(group) > 1 and not {memory.id for memory in members} <= told_already:
            middle = told[centre(vectors, group)]
            others = [memory for memory in members if memory.id != middle.id]
            lines.append(_about(f"{len(group)} memories go together", members, [middle, *others]))
    return lines[:MOST_LINES_OF_A_KIND]


def _about(heading: str, sources: Sequence[Memory], told: Sequence[Memory]) -> Line:
    quoted = told[:QUOTED]
    said = " / ".join(short(memory) for memory in quoted)
    return Line(f"{heading}: {said}", sorted(memory.id for memory in sources), [memory.id for memory in quoted])


def _about_to_fade(own: MemoryQuerySet, now: datetime, zone: ZoneInfo) -> list[Line]:
    rows: Any = own.filter(status=Status.ACTIVE).fading()
    soon = rows.filter(fades_at__gt=now, fades_at__lt=now + FADING_WITHIN).order_by("fades_at", "id")
    return [
        Line(foretold(memory, memory.fades_at, zone), [memory.id], [memory.id])
        for memory in soon[:MOST_LINES_OF_A_KIND]
    ]


def foretold(memory: Memory, fades_at: datetime, zone: ZoneInfo) -> str:
    """That a memory is about to fade then."""
    return f"{ABOUT_TO_FADE}, on {_day(fades_at, zone)}: {short(memory)}"


def _day(moment: datetime, zone: ZoneInfo) -> str:
    local = moment.astimezone(zone)
    return f"{local.day} {local:%B}"


def _listed(parts: Iterable[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def short(memory: Memory) -> str:
    """The words of a memory as a line quotes them."""
    return shortened(" ".join(memory.summary.split()), LONGEST_QUOTE)
