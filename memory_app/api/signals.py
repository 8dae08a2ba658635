"""/signals: what a person did with something: a reaction, a saved item, a command."""

from typing import Annotated, Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status
from pydantic import Field, StringConstraints

from memory_app.api import fields
from memory_app.api.auth import grant_of, write_key
from memory_app.api.idempotency import idempotent
from memory_app.api.venue import PersonInVenue, writing_venue
from memory_app.engine.summaries.interests import record_signal
from memory_app.errors import NotAllowed
from memory_app.models import Signal
from memory_app.models.person import with_pause_notice
from memory_app.serializers import OutputModel

router = Router(tags=["people"])

Subject = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500), fields.Storable]
Address = Annotated[str, StringConstraints(pattern=r"^https?://[^\s<>]+$", max_length=2_000), fields.Storable]


class SignalIn(PersonInVenue):
    """subject: the topic, title or command. liked: false for a reaction against it."""

    kind: Literal["reaction", "save", "command"]
    subject: Subject
    url: Address | None = None
    liked: bool = True
    at: fields.Moment | None = Field(None, description="when it was given; now, if left out or in the future")


class SignalOut(OutputModel):
    """id: null while memory is paused, as nothing is stored then; `message` says so."""

    id: UUID | None
    person: str
    message: str | None = None


@router.post("/signals", response={201: SignalOut}, auth=write_key)
@idempotent
def add_signal(request: HttpRequest, payload: SignalIn) -> Status[SignalOut]:
    """Stores a signal, of which the daily batch makes interests and a reading list. It is the person's own, wherever it
    was given: that takes a key that reaches them in private."""
    now = timezone.now()
    venue_context = writing_venue(request, payload)
    if not grant_of(request).allows(venue_context.person.name, None):
        raise NotAllowed(f"This key may not speak for {payload.person!r} in private, where signals are kept.")
    given = {"action": payload.kind, "subject": payload.subject, "url": payload.url or "", "liked": payload.liked}
    signal = record_signal(venue_context, Signal(**given, at=min(payload.at or now, now), created_at=now))
    name = venue_context.person.name
    if signal is None:
        return Status(201, SignalOut(id=None, person=name, message=with_pause_notice(venue_context.person, "")))
    return Status(201, SignalOut(id=signal.id, person=name))
