"""Edit a memory: change some of its fields, replace it by a corrected one, or protect it for good."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.author import Author
from memory_app.engine.change import change, held, key_is_taken, one_writer
from memory_app.engine.enter import Entered
from memory_app.engine.keeping.compose import DERIVED, Given, Source, check_period, compose, index, reindexed
from memory_app.engine.keeping.conflicts import open_conflicts
from memory_app.engine.keeping.keep import Keeping
from memory_app.engine.keeping.mention import mention_again, mention_as
from memory_app.engine.keeping.reread import reread
from memory_app.errors import InConflict, Invalid, NotFound, Stale
from memory_app.language.sensitive import sensitive_kinds
from memory_app.models import Memory, MemoryType, Status
from memory_app.models.memory import in_context
from memory_app.models.scope import within
from memory_app.rules.comparison import says_the_same_words
from memory_app.rules.text import shortened

EDITABLE = frozenset(
    {
        *("content", "context", "summary", "type", "category", "key", "keywords", "tags", "attributes"),
        *("confidence", "protected", "event_time", "event_end", "expires_at"),
    }
)
SUMMARY_CHARACTERS = 100


@dataclass(frozen=True, slots=True)
class At:
    """Where a memory is: its space and id."""

    space: UUID
    id: UUID


def edit(
    *,
    at: At,
    changes: dict[str, Any],
    author: Author,
    now: datetime,
    encoder: Encoder,
    version: int | None = None,
    stated: bool = True,
) -> Memory:
    """Sets fields of a kept memory; a new content is read and embedded again, and compared with what is stored.

    stated: whether someone says so, whose word stays when the content changes later; if not, it was worked out.
    version: the version the caller last saw; Stale when it is no longer that one. InConflict for a key that is taken.
    """
    unknown = set(changes) - EDITABLE
    if unknown:
        raise Invalid(sorted(unknown)[0], f"Only these can be edited: {', '.join(sorted(EDITABLE))}.")
    if "content" in changes and not changes["content"].strip():
        raise Invalid("content", "A memory cannot be empty; delete it instead.")
    vector = _vector(at, changes, encoder) if {"content", "context"} & set(changes) else None
    with within([at.space]):
        memory = kept(at, version)
        fields = _different(memory, changes)
        if not fields:
            return memory
        if memory.status == Status.ACTIVE and key_is_taken(memory, fields.get("key", "")):
            raise InConflict(f"Another memory holds the key {fields['key']!r}; change or delete that one first.")
        if vector is not None and "content" in fields:
            if not says_the_same_words(fields["content"], memory.content):
                fields["valid_from"] = now  # who says something else says it now; a slip of the pen moves no date
            fields |= _reread(memory, fields, changes, vector, now, encoder)
        elif vector is not None and "context" in fields:
            sensitive = bool(sensitive_kinds(in_context(memory.content, fields["context"])))
            fields |= {"embedding": vector, "embedding_model": encoder.name, "sensitive": sensitive}
            fields |= reindexed(memory, fields)
        elif {"summary", "key", "tags"} & set(fields):
            fields |= reindexed(memory, fields)
        if stated and memory.stated is not None:
            fields["stated"] = sorted({*memory.stated, *(set(changes) & set(DERIVED))})
        edited = change(memory, operation="edit", author=author, now=now, **fields)
        if {"content", "context"} & set(fields):
            mention_again(edited)
        if "content" in fields:
            open_conflicts(edited, now, encoder.name)
        return edited


def correct(*, entered: Entered, at: At, content: str, author: Author, now: datetime, encoder: Encoder) -> Memory:
    """A new memory that supersedes the old one, at the same level; the old stays in history."""
    vector = encoder.documents([content])[0]
    with within(entered.venue.spaces | {at.space}):
        one_writer(entered.person.id)
        old = kept(at)
        if old.status != Status.ACTIVE:
            raise InConflict("This memory was already replaced; correct the one that replaced it.")
        new = _corrected(entered, old, content, now)
        new.embedding, new.embedding_model, new.supersedes = vector, encoder.name, old.id
        keeping = Keeping(entered, author, now)
        replaced: dict[str, Any] = {"status": Status.SUPERSEDED, "valid_to": new.valid_from, "superseded_by": new.id}
        change(old, operation="correct", author=author, now=now, **replaced)
        keeping.add(new, {"decision": "correct", "other": str(old.id)})
        keeping.flush()
        mention_as(new, old)
        open_conflicts(new, now, encoder.name)
        return new


def confirm(*, at: At, author: Author, now: datetime) -> Memory:
    """Protects a memory for good: it is certain, and does not fade."""
    with within([at.space]):
        memory = kept(at)
        return change(
            memory, operation="confirm", author=author, now=now, protected=True, confidence=1.0, reinforced_at=now
        )


def kept(at: At, version: int | None = None) -> Memory:
    """The memory in tier 1, locked. Raises NotFound, or Stale where it is not of the version expected."""
    memory = held(at.space, at.id)
    if memory is None or memory.deleted_at is not None:
        raise NotFound
    if version is not None and memory.version != version:
        raise Stale(f"This memory is now version {memory.version}; read it again, then repeat your change.")
    return memory


def _vector(at: At, changes: dict[str, Any], encoder: Encoder) -> Vectors:
    """Of the text that it will have. Another may change it meanwhile: then the later text has the earlier context."""
    with within([at.space]):
        was = Memory.objects.filter(space_id=at.space, id=at.id).values("content", "context").first()
    text = {**(was or {"content": "", "context": ""}), **changes}
    vector: Vectors = encoder.documents([in_context(text["content"], text["context"])])[0]
    return vector


def _different(memory: Memory, changes: dict[str, Any]) -> dict[str, Any]:
    """What of the changes changes anything. The end of a period goes with its beginning."""
    fields = {name: value for name, value in changes.items() if getattr(memory, name) != value}
    if "event_time" in fields and "event_end" not in changes and memory.event_end is not None:
        fields["event_end"] = None
    if {"event_time", "event_end"} & set(fields):
        period = {"event_time": memory.event_time, "event_end": memory.event_end, **fields}
        check_period(period["event_time"], period["event_end"])
    return fields


def _reread(
    memory: Memory, fields: dict[str, Any], changes: dict[str, Any], vector: Vectors, now: datetime, encoder: Encoder
) -> dict[str, Any]:
    """What follows from a new content, and is not itself among the changes: what it reads as, vector, index, whether it
    is sensitive, and a summary that still says it."""
    content, said = fields["content"], set(changes)
    said |= {"event_time", "event_end"} if said & {"event_time", "event_end"} else set()
    read = reread(memory, content, now=now)
    read["summary"] = shortened(content, SUMMARY_CHARACTERS)
    fields = {**{name: value for name, value in read.items() if name not in said}, **fields}
    if memory.status == Status.ACTIVE and key_is_taken(memory, fields.get("key", "")):
        fields["key"] = ""  # nobody asked for it, and the other holds it
    text = in_context(content, fields.get("context", memory.context))
    fields |= {"sensitive": bool(sensitive_kinds(text)), "embedding": vector, "embedding_model": encoder.name}
    return fields | reindexed(memory, fields)


def _corrected(entered: Entered, old: Memory, content: str, now: datetime) -> Memory:
    source = Source(old.source_type, old.source_conversation, old.source_speaker, tuple(old.source_turns))
    new = compose(entered, Given(content=content, tags=old.tags, source=source), now)
    read = reread(old, content, now=now)
    # It takes the old one's place, so it fills the slot of that one unless it names another.
    read["key"] = read.get("key") or old.key
    if key_is_taken(old, read["key"]):
        read["key"] = ""  # nobody asked for it, and the other holds it
    for name in (*DERIVED, "event_end", "source_speaker"):
        setattr(new, name, read.get(name, getattr(old, name)))
    new.stated, new.expires_at = old.stated, old.expires_at
    if old.type != MemoryType.REFLECTION:
        new.attributes = old.told_attributes
    index(new, entered.person.language)
    new.space, new.visibility = old.space, old.visibility
    if old.channel_id:  # setting a composite reference to None would clear the space too
        new.channel = old.channel
    new.protected, new.decay_rate = old.protected, old.decay_rate
    return new
