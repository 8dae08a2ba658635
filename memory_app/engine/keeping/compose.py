"""Compose a memory from what was given: what is left out is understood from the text. Nothing is stored yet."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings

from memory_app.engine.enter import Entered
from memory_app.engine.write_access import NOT_WRITABLE
from memory_app.errors import Invalid, NotGranted
from memory_app.language.keys import key_of
from memory_app.language.local import Understanding, understand
from memory_app.models import Memory, Person, SensitivePolicy, SourceType
from memory_app.models.memory import in_context
from memory_app.models.searchable import text_vector
from memory_app.rules import strength
from memory_app.rules.speaker import speaker_in
from memory_app.rules.text import normalised
from memory_app.rules.visibility import Visibility

ASKED_FOR = frozenset({"explicit", "api", "meeting", "journal", "migration"})
"""Sources in which someone chose to have this very text kept; only these may hold something sensitive."""

DERIVED = ("type", "category", "key", "keywords", "event_time")
"""What is worked out from the text where nobody states it; the end of an event goes with its time. The summary is
always of the text that is there."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a memory came from."""

    type: str = SourceType.API.value
    conversation: UUID | None = None
    speaker: str = ""
    turns: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """What a caller says of a memory; None is "work it out"."""

    content: str
    context: str = ""
    summary: str | None = None
    type: str | None = None
    category: str | None = None
    key: str | None = None
    keywords: list[str] | None = None
    tags: list[str] = field(default_factory=list)
    visibility: str | None = None
    source: Source = Source()
    confidence: float = 1.0
    event_time: datetime | None = None
    event_end: datetime | None = None
    expires_at: datetime | None = None
    protected: bool = False
    attributes: dict[str, Any] = field(default_factory=dict)

    told_at: datetime | None = None
    """When it was said, if that was before it is kept."""

    stated: Collection[str] | None = None
    """Which of DERIVED someone set, where others were worked out before; None: all that are given."""

    @classmethod
    def of(cls, said: object, source: Source) -> "Given":
        """What an object says by these names: None there, or no such name, is "work it out" too."""
        values = {name: getattr(said, name, None) for name in SAID}
        return cls(source=source, **{name: value for name, value in values.items() if value is not None})

    @property
    def what_is_stated(self) -> list[str]:
        if self.stated is not None:
            return sorted(set(self.stated) & set(DERIVED))
        return [name for name in DERIVED if getattr(self, name) is not None]


SAID = tuple(name for name in Given.__dataclass_fields__ if name not in ("source", "stated", "told_at"))
"""Of what is given, what a record or a request says by these very names."""


def compose(entered: Entered, given: Given, now: datetime) -> Memory:
    """An unsaved memory, complete but for its vector.

    Raises Invalid where the level needs another venue, the text is too sensitive for its source or the event ends
    before it begins, NotGranted where the key may not write for everyone.
    """
    content = given.content.strip()
    # A phrase of time means what it meant when it was said.
    read = _read(entered, content, given.context.strip(), given.source, min(given.told_at or now, now))
    visibility, space = _place(entered, given, sensitive=bool(read.sensitive))
    memory = Memory(
        space=entered.room(space),
        person=entered.person,
        visibility=visibility.value,
        type=given.type or read.type,
        category=given.category or read.category,
        key=slot(entered.person, content, given.source.speaker, read) if given.key is None else given.key,
        summary=given.summary or read.summary,
        content=content,
        context=given.context.strip(),
        keywords=list(read.keywords) if given.keywords is None else given.keywords,
        tags=given.tags,
        attributes=given.attributes,
        sensitive=bool(read.sensitive),
        confidence=given.confidence,
        protected=given.protected,
        stated=given.what_is_stated,
        **_origin(given.source, content),
        **_times(given, read, now),
    )
    memory.said_before = memory.valid_from < now
    if visibility is Visibility.CHANNEL:
        memory.channel = entered.channel
    memory.names_read = read.entities
    index(memory, entered.person.language)
    return memory


def _origin(source: Source, content: str) -> dict[str, Any]:
    return {
        "decay_rate": strength.decay_rate(source.type, settings.KEEPSAKE_FADE_RATE),
        "source_type": source.type,
        "source_conversation": source.conversation,
        "source_speaker": source.speaker or speaker_in(content),
        "source_turns": list(source.turns),
    }


def _times(given: Given, read: Understanding, now: datetime) -> dict[str, datetime | None]:
    event_time, event_end = _when(given, read)
    told = min(given.told_at or now, now)
    happened = {"event_time": event_time, "event_end": event_end, "expires_at": given.expires_at}
    return {"created_at": now, "updated_at": now, "reinforced_at": now, "valid_from": told, **happened}


def _read(entered: Entered, content: str, context: str, source: Source, now: datetime) -> Understanding:
    """What the text holds; names and keywords are those of its context too. Raises Invalid where there is no text, or
    it is too sensitive for its source or its person."""
    if not content:
        raise Invalid("content", "There is nothing to remember: content is empty.")
    read = understand(content, at=now, timezone=entered.person.zone)
    if context:
        both = understand(in_context(content, context), at=now, timezone=entered.person.zone)
        read = replace(read, key="", keywords=both.keywords, entities=both.entities, sensitive=both.sensitive)
    if read.sensitive and source.type not in ASKED_FOR:
        raise Invalid("content", "Sensitive text is kept only when the person asks for it.")
    if read.sensitive and entered.person.sensitive_policy == SensitivePolicy.REFUSED:
        raise Invalid("content", "This is sensitive, and you chose in your settings that nothing sensitive is kept.")
    return read


def slot(person: Person, content: str, speaker: str, read: Understanding) -> str:
    """The slot that a statement about the person fills, whether it says "I" or names them. Where someone else lives
    must not replace where they live."""
    if speaker.casefold() not in own_names(person):
        return ""
    return read.key or key_of(_about_the_user(content, person))


def _about_the_user(content: str, person: Person) -> str:
    """A statement that opens with the person's name, as assistants write them, said of "the user"."""
    for name in (person.display_name, person.name):
        if name and content[: len(name)].casefold() == name.casefold() and content[len(name) :][:1] in (" ", "'", "’"):
            return f"The user{content[len(name) :]}"
    return content


def own_names(person: Person) -> frozenset[str]:
    """What a caller may call the speaker who is the owner, in small letters."""
    return frozenset({person.name.casefold(), person.display_name.casefold(), "user", "me", ""})


def index(memory: Memory, language: str) -> None:
    """Sets what is searched by: the text vector and the digest of the content."""
    memory.digest = digest(memory.content)
    memory.tsv = text_vector(memory, language)


INDEXED = ("content", "context", "summary", "key", "tags")


def reindexed(memory: Memory, fields: Mapping[str, Any]) -> dict[str, Any]:
    """What a memory is searched by once these fields of it are changed, as fields to set with them."""
    draft = Memory(**{name: fields.get(name, getattr(memory, name)) for name in INDEXED})
    index(draft, memory.person.language)
    return {"tsv": draft.tsv, "digest": draft.digest}


def digest(content: str) -> bytes:
    """16 bytes that are equal for texts alike but for case, accents, punctuation and white space."""
    return hashlib.blake2b(normalised(content).encode(), digest_size=16).digest()


def check_period(start: datetime | None, end: datetime | None) -> None:
    """Raises Invalid for a period that ends before it begins, or that has an end alone."""
    if end is not None and (start is None or end < start):
        raise Invalid("event_end", "event_end is the end of a period: give the event_time at which it begins.")


def _place(entered: Entered, given: Given, *, sensitive: bool) -> tuple[Visibility, UUID]:
    """The level that is asked for, else the venue's; what is sensitive is its owner's alone, wherever it is said."""
    visibility = Visibility(given.visibility) if given.visibility else entered.venue.level
    if sensitive:
        visibility = Visibility.PRIVATE
    space = entered.venue.lives_in(visibility)
    if space is None:
        wanted = "a space and a restricted channel" if visibility is Visibility.CHANNEL else "a space"
        raise Invalid("visibility", f"A memory of visibility {visibility.value!r} needs a venue that names {wanted}.")
    if not entered.may_write(visibility):
        raise NotGranted(NOT_WRITABLE.format(visibility.value))
    return visibility, space


def _when(given: Given, read: Understanding) -> tuple[datetime | None, datetime | None]:
    check_period(given.event_time, given.event_end)
    if given.event_time:
        return given.event_time, given.event_end
    return read.event_time or (None, None)
