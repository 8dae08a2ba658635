"""The day: once a day, for each person with memory on, note what the last 24 hours were about and what was kept.

Conversations are read by `propose` before; this tells of them, and records the run.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Sum

from ..models import (
    Conversation,
    DailyRun,
    ExtractionRun,
    Memory,
    MemoryType,
    Note,
    Operation,
    Person,
    Proposal,
    Status,
    Turn,
)
from ..models.ids import earliest_id
from ..models.scope import every_space, within
from .author import Author
from .change import one_writer
from .enter import Entered, enter

PERIOD = timedelta(hours=24)
MOST_LINES = 10
"""Of each part of a note; a day that held more is counted, not listed."""

AUTHOR = Author("job", "daily")
CHANGES = ("edit", "correct", "confirm", "supersede", "contradict")


@dataclass(frozen=True, slots=True)
class Day:
    """What a run did, or with dry_run would have done. note: what was added to the notes of the day, empty if nothing
    happened."""

    run: DailyRun
    note: str


def day(*, person: Person, now: datetime, dry_run: bool = False) -> Day | None:
    """Goes through a person's last 24 hours and adds to the notes of their local day; None where that was done,
    or memory is paused.

    dry_run: tells what it would add, and leaves nothing behind.
    """
    started = time.perf_counter()
    entered = enter(person=person.name, create=False)
    today = now.astimezone(person.zone).date()
    with transaction.atomic(), within(entered.venue.spaces):
        one_writer(person.id)
        home = entered.venue.home
        paused = not entered.person.memory_enabled
        if not dry_run and (paused or DailyRun.objects.filter(space_id=home, person=person, date=today).exists()):
            return None
        run = _counted(entered, today, now)
        note = _note(entered, run, now)
        run.milliseconds = int((time.perf_counter() - started) * 1000)
        if not dry_run:
            _store(entered, run, note, now)
        return Day(run, note)


def people_to_go_through() -> list[Person]:
    """Those whose memory is on."""
    return list(Person.objects.filter(memory_enabled=True).order_by("id"))


def unread_of(person: Person) -> list[Conversation]:
    """Conversations of a person in which something was said that nobody read."""
    with every_space():
        rows = Conversation.objects.unread().filter(person=person)
        return list(rows.order_by("last_turn_at").only("space_id", "id"))


def _counted(entered: Entered, today: date, now: datetime) -> DailyRun:
    since, here = now - PERIOD, {"space_id__in": sorted(entered.venue.spaces), "person_id": entered.person.id}
    turns = Turn.objects.filter(**here, created_at__gt=since)
    runs = ExtractionRun.objects.filter(**here, started_at__gt=since)
    changes = Operation.objects.filter(**here, name__in=CHANGES, at__gt=since, id__gte=earliest_id(since))
    return DailyRun(
        space_id=entered.venue.home,
        person=entered.person,
        date=today,
        turns=turns.count(),
        conversations=turns.values("conversation_id").distinct().count(),
        written=Memory.objects.filter(**here, created_at__gt=since).count(),
        updated=changes.values("memory_id").distinct().count(),
        proposed=Proposal.objects.filter(**here, created_at__gt=since).count(),
        tokens=runs.aggregate(tokens=Sum("tokens"))["tokens"] or 0,
        created_at=now,
    )


def _note(entered: Entered, run: DailyRun, now: datetime) -> str:
    """What happened, part by part; nothing sensitive is written down."""
    parts = []
    if run.turns:
        parts.append(f"Talked: {_many(run.turns, 'turn')} in {_many(run.conversations, 'conversation')}")
    kept = _made(entered, now)
    asked = [memory for memory in kept if memory.source_type == "explicit"]
    parts += _listed("Remembered on request", asked)
    parts += _listed("Kept", [memory for memory in kept if memory not in asked])
    if run.proposed:
        parts.append(f"Put up to be confirmed: {run.proposed}")
    return "\n".join(parts)


def _made(entered: Entered, now: datetime) -> list[Memory]:
    rows: Any = Memory.objects.kept().visible_from(entered.venue).filter(person=entered.person, sensitive=False)
    made = rows.filter(created_at__gt=now - PERIOD, status=Status.ACTIVE).exclude(type=MemoryType.REFLECTION)
    return list(made.defer("tsv", "embedding").order_by("created_at", "id"))


def _listed(heading: str, memories: Sequence[Memory]) -> list[str]:
    if not memories:
        return []
    lines = [f"- {' '.join(memory.summary.split())}" for memory in memories[:MOST_LINES]]
    more = [f"- and {len(memories) - MOST_LINES} more"] if len(memories) > MOST_LINES else []
    return [f"{heading}:", *lines, *more]


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _store(entered: Entered, run: DailyRun, note: str, now: datetime) -> None:
    run.save(force_insert=True)
    if note:
        Note.objects.create(
            space_id=entered.venue.home,
            person=entered.person,
            date=run.date,
            text=note,
            author=AUTHOR.label,
            created_at=now,
        )
