"""/meetings and /journal: what is saved without asking."""

from datetime import date as Day

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status
from pydantic import Field

from memory_app.api import fields
from memory_app.api.answers import shown_to
from memory_app.api.auth import author_of, grant_of, writes
from memory_app.api.entering import speaker
from memory_app.api.idempotency import idempotent
from memory_app.api.schemas import MemoryOut, Shown, Spoken, Strict
from memory_app.embedding.encoder import current
from memory_app.engine.enter import enter
from memory_app.engine.keeping.record import Meeting, record_journal, record_meeting

router = Router(tags=["meetings and journal"])


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
