"""Build a memory from input: what the input leaves out is derived from its text. Nothing is stored yet."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings

from memory_app.engine.venue_context import VenueContext
from memory_app.engine.write_access import NOT_WRITABLE
from memory_app.errors import Invalid, NotAllowed
from memory_app.models import Memory, Person, SensitivePolicy, SourceType, Turn
from memory_app.models.memory import with_context
from memory_app.models.text_search import memory_tsvector
from memory_app.nlp.classify.keys import key_of
from memory_app.nlp.entities.find_entities import Entity as FoundName
from memory_app.nlp.extract import Finding
from memory_app.nlp.text import normalised, speaker_in
from memory_app.nlp.understand import Understanding, understand
from memory_app.rules import strength
from memory_app.rules.visibility import Visibility

EXPLICIT_SOURCES = frozenset({"explicit", "api", "meeting", "journal", "migration"})
"""Sources where someone chose to save this very text; only these may hold something sensitive."""

DERIVED_FIELDS = ("type", "category", "key", "keywords", "event_time")
"""Fields that are derived from the text unless someone states them; the end of an event goes with its time. The
summary is always derived from the present text."""


SEARCHED_FIELDS = ("content", "context", "summary", "key", "tags")


@dataclass(frozen=True, slots=True)
class MemorySource:
    """Where a memory came from."""

    type: str = SourceType.API.value
    conversation: UUID | None = None
    speaker: str = ""
    turns: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryInput:
    """A memory as a caller sends it; None means: derive it from the text."""

    content: str
    context: str = ""
    summary: str | None = None
    type: str | None = None
    category: str | None = None
    key: str | None = None
    keywords: list[str] | None = None
    tags: list[str] = field(default_factory=list)
    visibility: str | None = None
    source: MemorySource = MemorySource()
    confidence: float = 1.0
    event_time: datetime | None = None
    event_end: datetime | None = None
    expires_at: datetime | None = None
    protected: bool = False
    attributes: dict[str, Any] = field(default_factory=dict)

    said_at: datetime | None = None
    """When it was said, if that was before now."""

    stated: Collection[str] | None = None
    """Which of DERIVED_FIELDS someone stated, where others were derived before; None: all that are set."""

    @classmethod
    def of(cls, values_object: object, source: MemorySource) -> "MemoryInput":
        """Input from the attributes of an object; an attribute that is None or missing is derived."""
        values = {name: getattr(values_object, name, None) for name in INPUT_FIELDS}
        return cls(source=source, **{name: value for name, value in values.items() if value is not None})

    @property
    def stated_names(self) -> list[str]:
        if self.stated is not None:
            return sorted(set(self.stated) & set(DERIVED_FIELDS))
        return [name for name in DERIVED_FIELDS if getattr(self, name) is not None]


INPUT_FIELDS = tuple(name for name in MemoryInput.__dataclass_fields__ if name not in ("source", "stated", "said_at"))
"""Fields that a record or a request has by the same names."""


@dataclass(frozen=True, slots=True)
class Additions:
    """What a caller states of whatever is kept of the words that they send, beside what is read in these."""

    attributes: Mapping[str, Any] = field(default_factory=dict)
    protected: bool = False
    expires_at: datetime | None = None

    def apply_to(self, memory_input: MemoryInput) -> MemoryInput:
        return replace(
            memory_input,
            attributes={**memory_input.attributes, **self.attributes},
            protected=memory_input.protected or self.protected,
            expires_at=self.expires_at or memory_input.expires_at,
        )


NO_ADDITIONS = Additions()


@dataclass(frozen=True, slots=True)
class MemoryDraft:
    """An unsaved memory, with what is known of it until it is saved.

    names: found in its text; None: not looked for yet. said_before: whether it was said some time before it is saved;
    if not, it is newer than all that is stored, whichever request began first.
    """

    memory: Memory
    names: Sequence[FoundName] | None = None
    said_before: bool = False


def build_memory(venue_context: VenueContext, memory_input: MemoryInput, now: datetime) -> MemoryDraft:
    """An unsaved memory, complete but for its vector.

    Raises Invalid where the level needs another venue, the text is too sensitive for its source or the event ends
    before it begins, NotAllowed where the key may not write at the level.
    """
    content = memory_input.content.strip()
    # A phrase of time is relative to when it was said.
    read = _understand_text(
        venue_context, content, memory_input.context.strip(), memory_input.source, min(memory_input.said_at or now, now)
    )
    visibility, space = _visibility_and_space(venue_context, memory_input, sensitive=bool(read.sensitive))
    memory = Memory(
        space=venue_context.space_row(space),
        person=venue_context.person,
        visibility=visibility.value,
        type=memory_input.type or read.type,
        category=memory_input.category or read.category,
        key=key_about_person(venue_context.person, content, memory_input.source.speaker, read)
        if memory_input.key is None
        else memory_input.key,
        summary=memory_input.summary or read.summary,
        content=content,
        context=memory_input.context.strip(),
        keywords=list(read.keywords) if memory_input.keywords is None else memory_input.keywords,
        tags=memory_input.tags,
        attributes=memory_input.attributes,
        sensitive=bool(read.sensitive),
        confidence=memory_input.confidence,
        protected=memory_input.protected,
        stated=memory_input.stated_names,
        **_source_fields(memory_input.source, content),
        **_time_fields(memory_input, read, now),
    )
    if visibility is Visibility.CHANNEL:
        memory.channel = venue_context.channel
    set_search_fields(memory, venue_context.person.language)
    return MemoryDraft(memory, read.entities, said_before=memory.valid_from < now)


def _source_fields(source: MemorySource, content: str) -> dict[str, Any]:
    return {
        "decay_rate": strength.decay_rate(source.type, settings.KEEPSAKE_FADE_RATE),
        "source_type": source.type,
        "source_conversation": source.conversation,
        "source_speaker": source.speaker or speaker_in(content),
        "source_turns": list(source.turns),
    }


def _time_fields(memory_input: MemoryInput, read: Understanding, now: datetime) -> dict[str, datetime | None]:
    event_time, event_end = _event_period(memory_input, read)
    valid_from = min(memory_input.said_at or now, now)
    event_fields = {"event_time": event_time, "event_end": event_end, "expires_at": memory_input.expires_at}
    return {"created_at": now, "updated_at": now, "reinforced_at": now, "valid_from": valid_from, **event_fields}


def _understand_text(
    venue_context: VenueContext, content: str, context: str, source: MemorySource, now: datetime
) -> Understanding:
    """What is derived from the text; names and keywords come from its context too. Raises Invalid where there is no
    text, or it is too sensitive for its source or its person."""
    if not content:
        raise Invalid("content", "There is nothing to remember: content is empty.")
    read = understand(content, at=now, timezone=venue_context.person.zone)
    if context:
        both = understand(with_context(content, context), at=now, timezone=venue_context.person.zone)
        read = replace(read, key="", keywords=both.keywords, entities=both.entities, sensitive=both.sensitive)
    if read.sensitive and source.type not in EXPLICIT_SOURCES:
        raise Invalid("content", "Sensitive text is kept only when the person asks for it.")
    if read.sensitive and venue_context.person.sensitive_policy == SensitivePolicy.REFUSED:
        raise Invalid("content", "This is sensitive, and you chose in your settings that nothing sensitive is kept.")
    return read


def key_about_person(person: Person, content: str, speaker: str, read: Understanding) -> str:
    """The key of a statement about the person, whether it says "I" or names them. A statement of or about someone else
    has none: where another lives must not replace where they live."""
    if speaker.casefold() not in names_of_person(person):
        return ""
    return read.key or key_of(_with_user_as_subject(content, person))


def _with_user_as_subject(content: str, person: Person) -> str:
    """A statement that begins with the person's name, as assistants write, with "the user" instead."""
    for name in (person.display_name, person.name):
        if name and content[: len(name)].casefold() == name.casefold() and content[len(name) :][:1] in (" ", "'", "’"):
            return f"The user{content[len(name) :]}"
    return content


def names_of_person(person: Person) -> frozenset[str]:
    """What a caller may call a speaker who is the person, in lower case."""
    return frozenset({person.name.casefold(), person.display_name.casefold(), "user", "me", ""})


def set_search_fields(memory: Memory, language: str) -> None:
    """Sets the text vector and the digest of the content."""
    memory.digest = content_digest(memory.content)
    memory.tsv = memory_tsvector(memory, language)


def new_search_fields(memory: Memory, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The text vector and digest to set together with changed fields."""
    draft = Memory(**{name: fields.get(name, getattr(memory, name)) for name in SEARCHED_FIELDS})
    set_search_fields(draft, memory.person.language)
    return {"tsv": draft.tsv, "digest": draft.digest}


def content_digest(content: str) -> bytes:
    """16 bytes that are equal for texts that differ only in case, accents, punctuation and white space."""
    return hashlib.blake2b(normalised(content).encode(), digest_size=16).digest()


def check_period(start: datetime | None, end: datetime | None) -> None:
    """Raises Invalid for a period that ends before it begins or has only an end."""
    if end is not None and (start is None or end < start):
        raise Invalid("event_end", "event_end is the end of a period: give the event_time at which it begins.")


def _visibility_and_space(
    venue_context: VenueContext, memory_input: MemoryInput, *, sensitive: bool
) -> tuple[Visibility, UUID]:
    """The requested level, or else the venue's; what is sensitive is private, wherever it is said."""
    visibility = Visibility(memory_input.visibility) if memory_input.visibility else venue_context.venue.level
    if sensitive:
        visibility = Visibility.PRIVATE
    space = venue_context.venue.lives_in(visibility)
    if space is None:
        wanted = "a space and a restricted channel" if visibility is Visibility.CHANNEL else "a space"
        raise Invalid("visibility", f"A memory of visibility {visibility.value!r} needs a venue that names {wanted}.")
    if not venue_context.may_write(visibility):
        raise NotAllowed(NOT_WRITABLE.format(visibility.value))
    return visibility, space


def _event_period(memory_input: MemoryInput, read: Understanding) -> tuple[datetime | None, datetime | None]:
    check_period(memory_input.event_time, memory_input.event_end)
    if memory_input.event_time:
        return memory_input.event_time, memory_input.event_end
    return read.event_time or (None, None)


def input_from_finding(found: Finding, conversation: UUID, turns: Mapping[int, Turn]) -> MemoryInput:
    """A finding as input for a memory. `turns` by position holds those that it quotes."""
    quoted = tuple(turns[position].id for position in found.turns)
    return MemoryInput(
        content=found.content,
        context=found.context,
        summary=found.summary,
        type=found.type,
        category=found.category,
        key=found.key,
        keywords=list(found.keywords),
        source=MemorySource(SourceType.EXTRACTED.value, conversation, found.speaker, quoted),
        confidence=found.confidence,
        event_time=found.event_time,
        event_end=found.event_end,
        said_at=max(turns[position].time_spoken for position in found.turns),
        stated=(),
    )
