"""The day: once a day, for each person with memory on, note what happened since the last time and what was kept of it.

Conversations are read by `propose` before; this tells of them, and records the run.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max, QuerySet, Sum

from memory_app.engine.author import Author
from memory_app.engine.change import one_writer
from memory_app.engine.enter import Entered, enter
from memory_app.engine.summing.discussed import opinions, topics
from memory_app.models import (
    Category,
    Conversation,
    DailyRun,
    ExtractionRun,
    Memory,
    MemoryType,
    Note,
    Operation,
    Person,
    Proposal,
    Signal,
    SignalKind,
    SourceType,
    Status,
    Turn,
)
from memory_app.models.daily_run import DailyStatus
from memory_app.models.ids import earliest_id
from memory_app.models.scope import every_space, within
from memory_app.rules import linear_re as re

PERIOD, EARLIEST = timedelta(hours=24), datetime(1, 1, 1, tzinfo=UTC)
FURTHEST_BACK = timedelta(days=7)
"""How far a first run looks back, and how far one does that others before it were missed of, the server being down."""

_AND_MORE = re.compile(r"- and \d+ more")
"""The last line of a part in notes of before, which told ten of each."""

READ = "Read"
"""The section of memories about reading, and of what was reacted to or saved that day."""

AUTHOR = Author("job", "daily")
CHANGES = ("edit", "correct", "confirm", "supersede")


@dataclass(frozen=True, slots=True)
class Day:
    """What a run did. note: what was added to the notes, empty if nothing happened."""

    run: DailyRun
    note: str


@dataclass(frozen=True, slots=True)
class _Span:
    """The part of what a run looks back at that was one day of the person's."""

    date: date
    after: datetime
    until: datetime


def day(*, person: Person, now: datetime) -> Day | None:
    """Goes through what happened since a person's last run, or in the last 24 hours, and adds to the notes of the days
    it happened on, by their clock. None where today was gone through, or memory is paused."""
    started = time.perf_counter()
    entered = enter(person=person.name, create=False)
    today = now.astimezone(person.zone).date()
    with transaction.atomic(), within(entered.venue.spaces):
        one_writer(person.id)
        every = DailyRun.objects.filter(space_id=entered.venue.home, person=person)
        runs = every.filter(status=DailyStatus.DONE)
        if not entered.person.is_remembered or runs.filter(date=today).exists():
            return None
        every.filter(date=today).delete()  # one that failed
        span = _Span(today, max(_since(runs, now), entered.person.cleared_at or EARLIEST), now)
        run = _counted(entered, span)
        notes = {one.date: note for one in _days(span, person) if (note := _note(entered, one))}
        run.milliseconds = int((time.perf_counter() - started) * 1000)
        _store(run, notes, now)
        return Day(run, "\n".join(notes.values()))


def record_failure(*, person: Person, error: Exception, now: datetime) -> None:
    """That a person's day could not be gone through, and the kind of error; the next run that can takes its place."""
    with within([person.space_id]):
        DailyRun.objects.get_or_create(
            space_id=person.space_id,
            person=person,
            date=now.astimezone(person.zone).date(),
            defaults={"status": DailyStatus.FAILED, "error": type(error).__name__, "created_at": now},
        )


def people_to_go_through() -> list[Person]:
    """Those whose memory is on."""
    return list(Person.objects.filter(memory_enabled=True).order_by("id")) if settings.KEEPSAKE_MEMORY else []


def unread_of(person: Person) -> list[Conversation]:
    """Conversations of a person in which something was said that nobody read."""
    with every_space():
        rows = Conversation.objects.unread().filter(person=person)
        return list(rows.order_by("last_turn_at").only("space_id", "id"))


def _since(runs: QuerySet[DailyRun], now: datetime) -> datetime:
    """What no run has looked at yet: the last one may have begun later or earlier in the day."""
    last = runs.filter(created_at__lt=now).aggregate(last=Max("created_at"))["last"]
    return max(last, now - FURTHEST_BACK) if last else now - PERIOD


def _days(span: _Span, person: Person) -> Iterator[_Span]:
    """The span in parts that are each of one day, by the person's clock."""
    after = span.after
    while after < span.until:
        here = after.astimezone(person.zone).date()
        midnight = datetime.combine(here + timedelta(days=1), datetime.min.time(), person.zone).astimezone(UTC)
        until = min(midnight, span.until)
        yield _Span(here, after, until)
        after = until


def _within(span: _Span, field: str) -> dict[str, datetime]:
    return {f"{field}__gt": span.after, f"{field}__lte": span.until}


def _counted(entered: Entered, span: _Span) -> DailyRun:
    here = {"space_id__in": sorted(entered.venue.spaces), "person_id": entered.person.id}
    turns = Turn.objects.filter(**here, **_within(span, "created_at"))
    runs = ExtractionRun.objects.filter(**here, **_within(span, "started_at"))
    changes = Operation.objects.filter(**here, **_within(span, "at"), name__in=CHANGES, id__gte=earliest_id(span.after))
    return DailyRun(
        space_id=entered.venue.home,
        person=entered.person,
        date=span.date,
        turns=turns.count(),
        conversations=turns.values("conversation_id").distinct().count(),
        written=Memory.objects.filter(**here, **_within(span, "created_at")).count(),
        updated=changes.values("memory_id").distinct().count(),
        proposed=Proposal.objects.filter(**here, **_within(span, "created_at")).count(),
        tokens=runs.aggregate(tokens=Sum("tokens"))["tokens"] or 0,
        created_at=span.until,
    )


def _note(entered: Entered, span: _Span) -> str:
    """What happened, part by part; nothing sensitive is written down."""
    counted, parts = _counted(entered, span), list[str]()
    if counted.turns:
        parts.append(f"Talked: {_many(counted.turns, 'turn')} in {_many(counted.conversations, 'conversation')}")
    said, kept = _said(entered, span), _made(entered, span)
    parts += _listed("Discussed", topics(said))
    parts += _listed("Opinions", opinions(said))
    for heading, memories in _sections(kept).items():
        lines = [" ".join(memory.summary.split()) for memory in memories]
        lines += [signal.line for signal in _signals(entered, span)] if heading == READ else []
        parts += _listed(heading, lines)
    if counted.proposed:
        parts.append(f"Put up to be confirmed: {counted.proposed}")
    return "\n".join(parts)


def _made(entered: Entered, span: _Span) -> list[Memory]:
    rows: Any = Memory.objects.kept().visible_from(entered.venue).filter(person=entered.person, sensitive=False)
    made = rows.filter(**_within(span, "created_at"), status=Status.ACTIVE).exclude(type=MemoryType.REFLECTION)
    return list(made.defer("tsv", "embedding").order_by("created_at", "id"))


def listed(note: str) -> list[str]:
    """The memories that a note of a run lists, by their summaries; its counts and headings left out."""
    return [
        row.removeprefix("- ") for row in note.splitlines() if row.startswith("- ") and not _AND_MORE.fullmatch(row)
    ]


def _sections(kept: Sequence[Memory]) -> dict[str, list[Memory]]:
    """The memories of a day by what they are: each in the first section that it fits."""
    sections: dict[str, list[Memory]] = {"Remembered on request": [], "Decided": [], "Learned": [], READ: []}
    for memory in kept:
        sections[_section(memory)].append(memory)
    return sections


def _section(memory: Memory) -> str:
    if memory.source_type == SourceType.EXPLICIT:
        return "Remembered on request"
    if memory.type == MemoryType.DECISION:
        return "Decided"
    return READ if memory.category == Category.READING else "Learned"


def _said(entered: Entered, span: _Span) -> list[Turn]:
    rows = Turn.objects.to_be_read().filter(space_id__in=entered.venue.spaces, person_id=entered.person.id)
    return list(rows.filter(**_within(span, "created_at")).defer("tsv", "embedding").order_by("created_at", "id"))


def _signals(entered: Entered, span: _Span) -> list[Signal]:
    rows = Signal.objects.filter(space_id=entered.venue.home, person=entered.person, **_within(span, "created_at"))
    return list(rows.exclude(action=SignalKind.COMMAND).order_by("at", "id"))


def _listed(heading: str, lines: Sequence[str]) -> list[str]:
    return [f"{heading}:", *(f"- {line}" for line in lines)] if lines else []


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _store(run: DailyRun, notes: Mapping[date, str], now: datetime) -> None:
    run.save(force_insert=True)
    for day, note in notes.items():
        Note.objects.create(
            space_id=run.space_id, person=run.person, date=day, text=note, author=AUTHOR.label, created_at=now
        )
