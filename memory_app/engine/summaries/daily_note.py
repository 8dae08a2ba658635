"""The daily note: for each person with memory on, write once a day what was talked about and what was kept of it.

Conversations were read by `propose` before. A line that was copied from a memory goes when that is deleted, and is back
when the memory is. What someone noted themselves stays.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max, QuerySet, Sum

from memory_app.engine.audit.log import Author
from memory_app.engine.venue_context import VenueContext, resolve_venue
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
    Role,
    Signal,
    SignalKind,
    SourceType,
    Status,
    Turn,
    Version,
)
from memory_app.models.daily_run import DailyStatus
from memory_app.models.ids import earliest_id
from memory_app.models.person import lock_writers
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.nlp import linear_re as re
from memory_app.nlp.keywords import keywords
from memory_app.nlp.privacy.sensitive import sensitive_kinds
from memory_app.nlp.text import sentences, shortened

FIRST_PERIOD, BEGINNING_OF_TIME = timedelta(hours=24), datetime(1, 1, 1, tzinfo=UTC)
MAX_LOOKBACK = timedelta(days=7)
"""How far a first run looks back, and how far one does that others before it were missed of, the server being down."""

_AND_MORE = re.compile(r"- and \d+ more")
"""The last line of a part in notes of before, which told ten of each."""

READING_HEADING = "Read"
"""The section of memories about reading, and of what was reacted to or saved that day."""

AUTHOR = Author("job", "daily")
CHANGE_OPERATIONS = ("edit", "correct", "confirm", "supersede")


@dataclass(frozen=True, slots=True)
class DayResult:
    """What a run did. note: what was added to the notes, empty if nothing happened."""

    run: DailyRun
    note: str


@dataclass(frozen=True, slots=True)
class _TimeSpan:
    """The part of what a run looks back at that was one day of the person's."""

    date: date
    after: datetime
    until: datetime


def write_daily_note(*, person: Person, now: datetime) -> DayResult | None:
    """Goes through what happened since a person's last run, or in the last 24 hours, and adds to the notes of the days
    it happened on, by their clock. None where today was gone through, or memory is paused."""
    started = time.perf_counter()
    venue_context = resolve_venue(person=person.name, create=False)
    today = now.astimezone(person.zone).date()
    with transaction.atomic(), allowed_spaces(venue_context.venue.spaces):
        lock_writers(person.id)
        every = DailyRun.objects.filter(space_id=venue_context.venue.home, person=person)
        runs = every.filter(status=DailyStatus.DONE)
        if not venue_context.person.is_memory_on or runs.filter(date=today).exists():
            return None
        every.filter(date=today).delete()  # one that failed
        span = _TimeSpan(
            today, max(_start_of_span(runs, now), venue_context.person.cleared_at or BEGINNING_OF_TIME), now
        )
        run = _count_activity(venue_context, span)
        notes = {one.date: note for one in _split_by_day(span, person) if (note := _compose_note(venue_context, one))}
        run.milliseconds = int((time.perf_counter() - started) * 1000)
        _save_run(run, notes, now)
        return DayResult(run, "\n".join(notes.values()))


def record_failed_day(*, person: Person, error: Exception, now: datetime) -> None:
    """That a person's day could not be gone through, and the kind of error; the next run that can takes its place."""
    with allowed_spaces([person.space_id]):
        DailyRun.objects.get_or_create(
            space_id=person.space_id,
            person=person,
            date=now.astimezone(person.zone).date(),
            defaults={"status": DailyStatus.FAILED, "error": type(error).__name__, "created_at": now},
        )


def people_with_memory_on() -> list[Person]:
    """Those whose memory is on."""
    return list(Person.objects.filter(memory_enabled=True).order_by("id")) if settings.KEEPSAKE_MEMORY else []


def unread_conversations_of(person: Person) -> list[Conversation]:
    """Conversations of a person in which something was said that nobody read."""
    with every_space():
        rows = Conversation.objects.unread().filter(person=person)
        return list(rows.order_by("last_turn_at").only("space_id", "id"))


def _start_of_span(runs: QuerySet[DailyRun], now: datetime) -> datetime:
    """What no run has looked at yet: the last one may have begun later or earlier in the day."""
    last = runs.filter(created_at__lt=now).aggregate(last=Max("created_at"))["last"]
    return max(last, now - MAX_LOOKBACK) if last else now - FIRST_PERIOD


def _split_by_day(span: _TimeSpan, person: Person) -> Iterator[_TimeSpan]:
    """The span in parts that are each of one day, by the person's clock."""
    after = span.after
    while after < span.until:
        here = after.astimezone(person.zone).date()
        midnight = datetime.combine(here + timedelta(days=1), datetime.min.time(), person.zone).astimezone(UTC)
        until = min(midnight, span.until)
        yield _TimeSpan(here, after, until)
        after = until


def _in_span(span: _TimeSpan, field: str) -> dict[str, datetime]:
    return {f"{field}__gt": span.after, f"{field}__lte": span.until}


def _count_activity(venue_context: VenueContext, span: _TimeSpan) -> DailyRun:
    here = {"space_id__in": sorted(venue_context.venue.spaces), "person_id": venue_context.person.id}
    turns = Turn.objects.filter(**here, **_in_span(span, "created_at"))
    runs = ExtractionRun.objects.filter(**here, **_in_span(span, "started_at"))
    changes = Operation.objects.filter(
        **here, **_in_span(span, "at"), name__in=CHANGE_OPERATIONS, id__gte=earliest_id(span.after)
    )
    return DailyRun(
        space_id=venue_context.venue.home,
        person=venue_context.person,
        date=span.date,
        turns=turns.count(),
        conversations=turns.values("conversation_id").distinct().count(),
        written=Memory.objects.filter(**here, **_in_span(span, "created_at")).count(),
        updated=changes.values("memory_id").distinct().count(),
        proposed=Proposal.objects.filter(**here, **_in_span(span, "created_at")).count(),
        tokens=runs.aggregate(tokens=Sum("tokens"))["tokens"] or 0,
        created_at=span.until,
    )


def _compose_note(venue_context: VenueContext, span: _TimeSpan) -> str:
    """What happened, part by part; nothing sensitive is written down."""
    counted, parts = _count_activity(venue_context, span), list[str]()
    if counted.turns:
        parts.append(
            f"Talked: {_counted_noun(counted.turns, 'turn')} in {_counted_noun(counted.conversations, 'conversation')}"
        )
    turns, memories = _turns_in_span(venue_context, span), _memories_made(venue_context, span)
    parts += _bulleted("Discussed", conversation_topics(turns))
    parts += _bulleted("Opinions", quoted_opinions(turns))
    for heading, section in _by_section(memories).items():
        lines = [" ".join(memory.summary.split()) for memory in section]
        lines += [signal.line for signal in _signals_in_span(venue_context, span)] if heading == READING_HEADING else []
        parts += _bulleted(heading, lines)
    if counted.proposed:
        parts.append(f"Put up to be confirmed: {counted.proposed}")
    return "\n".join(parts)


def _memories_made(venue_context: VenueContext, span: _TimeSpan) -> list[Memory]:
    rows: Any = (
        Memory.objects.undeleted()
        .visible_from(venue_context.venue)
        .filter(person=venue_context.person, sensitive=False)
    )
    rows_in_span = rows.filter(**_in_span(span, "created_at"), status=Status.ACTIVE).exclude(type=MemoryType.REFLECTION)
    return list(rows_in_span.defer("tsv", "embedding").order_by("created_at", "id"))


def listed_memories(note: str) -> list[str]:
    """The memories that a note of a run lists, by their summaries; its counts and headings left out."""
    return [
        row.removeprefix("- ") for row in note.splitlines() if row.startswith("- ") and not _AND_MORE.fullmatch(row)
    ]


def _by_section(memories: Sequence[Memory]) -> dict[str, list[Memory]]:
    """The memories of a day by what they are: each in the first section that it fits."""
    sections: dict[str, list[Memory]] = {"Remembered on request": [], "Decided": [], "Learned": [], READING_HEADING: []}
    for memory in memories:
        sections[_section_of(memory)].append(memory)
    return sections


def _section_of(memory: Memory) -> str:
    if memory.source_type == SourceType.EXPLICIT:
        return "Remembered on request"
    if memory.type == MemoryType.DECISION:
        return "Decided"
    return READING_HEADING if memory.category == Category.READING else "Learned"


def _turns_in_span(venue_context: VenueContext, span: _TimeSpan) -> list[Turn]:
    rows = Turn.objects.since_cleared().filter(
        space_id__in=venue_context.venue.spaces, person_id=venue_context.person.id
    )
    return list(rows.filter(**_in_span(span, "created_at")).defer("tsv", "embedding").order_by("created_at", "id"))


def _signals_in_span(venue_context: VenueContext, span: _TimeSpan) -> list[Signal]:
    rows = Signal.objects.filter(
        space_id=venue_context.venue.home, person=venue_context.person, **_in_span(span, "created_at")
    )
    return list(rows.exclude(action=SignalKind.COMMAND).order_by("at", "id"))


def _bulleted(heading: str, lines: Sequence[str]) -> list[str]:
    return [f"{heading}:", *(f"- {line}" for line in lines)] if lines else []


def _counted_noun(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _save_run(run: DailyRun, notes: Mapping[date, str], now: datetime) -> None:
    run.save(force_insert=True)
    for day, note in notes.items():
        Note.objects.create(
            space_id=run.space_id, person=run.person, date=day, text=note, author=AUTHOR.label, created_at=now
        )


MAX_OPINION_LENGTH = 300

OPINION_START = re.compile(
    r"(?:i (?:really |still |just )?(?:think|believe|prefer|love|like|hate|doubt)|in my (?:opinion|view))\b",
    re.IGNORECASE,
)
"""How a sentence begins that says what someone thinks of something."""


def conversation_topics(turns: Sequence[Turn]) -> list[str]:
    """A line a conversation: what the person's turns in it are about. What is sensitive in them is left out."""
    own = [turn for turn in turns if turn.role == Role.USER and not sensitive_kinds(turn.content)]
    talks = groupby(sorted(own, key=_turn_order), key=lambda turn: turn.conversation_id)
    texts = [" ".join(turn.content for turn in talk) for _, talk in talks]
    return [line for text in texts if (line := ", ".join(keywords(text)))]


def quoted_opinions(turns: Sequence[Turn]) -> list[str]:
    """Sentences in which the person says what they think, as they said them."""
    own = [turn.content for turn in sorted(turns, key=_turn_order) if turn.role == Role.USER]
    spoken = [" ".join(sentence.split()) for text in own for sentence in sentences(text)]
    opinions = [text for text in spoken if OPINION_START.match(text.replace("’", "'")) and not sensitive_kinds(text)]
    return [f"“{shortened(text, MAX_OPINION_LENGTH)}”" for text in dict.fromkeys(opinions) if not text.endswith("?")]


def _turn_order(turn: Turn) -> tuple[str, int]:
    return str(turn.conversation_id), turn.position


@dataclass(frozen=True, slots=True)
class CurrentNote:
    """A note, and its text without what was forgotten."""

    note: Note
    text: str


def current_notes(notes: Sequence[Note]) -> list[CurrentNote]:
    """Notes of one person, in their order; one of which nothing is left is not told. Expects the person's scope."""
    deleted = _deleted_lines([note for note in notes if note.is_digest])
    current = [CurrentNote(note, _without_lines(note.text, deleted) if note.is_digest else note.text) for note in notes]
    return [one for one in current if one.text]


def _deleted_lines(copies: Sequence[Note]) -> set[str]:
    """The summaries, as they are and were, of what is forgotten among all that these may list, and of nothing kept."""
    if not copies:
        return set()
    after = min(note.created_at for note in copies) - MAX_LOOKBACK
    made = Memory.objects.filter(person_id=copies[0].person_id, created_at__gt=after)
    made = made.filter(created_at__lte=max(note.created_at for note in copies))
    deleted_summaries = dict(made.deleted().values_list("id", "summary"))
    if not deleted_summaries:
        return set()
    earlier = Version.objects.filter(memory_id__in=list(deleted_summaries)).values_list("state__summary", flat=True)
    remaining = {_one_line(text) for text in made.undeleted().values_list("summary", flat=True)}
    return {_one_line(text) for text in [*deleted_summaries.values(), *earlier] if text} - remaining


def _without_lines(text: str, deleted: set[str]) -> str:
    """The text without these lines, and without a heading that has none left."""
    rows = [row for row in text.splitlines() if _line_text(row) not in deleted or not row.startswith("- ")]
    return "\n".join(_without_empty_headings(rows))


def _line_text(row: str) -> str:
    """What a line tells, without the marks of a quotation."""
    return row.removeprefix("- ").removeprefix("“").removesuffix("”")


def _without_empty_headings(rows: Sequence[str]) -> Iterable[str]:
    for row, following in zip(rows, [*rows[1:], ""], strict=True):
        if not row.endswith(":") or row.startswith("- ") or following.startswith("- "):
            yield row


def _one_line(text: str) -> str:
    return " ".join(text.split())
