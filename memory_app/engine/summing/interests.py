"""Interests and the reading list, made once a day of a person's signals: a memory each, seen, corrected and forgotten
like any other. What was forgotten of them, or cleared, does not come back: only signals since then
count."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from memory_app.embedding.encoder import Encoder
from memory_app.engine.author import Author
from memory_app.engine.enter import Entered, enter
from memory_app.engine.keeping.compose import Given, Source, compose
from memory_app.engine.keeping.keep import Kept, keep
from memory_app.errors import Invalid
from memory_app.language.keywords import keywords
from memory_app.language.sensitive import sensitive_kinds
from memory_app.models import Memory, Person, Signal, SignalKind, SourceType
from memory_app.models.scope import within
from memory_app.rules.interests import Given as Signalled
from memory_app.rules.interests import interests
from memory_app.rules.text import normalised

INTERESTS, READING_LIST = "interests", "reading list"
"""The keys of the two memories."""

MOST_INTERESTS, MOST_SAVED = 10, 20
"""What a line of a profile can tell: the most frequent, and the latest."""

AUTHOR = Author("job", "daily")

SENSITIVE = "This is sensitive, and kept only when the person asks for it."


def record_signal(entered: Entered, signal: Signal) -> Signal | None:
    """Stores a signal of a person in their own space; None while their memory is paused. Raises Invalid for a subject
    that is sensitive."""
    if sensitive_kinds(f"{signal.subject} {signal.url}"):
        raise Invalid("subject", SENSITIVE)
    if not entered.person.is_remembered:
        return None
    signal.space_id, signal.person = entered.venue.home, entered.person
    with within([entered.venue.home]):
        signal.save(force_insert=True)
    return signal


def keep_interests(*, person: Person, now: datetime, encoder: Encoder) -> list[Kept]:
    """Makes both memories anew where they would say something else by now. Nothing while memory is paused."""
    entered = enter(person=person.name, create=False)
    if not entered.person.is_remembered:
        return []
    with within(entered.venue.spaces):
        made = [
            _made(entered, key, text, now) for key, text in ((INTERESTS, _interests), (READING_LIST, _reading_list))
        ]
        memories = [memory for memory in made if memory]
        return keep(entered=entered, memories=memories, author=AUTHOR, now=now, encoder=encoder, count_again=False)


Telling = Callable[[Sequence[Signal], ZoneInfo], str]


def _made(entered: Entered, key: str, telling: Telling, now: datetime) -> Memory | None:
    own = Memory.objects.filter(space_id=entered.venue.home, person=entered.person).with_key(key)
    gone = own.deleted().order_by("-deleted_at").values_list("deleted_at", flat=True).first()
    rows = Signal.objects.filter(space_id=entered.venue.home, person=entered.person, at__lte=now).order_by("at", "id")
    since = max((moment for moment in (gone, entered.person.cleared_at) if moment), default=None)
    signals = list(rows.filter(created_at__gt=since) if since else rows)
    content = telling(signals, entered.person.zone)
    if not content or own.current(now).filter(content=content).exists():
        return None
    attributes = {"signals": [str(signal.id) for signal in signals]}
    source, kind = Source(SourceType.CONSOLIDATION.value), _KINDS[key]
    return compose(entered, Given(content, key=key, source=source, attributes=attributes, **kind), now)


_KINDS: dict[str, dict[str, Any]] = {
    INTERESTS: {"type": "preference", "category": "preference"},
    READING_LIST: {"type": "fact", "category": "reading"},
}


def _interests(signals: Sequence[Signal], zone: ZoneInfo) -> str:
    found = interests([_signalled(one) for one in signals if one.action != SignalKind.COMMAND])
    told = [f"{one.subject} ({one.times} times, last on {_day(one.last, zone)})" for one in found[:MOST_INTERESTS]]
    return f"Interested in: {', '.join(told)}" if told else ""


def _signalled(signal: Signal) -> Signalled:
    terms = frozenset({normalised(signal.subject), *map(normalised, keywords(signal.subject))}) - {""}
    return Signalled(signal.subject, terms, signal.liked, signal.at)


def _reading_list(signals: Sequence[Signal], zone: ZoneInfo) -> str:
    saved = {one.url or normalised(one.subject): one for one in signals if one.action == SignalKind.SAVE}
    latest = sorted(saved.values(), key=lambda one: (one.at, one.id), reverse=True)[:MOST_SAVED]
    told = [f"{one.subject} <{one.url}>" if one.url else one.subject for one in latest]
    return f"Reading list: {', '.join(told)}" if told else ""


def _day(moment: datetime, zone: ZoneInfo) -> str:
    local = moment.astimezone(zone)
    return f"{local.day} {local:%B %Y}"
