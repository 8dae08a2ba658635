"""Reflect: once a week, a digest of what a person had remembered, each line with the memories it rests on.

`digest` writes the lines. It is drawn from the memories of the person's own space and kept there, private: never wider
than any of its sources.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from memory_app.embedding.encoder import Encoder
from memory_app.engine.author import Author
from memory_app.engine.change import one_writer
from memory_app.engine.enter import Entered, enter
from memory_app.engine.keeping.compose import Given, Source, compose
from memory_app.engine.keeping.keep import Keeping
from memory_app.engine.summing.digest import Line, digest
from memory_app.engine.summing.reflected import TITLE
from memory_app.errors import KeepsakeError
from memory_app.models import Memory, MemoryType, Person, Status
from memory_app.models.scope import within

PERIOD = timedelta(days=7)
AT_MOST_EVERY = timedelta(days=6)
FEWEST = 3
"""Days looked back at, days between two reflections, and memories that make one (seed: 7, 6 and 3)."""

MOST_READ = 200
AUTHOR = Author("job", "reflect")


def reflect(*, person: Person, now: datetime, encoder: Encoder) -> Memory | None:
    """The reflection of the days up to `now`; None where there is too little to reflect on, one was made in the days
    before, or memory is paused. One that was erased is made again by its own time."""
    entered = enter(person=person.name, create=False)
    with within([entered.venue.home]):
        one_writer(person.id)
        if not entered.person.is_remembered or not _is_due(entered, now):
            return None
        recent = _recent(entered, now)
        if len(recent) < FEWEST:
            return None
        return _kept(entered, digest(_own(entered), recent, now, encoder.name, entered.person), now, encoder)


def _is_due(entered: Entered, now: datetime) -> bool:
    made = Memory.objects.filter(space_id=entered.venue.home, person=entered.person, type=MemoryType.REFLECTION)
    return not made.filter(created_at__gt=now - AT_MOST_EVERY, created_at__lte=now).exists()


def _own(entered: Entered) -> Any:
    """What may be drawn upon: the person's own, in their own space, and not sensitive."""
    own = Memory.objects.kept().filter(space_id=entered.venue.home, person=entered.person, sensitive=False)
    return own.defer("tsv")


def _recent(entered: Entered, now: datetime) -> list[Memory]:
    """What was kept in the period, the newest first."""
    rows = _own(entered).filter(status=Status.ACTIVE, created_at__gt=now - PERIOD, created_at__lte=now)
    return list(rows.exclude(type=MemoryType.REFLECTION).order_by("-created_at", "-id")[:MOST_READ])


def _kept(entered: Entered, lines: Sequence[Line], now: datetime, encoder: Encoder) -> Memory | None:
    """Stored without a decision: a digest is no duplicate of what it tells of, and contradicts nothing."""
    zone = entered.person.zone
    start, end = (moment.astimezone(zone).date() for moment in (now - PERIOD, now))
    sources = sorted({str(source) for line in lines for source in line.sources})
    given = Given(
        content="\n".join(f"- {line.text}" for line in lines),
        summary=TITLE.format(start=start, end=end),
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
            "lines": [line.as_json() for line in lines],
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
