"""Record what is kept without asking: meetings and journal entries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from memory_app.embedding.encoder import Encoder
from memory_app.engine.author import Author
from memory_app.engine.change import change, locked
from memory_app.engine.enter import Entered
from memory_app.engine.keeping.compose import Given, Source, compose
from memory_app.engine.keeping.keep import Kept, keep
from memory_app.errors import Invalid
from memory_app.models import Memory, MemoryType, Person, SourceType
from memory_app.models.scope import within

EARLIEST, CLOCKS_DIFFER = date(1900, 1, 1), timedelta(days=1)
"""The days that a meeting, a journal or a note may be of: within a life, and no later than today. One day more is
allowed, for a caller in another time zone than the person."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """What is known of a meeting."""

    title: str
    summary: str
    decisions: Sequence[str] = ()
    attendees: Sequence[str] = ()
    held_at: datetime | None = None


def record_meeting(
    *, entered: Entered, meeting: Meeting, author: Author, now: datetime, encoder: Encoder
) -> tuple[Kept, list[Kept]]:
    """A memory of the meeting, and one of each of its decisions, which names the meeting. Raises Invalid for one that
    is yet to be held."""
    if meeting.held_at:
        check_day("held_at", meeting.held_at.astimezone(entered.person.zone).date(), entered.person, now)
    with within(entered.venue.spaces):
        held = compose(entered, _meeting(meeting), now)
        kept = keep(entered=entered, memories=[held], author=author, now=now, encoder=encoder)[0]
        decisions = [compose(entered, _decision(meeting, text, kept.memory), now) for text in meeting.decisions]
        decided = keep(entered=entered, memories=decisions, author=author, now=now, encoder=encoder)
        _link(kept.memory, [item.memory for item in decided], author, now)
    return kept, decided


def record_journal(
    *, entered: Entered, text: str, day: date | None, author: Author, now: datetime, encoder: Encoder
) -> Kept:
    """A memory of the entry, private as the day's own. Raises Invalid for a day that nobody can tell of yet."""
    if day:
        check_day("date", day, entered.person, now)
    told = datetime.combine(day, time(12), tzinfo=entered.person.zone) if day else now
    given = Given(
        content=text,
        type=MemoryType.JOURNAL.value,
        category="personal",
        key="",
        source=Source(SourceType.JOURNAL.value, speaker=entered.person.name),
        event_time=told,
    )
    memory = compose(entered, given, now)
    return keep(entered=entered, memories=[memory], author=author, now=now, encoder=encoder)[0]


def check_day(field: str, day: date, person: Person, now: datetime) -> None:
    """Raises Invalid for a day that lies ahead, by the person's clock: nobody can tell yet what happened on it."""
    today = now.astimezone(person.zone).date()
    if day > today + CLOCKS_DIFFER:
        raise Invalid(field, f"{day} lies ahead: give a day up to today, {today}. To plan ahead, remember it instead.")
    if day < EARLIEST:
        raise Invalid(field, f"Give a date from {EARLIEST} to today.")


def _meeting(meeting: Meeting) -> Given:
    lines = [f"{meeting.title}: {meeting.summary}"]
    lines += [f"Attendees: {', '.join(meeting.attendees)}."] if meeting.attendees else []
    lines += [f"Decided: {text}" for text in meeting.decisions]
    return Given(
        content="\n".join(lines),
        summary=meeting.title,
        type=MemoryType.MEETING.value,
        category="work",
        key="",
        source=Source(SourceType.MEETING.value),
        event_time=meeting.held_at,
        attributes={"title": meeting.title, "attendees": list(meeting.attendees)},
    )


def _decision(meeting: Meeting, text: str, held: Memory) -> Given:
    return Given(
        content=text,
        type=MemoryType.DECISION.value,
        category="work",
        source=Source(SourceType.MEETING.value),
        event_time=meeting.held_at,
        attributes={"meeting": str(held.id), "meeting_title": meeting.title},
    )


def _link(meeting: Memory, decisions: Sequence[Memory], author: Author, now: datetime) -> None:
    held = locked(meeting.space_id, meeting.id)
    if held and decisions:
        attributes = {**held.attributes, "decisions": [str(decision.id) for decision in decisions]}
        meeting.attributes = attributes
        meeting.version = change(held, operation="link", author=author, now=now, attributes=attributes).version
