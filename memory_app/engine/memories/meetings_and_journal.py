"""Record meetings and journal entries, which are saved without asking."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.memories.memory_input import MemoryInput, MemorySource, build_memory
from memory_app.engine.memories.save import SaveResult, save_memories
from memory_app.engine.memories.write_version import change_memory, lock_memory
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import Invalid
from memory_app.models import Memory, MemoryType, Person, SourceType
from memory_app.models.row_security import allowed_spaces

EARLIEST_DAY, CLOCK_TOLERANCE = date(1900, 1, 1), timedelta(days=1)
"""The days that a meeting, a journal entry or a note may have: within a life, and no later than today. One day more
is allowed for a caller in another time zone than the person's."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A meeting as a caller sends it."""

    title: str
    summary: str
    decisions: Sequence[str] = ()
    attendees: Sequence[str] = ()
    held_at: datetime | None = None


def record_meeting(
    *, venue_context: VenueContext, meeting: Meeting, author: Author, now: datetime, encoder: Encoder
) -> tuple[SaveResult, list[SaveResult]]:
    """Saves a memory of the meeting, and one of each decision, which names the meeting. Raises Invalid for a meeting in
    the future."""
    if meeting.held_at:
        check_day("held_at", meeting.held_at.astimezone(venue_context.person.zone).date(), venue_context.person, now)
    with allowed_spaces(venue_context.venue.spaces):
        meeting_draft = build_memory(venue_context, _meeting_input(meeting), now)
        saved = save_memories(
            venue_context=venue_context, drafts=[meeting_draft], author=author, now=now, encoder=encoder
        )[0]
        decisions = [
            build_memory(venue_context, _decision_input(meeting, text, saved.memory), now) for text in meeting.decisions
        ]
        saved_decisions = save_memories(
            venue_context=venue_context, drafts=decisions, author=author, now=now, encoder=encoder
        )
        _link_decisions(saved.memory, [item.memory for item in saved_decisions], author, now)
    return saved, saved_decisions


def record_journal(
    *, venue_context: VenueContext, text: str, day: date | None, author: Author, now: datetime, encoder: Encoder
) -> SaveResult:
    """Saves a memory of the entry. Raises Invalid for a day in the future."""
    if day:
        check_day("date", day, venue_context.person, now)
    noon = datetime.combine(day, time(12), tzinfo=venue_context.person.zone) if day else now
    memory_input = MemoryInput(
        content=text,
        type=MemoryType.JOURNAL.value,
        category="personal",
        key="",
        source=MemorySource(SourceType.JOURNAL.value, speaker=venue_context.person.name),
        event_time=noon,
    )
    draft = build_memory(venue_context, memory_input, now)
    return save_memories(venue_context=venue_context, drafts=[draft], author=author, now=now, encoder=encoder)[0]


def check_day(field: str, day: date, person: Person, now: datetime) -> None:
    """Raises Invalid for a day in the future by the person's clock, or before `EARLIEST_DAY`."""
    today = now.astimezone(person.zone).date()
    if day > today + CLOCK_TOLERANCE:
        raise Invalid(field, f"{day} lies ahead: give a day up to today, {today}. To plan ahead, remember it instead.")
    if day < EARLIEST_DAY:
        raise Invalid(field, f"Give a date from {EARLIEST_DAY} to today.")


def _meeting_input(meeting: Meeting) -> MemoryInput:
    lines = [f"{meeting.title}: {meeting.summary}"]
    lines += [f"Attendees: {', '.join(meeting.attendees)}."] if meeting.attendees else []
    lines += [f"Decided: {text}" for text in meeting.decisions]
    return MemoryInput(
        content="\n".join(lines),
        summary=meeting.title,
        type=MemoryType.MEETING.value,
        category="work",
        key="",
        source=MemorySource(SourceType.MEETING.value),
        event_time=meeting.held_at,
        attributes={"title": meeting.title, "attendees": list(meeting.attendees)},
    )


def _decision_input(meeting: Meeting, text: str, meeting_memory: Memory) -> MemoryInput:
    return MemoryInput(
        content=text,
        type=MemoryType.DECISION.value,
        category="work",
        source=MemorySource(SourceType.MEETING.value),
        event_time=meeting.held_at,
        attributes={"meeting": str(meeting_memory.id), "meeting_title": meeting.title},
    )


def _link_decisions(meeting: Memory, decisions: Sequence[Memory], author: Author, now: datetime) -> None:
    meeting_memory = lock_memory(meeting.space_id, meeting.id)
    if meeting_memory and decisions:
        attributes = {**meeting_memory.attributes, "decisions": [str(decision.id) for decision in decisions]}
        meeting.attributes = attributes
        meeting.version = change_memory(
            meeting_memory, operation="link", author=author, now=now, attributes=attributes
        ).version
