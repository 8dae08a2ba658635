"""/signals: what a person did with something: a reaction, a saved item, a command."""

from typing import Annotated, Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status
from pydantic import Field, StringConstraints

from memory_app.api import fields
from memory_app.api.auth import grant_of, writes
from memory_app.api.entering import speaker
from memory_app.api.idempotency import idempotent
from memory_app.api.schemas import Shown, Spoken
from memory_app.engine.paused import tell
from memory_app.engine.summing.interests import record_signal
from memory_app.errors import NotGranted
from memory_app.models import Signal

router = Router(tags=["people"])

Subject = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500), fields.Storable]
Address = Annotated[str, StringConstraints(pattern=r"^https?://[^\s<>]+$", max_length=2_000), fields.Storable]


class SignalIn(Spoken):
    """subject: the topic, title or command. liked: false for a reaction against it."""

    kind: Literal["reaction", "save", "command"]
    subject: Subject
    url: Address | None = None
    liked: bool = True
    at: fields.Moment | None = Field(None, description="when it was given; now, if left out or in the future")


class SignalOut(Shown):
    """id: null while memory is paused, as nothing is stored then; `message` says so."""

    id: UUID | None
    person: str
    message: str | None = None


@router.post("/signals", response={201: SignalOut}, auth=writes)
@idempotent
def add_signal(request: HttpRequest, payload: SignalIn) -> Status[SignalOut]:
    """Stores a signal, of which the daily batch makes interests and a reading list. It is the person's own, wherever it
    was given: that takes a key that reaches them in private."""
    now = timezone.now()
    entered = speaker(request, payload)
    if not grant_of(request).allows(entered.person.name, None):
        raise NotGranted(f"This key may not speak for {payload.person!r} in private, where signals are kept.")
    given = {"action": payload.kind, "subject": payload.subject, "url": payload.url or "", "liked": payload.liked}
    signal = record_signal(entered, Signal(**given, at=min(payload.at or now, now), created_at=now))
    name = entered.person.name
    if signal is None:
        return Status(201, SignalOut(id=None, person=name, message=tell(entered.person, "")))
    return Status(201, SignalOut(id=signal.id, person=name))
