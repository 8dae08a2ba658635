"""/meetings, /journal and daily notes: what is saved without asking."""

from datetime import date as Day
from datetime import datetime
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status
from pydantic import Field

from ..embedding.encoder import current
from ..engine.enter import enter
from ..engine.keeping.record import Meeting, note, notes_of, record_journal, record_meeting
from ..engine.summing.noted import noted
from ..models.scope import within
from . import fields
from .answers import shown_to
from .auth import author_of, grant_of, reads, writes
from .entering import speaker
from .idempotency import idempotent
from .schemas import MemoryOut, Shown, Spoken, Strict

router = Router(tags=["meetings, journal, notes"])


class MeetingIn(Spoken):
    title: fields.Name
    summary: fields.Content
    decisions: list[fields.Content] = Field(default_factory=list, max_length=100)
    attendees: list[fields.Name] = Field(default_factory=list, max_length=200)
    held_at: fields.Moment | None = None

    @property
    def meeting(self) -> Meeting:
        return Meeting(self.title, self.summary, self.decisions, self.attendees, self.held_at)


class MeetingOut(Shown):
    memory: MemoryOut
    decisions: list[MemoryOut]


class JournalIn(Strict):
    person: fields.Name
    text: fields.Content
    date: Day | None = None


class JournalOut(Shown):
    memory: MemoryOut
    outcome: fields.OutcomeName


class NoteIn(Strict):
    text: fields.Content


class NoteOut(Shown):
    id: UUID
    text: str
    created_at: datetime


class DayOut(Shown):
    person: str
    date: Day
    text: str
    notes: list[NoteOut]


@router.post("/meetings", response={201: MeetingOut}, auth=writes)
@idempotent
def save_meeting(request: HttpRequest, payload: MeetingIn) -> Status[MeetingOut]:
    """Keeps a meeting, and each of its decisions as a memory of its own that names it."""
    now = timezone.now()
    kept, decided = record_meeting(
        entered=speaker(request, payload),
        meeting=payload.meeting,
        author=author_of(request),
        now=now,
        encoder=current(),
    )
    decisions = [shown_to(request, item.memory, now, sent=item.memory.content) for item in decided]
    meeting = shown_to(request, kept.memory, now, sent=kept.memory.content)
    return Status(201, MeetingOut(memory=meeting, decisions=decisions))


@router.post("/journal", response={201: JournalOut}, auth=writes)
@idempotent
def save_journal(request: HttpRequest, payload: JournalIn) -> Status[JournalOut]:
    """Keeps a journal entry."""
    now = timezone.now()
    kept = record_journal(
        entered=enter(person=payload.person, grant=grant_of(request), as_user=True),
        text=payload.text,
        day=payload.date,
        author=author_of(request),
        now=now,
        encoder=current(),
    )
    memory = shown_to(request, kept.memory, now, sent=payload.text)
    return Status(201, JournalOut(memory=memory, outcome=kept.outcome))


@router.get("/people/{text:person}/notes/{day}", response=DayOut, auth=reads)
def read_notes(request: HttpRequest, person: fields.Name, day: Day) -> DayOut:
    """The notes of a day, without what was forgotten since."""
    entered = enter(person=person, grant=grant_of(request), create=False, as_user=True)
    with within(entered.venue.spaces):
        notes = noted(notes_of(entered=entered, day=day))
    text = "\n".join(f"- {item.text}" for item in notes)
    shown_notes = [NoteOut(id=item.note.id, text=item.text, created_at=item.note.created_at) for item in notes]
    return DayOut(person=person, date=day, text=f"# {day}\n\n{text}\n" if notes else "", notes=shown_notes)


@router.post("/people/{text:person}/notes/{day}", response={201: NoteOut}, auth=writes)
@idempotent
def add_note(request: HttpRequest, person: fields.Name, day: Day, payload: NoteIn) -> Status[NoteOut]:
    """Adds to the notes of a day; what was noted is never changed."""
    entered = enter(person=person, grant=grant_of(request), as_user=True)
    made = note(entered=entered, day=day, text=payload.text, author=author_of(request), now=timezone.now())
    return Status(201, NoteOut(id=made.id, text=made.text, created_at=made.created_at))
