"""/meetings and /journal: what is saved without asking."""

from datetime import date as Day

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status
from pydantic import Field

from memory_app.api import fields
from memory_app.api.auth import author_of, grant_of, write_key
from memory_app.api.fields import InputModel
from memory_app.api.idempotency import idempotent
from memory_app.api.redaction import memory_out_for
from memory_app.api.venue import PersonInVenue, writing_venue
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.memories.meetings_and_journal import Meeting, record_journal, record_meeting
from memory_app.engine.venue_context import resolve_venue
from memory_app.serializers import OutputModel
from memory_app.serializers.memory import MemoryOut

router = Router(tags=["meetings and journal"])


class MeetingIn(PersonInVenue):
    title: fields.Name
    summary: fields.Content
    decisions: list[fields.Content] = Field(default_factory=list, max_length=100)
    attendees: list[fields.Name] = Field(default_factory=list, max_length=200)
    held_at: fields.Moment | None = None

    @property
    def meeting(self) -> Meeting:
        return Meeting(self.title, self.summary, self.decisions, self.attendees, self.held_at)


class MeetingOut(OutputModel):
    memory: MemoryOut
    decisions: list[MemoryOut]


class JournalIn(InputModel):
    person: fields.Name
    text: fields.Content
    date: Day | None = None


class JournalOut(OutputModel):
    memory: MemoryOut
    outcome: fields.OutcomeName


@router.post("/meetings", response={201: MeetingOut}, auth=write_key)
@idempotent
def save_meeting(request: HttpRequest, payload: MeetingIn) -> Status[MeetingOut]:
    """Keeps a meeting, and each of its decisions as a memory of its own that names it."""
    now = timezone.now()
    kept, decided = record_meeting(
        venue_context=writing_venue(request, payload),
        meeting=payload.meeting,
        author=author_of(request),
        now=now,
        encoder=current_encoder(),
    )
    decisions = [memory_out_for(request, item.memory, now, request_text=item.memory.content) for item in decided]
    meeting = memory_out_for(request, kept.memory, now, request_text=kept.memory.content)
    return Status(201, MeetingOut(memory=meeting, decisions=decisions))


@router.post("/journal", response={201: JournalOut}, auth=write_key)
@idempotent
def save_journal(request: HttpRequest, payload: JournalIn) -> Status[JournalOut]:
    """Keeps a journal entry."""
    now = timezone.now()
    kept = record_journal(
        venue_context=resolve_venue(person=payload.person, grant=grant_of(request), follow_merges=True),
        text=payload.text,
        day=payload.date,
        author=author_of(request),
        now=now,
        encoder=current_encoder(),
    )
    memory = memory_out_for(request, kept.memory, now, request_text=payload.text)
    return Status(201, JournalOut(memory=memory, outcome=kept.outcome))
