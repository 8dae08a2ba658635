"""Reflect: once a week, a digest of what a person had remembered: what is new, who and what came up again, what was
decided, what is about to fade. Each line names the memories it rests on.

It is drawn from the memories of the person's own space and kept there, private: never wider than any of its sources.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np

from ..embedding.encoder import Encoder
from ..errors import KeepsakeError
from ..models import EntityLink, EntityType, Memory, MemoryType, Person, Status
from ..models.scope import within
from ..rules.clusters import centre, clusters
from .author import Author
from .change import one_writer
from .compose import Given, Source, compose
from .enter import Entered, enter
from .keep import Keeping

PERIOD = timedelta(days=7)
AT_MOST_EVERY = timedelta(days=6)
FEWEST = 3
"""Days looked back at, days between two reflections, and memories that make one (seed: 7, 6 and 3)."""

MOST_READ = 200
MOST_LINES_OF_A_KIND = 3
FADING_WITHIN = timedelta(days=14)
AUTHOR = Author("job", "reflect")

SECTION_NAMES = {"preference": "preferences", "work": "work", "personal": "personal", "reading": "reading"}
NAMING = (EntityType.PERSON, EntityType.PROJECT, EntityType.ORGANIZATION, EntityType.LOCATION, EntityType.TOPIC)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a digest, and the memories it rests on."""

    text: str
    sources: Sequence[UUID]


def reflect(*, person: Person, now: datetime, encoder: Encoder) -> Memory | None:
    """The reflection of the last days; None where there is too little to reflect on, one was made
    lately, or memory is paused."""
    entered = enter(person=person.name, create=False)
    with within([entered.venue.home]):
        one_writer(person.id)
        if not entered.person.memory_enabled or not _is_due(entered, now):
            return None
        recent = _recent(entered, now)
        if len(recent) < FEWEST:
            return None
        return _kept(entered, _lines(entered, recent, now, encoder.name), now, encoder)


def _is_due(entered: Entered, now: datetime) -> bool:
    rows = _own(entered).filter(type=MemoryType.REFLECTION, created_at__gt=now - AT_MOST_EVERY)
    return not rows.exists()


def _own(entered: Entered) -> Any:
    """What may be drawn upon: the person's own, in their own space, and not sensitive."""
    own = Memory.objects.kept().filter(space_id=entered.venue.home, person=entered.person, sensitive=False)
    return own.defer("tsv")


def _recent(entered: Entered, now: datetime) -> list[Memory]:
    rows = _own(entered).filter(status=Status.ACTIVE, created_at__gt=now - PERIOD, created_at__lte=now)
    return list(rows.exclude(type=MemoryType.REFLECTION).order_by("-created_at", "-id")[:MOST_READ])


def _lines(entered: Entered, recent: Sequence[Memory], now: datetime, model: str) -> list[Line]:
    return [
        _new(recent),
        *_named(entered, recent),
        *_subjects(recent, model),
        *_decided(recent),
        *_about_to_fade(entered, now),
    ]


def _new(recent: Sequence[Memory]) -> Line:
    counted = Counter(SECTION_NAMES.get(memory.category, "other facts") for memory in recent)
    told = ", ".join(f"{name} {number}" for name, number in sorted(counted.items(), key=lambda one: (-one[1], one[0])))
    return Line(f"New: {len(recent)} memories ({told})", [memory.id for memory in recent])


def _named(entered: Entered, recent: Sequence[Memory]) -> list[Line]:
    """Who and what came up in several memories."""
    links = EntityLink.objects.filter(space_id=entered.venue.home, memory_id__in=[memory.id for memory in recent])
    mentions: dict[str, set[UUID]] = {}
    for name, memory in links.filter(entity__type__in=NAMING).values_list("entity__name", "memory_id"):
        mentions.setdefault(name, set()).add(memory)
    often = sorted(
        ((name, ids) for name, ids in mentions.items() if len(ids) > 1), key=lambda one: (-len(one[1]), one[0])
    )
    return [
        Line(f"Often named: {name}, in {len(ids)} memories", sorted(ids)) for name, ids in often[:MOST_LINES_OF_A_KIND]
    ]


def _subjects(recent: Sequence[Memory], model: str) -> list[Line]:
    """What several memories are about, told by the one in the middle of them."""
    told = [memory for memory in recent if memory.embedding is not None and memory.embedding_model == model]
    if not told:
        return []
    vectors = np.array([np.asarray(memory.embedding, dtype=np.float32) for memory in told])
    lines = []
    for group in clusters(vectors)[:MOST_LINES_OF_A_KIND]:
        if len(group) > 1:
            summary = _short(told[centre(vectors, group)])
            lines.append(Line(f"Came up {len(group)} times: {summary}", [told[index].id for index in group]))
    return lines


def _decided(recent: Sequence[Memory]) -> list[Line]:
    decisions = [memory for memory in recent if memory.type == MemoryType.DECISION]
    return [Line(f"Decided: {_short(memory)}", [memory.id]) for memory in decisions[:MOST_LINES_OF_A_KIND]]


def _about_to_fade(entered: Entered, now: datetime) -> list[Line]:
    rows = _own(entered).filter(status=Status.ACTIVE).fading().filter(fades_at__lt=now + FADING_WITHIN)
    return [
        Line(f"About to fade, on {memory.fades_at.date()}: {_short(memory)}", [memory.id])
        for memory in rows.order_by("fades_at", "id")[:MOST_LINES_OF_A_KIND]
    ]


def _short(memory: Memory) -> str:
    return " ".join(memory.summary.split())


def _kept(entered: Entered, lines: Sequence[Line], now: datetime, encoder: Encoder) -> Memory | None:
    """Stored without a decision: a digest is no duplicate of what it tells of, and contradicts nothing."""
    zone = entered.person.zone
    start, end = (moment.astimezone(zone).date() for moment in (now - PERIOD, now))
    sources = sorted({str(source) for line in lines for source in line.sources})
    given = Given(
        content="\n".join(f"- {line.text}" for line in lines),
        summary=f"The week from {start} to {end}",
        type=MemoryType.REFLECTION.value,
        category="fact",
        key="",
        keywords=[],
        tags=["weekly"],
        visibility="private",
        source=Source("reflection"),
        event_time=now - PERIOD,
        attributes={
            "sources": sources,
            "lines": [{"text": line.text, "sources": [str(source) for source in line.sources]} for line in lines],
        },
    )
    try:
        memory = compose(entered, given, now)
    except KeepsakeError:  # taken together, what is told would be sensitive
        return None
    memory.embedding, memory.embedding_model = encoder.documents([memory.content])[0], encoder.name
    keeping = Keeping(entered, AUTHOR, now)
    keeping.add(memory, {"decision": "reflect", "sources": len(sources)})
    keeping.flush()
    return memory
