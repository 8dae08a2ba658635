"""Interests and the reading list of a person, made once a day from their signals: each a memory like any other.

What was deleted or cleared of them does not come back: only signals that came later count.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author
from memory_app.engine.memories.memory_input import MemoryDraft, MemoryInput, MemorySource, build_memory
from memory_app.engine.memories.save import SaveResult, save_memories
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.errors import Invalid
from memory_app.models import Memory, Person, Signal, SignalKind, SourceType
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.keywords import keywords
from memory_app.nlp.privacy.sensitive import sensitive_kinds
from memory_app.nlp.text import normalised
from memory_app.rules.repeated_subjects import InterestSignal as Signalled
from memory_app.rules.repeated_subjects import find_interests

INTERESTS, READING_LIST = "interests", "reading list"
"""The keys of the two memories."""

MAX_INTERESTS, MAX_SAVED = 10, 20
"""What a line of a profile can tell: the most frequent, and the latest."""

AUTHOR = Author("job", "daily")

SENSITIVE_SUBJECT = "This is sensitive, and kept only when the person asks for it."


def record_signal(venue_context: VenueContext, signal: Signal) -> Signal | None:
    """Stores a signal of a person in their own space; None while their memory is paused. Raises Invalid for a subject
    that is sensitive."""
    if sensitive_kinds(f"{signal.subject} {signal.url}"):
        raise Invalid("subject", SENSITIVE_SUBJECT)
    if not venue_context.person.is_memory_on:
        return None
    signal.space_id, signal.person = venue_context.venue.home, venue_context.person
    with allowed_spaces([venue_context.venue.home]):
        signal.save(force_insert=True)
    return signal


def update_interests(*, person: Person, now: datetime, encoder: Encoder) -> list[SaveResult]:
    """Makes both memories anew where they would say something else by now. Nothing while memory is paused."""
    venue_context = resolve_venue(person=person.name, create=False)
    if not venue_context.person.is_memory_on:
        return []
    with allowed_spaces(venue_context.venue.spaces):
        made = [
            _new_memory(venue_context, key, text, now)
            for key, text in ((INTERESTS, _interests_text), (READING_LIST, _reading_list_text))
        ]
        drafts = [draft for draft in made if draft]
        return save_memories(
            venue_context=venue_context,
            drafts=drafts,
            author=AUTHOR,
            now=now,
            encoder=encoder,
            count_duplicates=False,
        )


Describe = Callable[[Sequence[Signal], ZoneInfo], str]


def _new_memory(venue_context: VenueContext, key: str, describe: Describe, now: datetime) -> MemoryDraft | None:
    own = Memory.objects.filter(space_id=venue_context.venue.home, person=venue_context.person).with_key(key)
    gone = own.deleted().order_by("-deleted_at").values_list("deleted_at", flat=True).first()
    rows = Signal.objects.filter(space_id=venue_context.venue.home, person=venue_context.person, at__lte=now).order_by(
        "at", "id"
    )
    since = max((moment for moment in (gone, venue_context.person.cleared_at) if moment), default=None)
    signals = list(rows.filter(created_at__gt=since) if since else rows)
    content = describe(signals, venue_context.person.zone)
    if not content or own.current(now).filter(content=content).exists():
        return None
    attributes = {"signals": [str(signal.id) for signal in signals]}
    source, kind = MemorySource(SourceType.CONSOLIDATION.value), _MEMORY_FIELDS[key]
    return build_memory(venue_context, MemoryInput(content, key=key, source=source, attributes=attributes, **kind), now)


_MEMORY_FIELDS: dict[str, dict[str, Any]] = {
    INTERESTS: {"type": "preference", "category": "preference"},
    READING_LIST: {"type": "fact", "category": "reading"},
}


def _interests_text(signals: Sequence[Signal], zone: ZoneInfo) -> str:
    found = find_interests([_plain_signal(one) for one in signals if one.action != SignalKind.COMMAND])
    lines = [f"{one.subject} ({one.times} times, last on {_day(one.last, zone)})" for one in found[:MAX_INTERESTS]]
    return f"Interested in: {', '.join(lines)}" if lines else ""


def _plain_signal(signal: Signal) -> Signalled:
    terms = frozenset({normalised(signal.subject), *map(normalised, keywords(signal.subject))}) - {""}
    return Signalled(signal.subject, terms, signal.liked, signal.at)


def _reading_list_text(signals: Sequence[Signal], zone: ZoneInfo) -> str:
    saved = {one.url or normalised(one.subject): one for one in signals if one.action == SignalKind.SAVE}
    latest = sorted(saved.values(), key=lambda one: (one.at, one.id), reverse=True)[:MAX_SAVED]
    lines = [f"{one.subject} <{one.url}>" if one.url else one.subject for one in latest]
    return f"Reading list: {', '.join(lines)}" if lines else ""


def _day(moment: datetime, zone: ZoneInfo) -> str:
    local = moment.astimezone(zone)
    return f"{local.day} {local:%B %Y}"
