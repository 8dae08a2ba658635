"""Add: with `infer: false` what the user said is kept at once, as it stands; else it is listened to as a conversation,
and what becomes of it follows the policy of its person.

An event is no row of its own: its id is that of the conversation that was read, or of the first memory kept.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django_q.tasks import async_task

from memory_app.api.auth import author_of, grant_of
from memory_app.api.venue import PersonInVenue, writing_venue
from memory_app.compat.mem0.output import Json, end_of_day, memory_json
from memory_app.compat.mem0.owners import NOTED_IN, Owner, noted_ids, owner_of
from memory_app.compat.mem0.schemas import ROLES, AddIn
from memory_app.compat.mem0.views import ids_in
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.conversations.add_turns import (
    TurnInput,
    find_conversation,
    find_or_open_conversation,
)
from memory_app.engine.conversations.remember_in_turns import add_turns_and_remember
from memory_app.engine.memories.find import find_memory
from memory_app.engine.memories.memory_input import Additions, MemoryInput, MemorySource
from memory_app.engine.memories.remember import remember_many
from memory_app.engine.memories.save import SaveResult
from memory_app.engine.proposals.end_and_reply import end_and_ask
from memory_app.engine.proposals.reading import Reading, reading_of, saved_with
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import Invalid, KeepsakeError, NotAllowed, NotFound
from memory_app.models import Conversation, ExtractionPolicy, Memory, Role
from memory_app.models.person import with_pause_notice
from memory_app.rules.grant import Grant

STANDS = "Kept: this is how it stands now."
NOTHING_STORED = "Nothing of it is stored, and nothing kept."

EVENT_MESSAGES = {
    "ADD": "Kept as it was said.",
    "UPDATE": "Kept as it was said, in place of what was remembered before.",
    "NONE": "Remembered already: the older memory stays as it is, with the metadata, ids and dates that it has.",
}
"""With `infer: false`, by what was done."""

READ, NOT_READ = "Listened to.", "Not read for what is worth keeping."
WANTS_NOTHING = "Not read: this person wants nothing noticed."
SAVED = "What was sure, asked for or accepted is kept."
SAVED_ON_REQUEST = "What they asked to remember is kept."
KNOWN = "Of what was asked for, some was remembered already, and stays as it was."
WAITS = "What was noticed waits for the person to decide on it, in their inbox."
DECIDED = "What was noticed is decided on, or has expired."
NOTED = "What was not sure is in the note of the day."
NOTHING_SAVED = "Nothing new is kept of it."


def event_message(events: Iterable[str]) -> str:
    """Of what was kept as it stands."""
    done = set(events)
    return " ".join(message for event, message in EVENT_MESSAGES.items() if event in done)


def reading_message(conversation: Conversation, reading: Reading, *, known: bool = False) -> str:
    """Of what was listened to. known: whether something that it asked for was remembered before."""
    if not conversation.turn_count:
        return with_pause_notice(conversation.person, NOTHING_STORED)
    off = conversation.person.extraction_policy == ExtractionPolicy.OFF
    sentences = {
        READ: reading.read,
        WANTS_NOTHING: not reading.read and off,
        NOT_READ: not reading.read and not off,
        SAVED: reading.read and bool(reading.memories),
        SAVED_ON_REQUEST: not reading.read and bool(reading.memories),
        KNOWN: known,
        WAITS: bool(reading.waiting),
        DECIDED: bool(reading.decided and not reading.waiting),
        NOTED: bool(reading.noted),
        NOTHING_SAVED: not (reading.memories or reading.waiting or reading.noted),
    }
    return with_pause_notice(conversation.person, " ".join(said for said, holds in sentences.items() if holds))


PENDING, SUCCEEDED = "PENDING", "SUCCEEDED"

NO_USER_MESSAGES = "None of these messages is the user's: with infer=false only what they said is kept."
NO_WORDS = "None of these messages holds words of a user, an assistant or the system."

EVENTS: Mapping[str, str] = {"duplicate": "NONE", "superseded": "UPDATE", "merged": "UPDATE"}
"""What mem0 calls an outcome; all others are ADD."""


@dataclass(frozen=True, slots=True)
class AddedMemory:
    """A memory, and what an addition did to it, in mem0's words."""

    memory: Memory
    event: str

    @classmethod
    def saved(cls, saved: SaveResult) -> "AddedMemory":
        return cls(saved.memory, EVENTS.get(saved.outcome, "ADD"))

    @classmethod
    def found(cls, memory: Memory) -> "AddedMemory":
        """Of what was saved before."""
        return cls(memory, "UPDATE" if memory.supersedes else "ADD")


@dataclass(frozen=True, slots=True)
class Event:
    """What came of one addition, at the time of `at`. request_text: the words that were sent with it, where it is
    answered at once."""

    id: UUID
    status: str
    message: str
    kept: Sequence[AddedMemory]
    at: datetime
    request_text: str = ""

    def results(self, request: HttpRequest) -> list[Json]:
        """In the shape of mem0's results: what is kept by now."""
        return [_result(request, one, self.at, self.request_text) for one in self.kept]


def add(request: HttpRequest, payload: AddIn) -> Event:
    """Raises NoOwner, Invalid, and the errors of remembering and listening."""
    ids = {**ids_in(payload.filters), **{name: value for name, value in payload.ids.items() if value}}
    owner = owner_of(ids)
    attributes: dict[str, Any] = {"metadata": payload.metadata} if payload.metadata else {}
    if noted := noted_ids(ids, owner):
        attributes[NOTED_IN] = noted
    if payload.infer:
        return _listen(request, payload, owner, attributes, ids.get("run_id") or "")
    return _keep(request, payload, owner, attributes)


def _additions(payload: AddIn, attributes: dict[str, Any], venue_context: VenueContext) -> Additions:
    day = payload.expiration_date
    expires_at = end_of_day(day, venue_context.person.zone) if day else None
    return Additions(attributes, payload.immutable, expires_at)


def _keep(request: HttpRequest, payload: AddIn, owner: Owner, attributes: dict[str, Any]) -> Event:
    texts = [message.content for message in payload.messages if message.content and _role(message.role) == Role.USER]
    if not texts:
        raise Invalid("messages", NO_USER_MESSAGES)
    now = timezone.now()
    with transaction.atomic():  # whoever first came into being in a request that fails is not kept either
        venue_context = writing_venue(request, PersonInVenue(person=owner.person))
        additions = _additions(payload, attributes, venue_context)
        saved = remember_many(
            venue_context=venue_context,
            inputs=[additions.apply_to(_memory_input(text, payload)) for text in texts],
            author=author_of(request),
            now=now,
            encoder=current_encoder(),
        )
        kept = _each_once([AddedMemory.saved(_saved_or_refused(one)) for one in saved])
    message = with_pause_notice(venue_context.person, event_message(one.event for one in kept))
    # The event is found again by what is new.
    identifier = next((one for one in kept if one.event != "NONE"), kept[0]).memory.id
    return Event(identifier, SUCCEEDED, message, kept, now, "\n".join(texts))


def _saved_or_refused(saved: SaveResult | KeepsakeError) -> SaveResult:
    """One that may not be kept has nothing of the request kept."""
    if isinstance(saved, KeepsakeError):
        raise saved
    return saved


def _memory_input(text: str, payload: AddIn) -> MemoryInput:
    return MemoryInput(content=text, source=MemorySource(), event_time=payload.timestamp, said_at=payload.timestamp)


def _listen(request: HttpRequest, payload: AddIn, owner: Owner, attributes: dict[str, Any], external_id: str) -> Event:
    """Conversation, turns and end. These very turns were sent to be read, so that few are read as well."""
    said = [
        TurnInput(role, message.content, spoken_at=payload.timestamp)
        for message in payload.messages
        if message.content and (role := _role(message.role))
    ]
    if not said:
        raise Invalid("messages", NO_WORDS)
    now, grant, author = timezone.now(), grant_of(request), author_of(request)
    with transaction.atomic():
        venue_context = writing_venue(request, PersonInVenue(person=owner.person))
        conversation, _ = find_or_open_conversation(venue_context=venue_context, external_id=external_id, now=now)
        additions = _additions(payload, attributes, venue_context)
        stored, remembered = add_turns_and_remember(
            conversation=conversation.id,
            turns=said,
            now=now,
            grant=grant,
            author=author,
            encoder=current_encoder(),
            additions=additions,
        )
        if stored.first_to_embed:
            async_task("memory_app.jobs.embed_new")
    part, text = stored.conversation.id, "\n".join(one.content for one in said)
    if stored.paused:
        return Event(part, SUCCEEDED, with_pause_notice(venue_context.person, NOTHING_STORED), [], now, text)
    end_and_ask(
        conversation=part,
        grant=grant,
        author=author,
        now=now,
        encoder=current_encoder(),
        min_turns=1,
        additions=additions,
    )
    ended = find_conversation(conversation=part, grant=grant)
    reading, asked_for = reading_of(ended, grant), [AddedMemory.saved(one) for turn in remembered for one in turn.saved]
    kept = _each_once([*asked_for, *map(AddedMemory.found, reading.memories)])
    known = any(one.event == "NONE" for one in kept)
    return Event(part, _status(reading), reading_message(ended, reading, known=known), kept, now, text)


def _status(reading: Reading) -> str:
    return PENDING if reading.waiting else SUCCEEDED


def find_event(event: UUID, grant: Grant) -> Event:
    """What came of an addition by now: of a conversation that was read, or of the memories that were kept at once.
    Raises NotFound."""
    try:
        conversation = find_conversation(conversation=event, grant=grant)
    except (NotFound, NotAllowed):
        memory = find_memory(memory=event, venue_context=None, grant=grant)
        return Event(
            memory.id, SUCCEEDED, STANDS, [AddedMemory.found(one) for one in saved_with(memory)], timezone.now()
        )
    reading = reading_of(conversation, grant)
    kept = [AddedMemory.found(memory) for memory in reading.memories]
    return Event(conversation.id, _status(reading), reading_message(conversation, reading), kept, timezone.now())


def _role(name: str) -> str:
    """That of a turn; "" for what was said by nobody."""
    return ROLES.get(name.lower(), "")


def _each_once(kept: Sequence[AddedMemory]) -> list[AddedMemory]:
    """Each memory with the first that was done to it."""
    return list({one.memory.id: one for one in reversed(kept)}.values())[::-1]


def _result(request: HttpRequest, kept: AddedMemory, now: datetime, request_text: str) -> Json:
    """As the clients of all generations look for it."""
    out = memory_json(request, kept.memory, now, request_text=request_text or None)
    return {"id": out["id"], "event": kept.event, "memory": out["memory"], "data": {"memory": out["memory"]}}
