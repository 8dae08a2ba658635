"""Edit a memory: change some of its fields, replace it by a corrected one, or protect it for good.

A new text gives new derived fields, unless someone stated them or both texts give the same, and opens a conflict with
each memory that may contradict it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.audit.log import Author
from memory_app.engine.entities.relink_mentions import copy_manual_links, relink_mentions
from memory_app.engine.memories.memory_input import (
    DERIVED_FIELDS,
    MemoryDraft,
    MemoryInput,
    MemorySource,
    build_memory,
    check_period,
    key_about_person,
    new_search_fields,
    set_search_fields,
)
from memory_app.engine.memories.neighbours import NeighbourSearch
from memory_app.engine.memories.save import MOST_CONFLICTS, SaveBatch
from memory_app.engine.memories.write_version import change_memory, key_is_taken, lock_memory_and_owner
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import ChangedMeanwhile, ConflictError, Invalid, NotFound
from memory_app.models import Conflict, Memory, MemoryType, Status
from memory_app.models.memory import with_context
from memory_app.models.person import lock_writers
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.comparison import says_the_same_words
from memory_app.nlp.privacy.sensitive import sensitive_kinds
from memory_app.nlp.text import shortened, speaker_in
from memory_app.nlp.understand import understand
from memory_app.rules.decide import conflicts

EDITABLE_FIELDS = frozenset(
    {
        *("content", "context", "summary", "type", "category", "key", "keywords", "tags", "attributes"),
        *("confidence", "protected", "event_time", "event_end", "expires_at"),
    }
)
SUMMARY_CHARACTERS = 100


@dataclass(frozen=True, slots=True)
class MemoryRef:
    """The primary key of a memory."""

    space: UUID
    id: UUID


def edit(
    *,
    at: MemoryRef,
    changes: dict[str, Any],
    author: Author,
    now: datetime,
    encoder: Encoder,
    version: int | None = None,
    stated: bool = True,
) -> Memory:
    """Sets fields of a memory; a new content is understood and embedded again, and compared with what is stored.

    stated: whether someone states these values, so that they stay when the content changes later; if not, they were
    derived. version: the version that the caller last saw. Raises NotFound, ChangedMeanwhile where that is not the
    present version, ConflictError for a key that is taken.
    """
    _check_changes(changes)
    vector = _new_vector(at, changes, encoder) if {"content", "context"} & set(changes) else None
    with allowed_spaces([at.space]):
        memory = lock_existing(at, version)
        fields = _changed_fields(memory, changes)
        if not fields:
            return memory
        if memory.status == Status.ACTIVE and key_is_taken(memory, fields.get("key", "")):
            raise ConflictError(f"Another memory holds the key {fields['key']!r}; change or delete that one first.")
        fields |= _fields_that_follow(memory, fields, changes, vector, now, encoder)
        if stated and memory.stated is not None:
            fields["stated"] = sorted({*memory.stated, *(set(changes) & set(DERIVED_FIELDS))})
        edited = change_memory(memory, operation="edit", author=author, now=now, **fields)
        if {"content", "context"} & set(fields):
            relink_mentions(edited)
        if "content" in fields:
            open_conflicts(edited, now, encoder.name)
        return edited


def _check_changes(changes: dict[str, Any]) -> None:
    unknown = set(changes) - EDITABLE_FIELDS
    if unknown:
        raise Invalid(sorted(unknown)[0], f"Only these can be edited: {', '.join(sorted(EDITABLE_FIELDS))}.")
    if "content" in changes and not changes["content"].strip():
        raise Invalid("content", "A memory cannot be empty; delete it instead.")


def _fields_that_follow(
    memory: Memory,
    fields: dict[str, Any],
    changes: dict[str, Any],
    vector: Vectors | None,
    now: datetime,
    encoder: Encoder,
) -> dict[str, Any]:
    """Fields that change because others do. vector: of a new content or context."""
    if vector is not None and "content" in fields:
        # Another statement is made now; a corrected typing error moves no date.
        moved = {} if says_the_same_words(fields["content"], memory.content) else {"valid_from": now}
        return moved | _content_fields(memory, fields | moved, changes, vector, now, encoder)
    if vector is not None and "context" in fields:
        sensitive = bool(sensitive_kinds(with_context(memory.content, fields["context"])))
        embedded = {"embedding": vector, "embedding_model": encoder.name, "sensitive": sensitive}
        return embedded | new_search_fields(memory, fields | embedded)
    return new_search_fields(memory, fields) if {"summary", "key", "tags"} & set(fields) else {}


def correct(
    *, venue_context: VenueContext, at: MemoryRef, content: str, author: Author, now: datetime, encoder: Encoder
) -> Memory:
    """A new memory that supersedes the old one, at the same level; the old stays in history."""
    vector = encoder.documents([content])[0]
    with allowed_spaces(venue_context.venue.spaces | {at.space}):
        lock_writers(venue_context.person.id)
        old = lock_existing(at)
        if old.status != Status.ACTIVE:
            raise ConflictError("This memory was already replaced; correct the one that replaced it.")
        draft = _corrected_draft(venue_context, old, content, now)
        new = draft.memory
        new.embedding, new.embedding_model, new.supersedes = vector, encoder.name, old.id
        save_batch = SaveBatch(venue_context, author, now)
        replaced: dict[str, Any] = {"status": Status.SUPERSEDED, "valid_to": new.valid_from, "superseded_by": new.id}
        change_memory(old, operation="correct", author=author, now=now, **replaced)
        save_batch.add(draft, {"decision": "correct", "other": str(old.id)})
        save_batch.flush()
        copy_manual_links(new, old)
        open_conflicts(new, now, encoder.name)
        return new


def confirm(*, at: MemoryRef, author: Author, now: datetime) -> Memory:
    """Protects a memory for good: it is certain and does not fade. Raises NotFound."""
    with allowed_spaces([at.space]):
        memory = lock_existing(at)
        return change_memory(
            memory, operation="confirm", author=author, now=now, protected=True, confidence=1.0, reinforced_at=now
        )


def lock_existing(at: MemoryRef, version: int | None = None) -> Memory:
    """The memory in tier 1, locked. Raises NotFound, or ChangedMeanwhile where its version is not the expected one."""
    memory = lock_memory_and_owner(at.space, at.id)
    if memory is None or memory.deleted_at is not None:
        raise NotFound
    if version is not None and memory.version != version:
        raise ChangedMeanwhile(f"This memory is now version {memory.version}; read it again, then repeat your change.")
    return memory


def _new_vector(at: MemoryRef, changes: dict[str, Any], encoder: Encoder) -> Vectors:
    """The vector of the new text. If the memory is changed meanwhile, the text may differ in its context."""
    with allowed_spaces([at.space]):
        old_vector = Memory.objects.filter(space_id=at.space, id=at.id).values("content", "context").first()
    text = {**(old_vector or {"content": "", "context": ""}), **changes}
    vector: Vectors = encoder.documents([with_context(text["content"], text["context"])])[0]
    return vector


def _changed_fields(memory: Memory, changes: dict[str, Any]) -> dict[str, Any]:
    """The changes that change anything. The end of a period is removed with its beginning."""
    fields = {name: value for name, value in changes.items() if getattr(memory, name) != value}
    if "event_time" in fields and "event_end" not in changes and memory.event_end is not None:
        fields["event_end"] = None
    if {"event_time", "event_end"} & set(fields):
        period = {"event_time": memory.event_time, "event_end": memory.event_end, **fields}
        check_period(period["event_time"], period["event_end"])
    return fields


def _content_fields(
    memory: Memory, fields: dict[str, Any], changes: dict[str, Any], vector: Vectors, now: datetime, encoder: Encoder
) -> dict[str, Any]:
    """The fields that follow from a new content and are not themselves changed: derived fields, summary, vector, search
    fields and whether it is sensitive."""
    content, given_names = fields["content"], set(changes)
    given_names |= {"event_time", "event_end"} if given_names & {"event_time", "event_end"} else set()
    read = rederive_fields(memory, content, now=now)
    read["summary"] = shortened(content, SUMMARY_CHARACTERS)
    fields = {**{name: value for name, value in read.items() if name not in given_names}, **fields}
    if memory.status == Status.ACTIVE and key_is_taken(memory, fields.get("key", "")):
        fields["key"] = ""  # nobody asked for this key, and another memory has it
    text = with_context(content, fields.get("context", memory.context))
    fields |= {"sensitive": bool(sensitive_kinds(text)), "embedding": vector, "embedding_model": encoder.name}
    return fields | new_search_fields(memory, fields)


def _corrected_draft(venue_context: VenueContext, old: Memory, content: str, now: datetime) -> MemoryDraft:
    source = MemorySource(old.source_type, old.source_conversation, old.source_speaker, tuple(old.source_turns))
    draft = build_memory(venue_context, MemoryInput(content=content, tags=old.tags, source=source), now)
    new = draft.memory
    read = rederive_fields(old, content, now=now)
    # It supersedes the old one, so it has the key of that one unless its text gives another.
    read["key"] = read.get("key") or old.key
    if key_is_taken(old, read["key"]):
        read["key"] = ""  # nobody asked for this key, and another memory has it
    for name in (*DERIVED_FIELDS, "event_end", "source_speaker"):
        setattr(new, name, read.get(name, getattr(old, name)))
    new.stated, new.expires_at = old.stated, old.expires_at
    if old.type != MemoryType.REFLECTION:
        new.attributes = old.visible_attributes
    set_search_fields(new, venue_context.person.language)
    new.space, new.visibility = old.space, old.visibility
    if old.channel_id:  # setting a composite reference to None would clear the space too
        new.channel = old.channel
    new.protected, new.decay_rate = old.protected, old.decay_rate
    return draft


def rederive_fields(memory: Memory, content: str, *, now: datetime) -> dict[str, Any]:
    """The derived fields to set with a new content. Phrases of time in it are relative to now."""
    speaker = memory.source_speaker
    if speaker == speaker_in(memory.content):
        speaker = speaker_in(content)
    before = _derive_fields(memory, memory.content, memory.source_speaker)
    after = _derive_fields(memory, content, speaker)
    stays = stated_fields(memory, before)
    fields = {name: after[name] for name in DERIVED_FIELDS if name not in stays and after[name] != before[name]}
    if "event_time" in fields:
        new_period = understand(content, at=now, timezone=memory.person.zone).event_time
        fields["event_time"], fields["event_end"] = new_period or (None, None)
    if speaker != memory.source_speaker:
        fields["source_speaker"] = speaker
    return fields


def stated_fields(memory: Memory, read: dict[str, Any]) -> set[str]:
    """The fields that someone stated. Where that was not recorded, those that differ from the derived ones."""
    if memory.stated is not None:
        return set(memory.stated)
    return {name for name in DERIVED_FIELDS if getattr(memory, name) != read[name]}


def _derive_fields(memory: Memory, content: str, speaker: str) -> dict[str, Any]:
    read = understand(content, at=memory.created_at, timezone=memory.person.zone)
    return {
        "type": read.type,
        "category": read.category,
        "key": key_about_person(memory.person, content, speaker, read),
        "keywords": list(read.keywords),
        "event_time": read.event_time[0] if read.event_time else None,
    }


CONFLICT_AFTER_EDIT = "close to another memory since it was changed: the two may not both hold"


def open_conflicts(memory: Memory, now: datetime, model: str) -> list[Conflict]:
    """Opens a conflict with each memory that may contradict it, unless the person was asked about the two before.

    Expects its space allowed, other writers locked out, and its vector by this model; without one nothing is opened.
    """
    if memory.embedding is None or memory.embedding_model != model or memory.status != Status.ACTIVE:
        return []
    if memory.deleted_at is not None or not memory.is_original:
        return []
    neighbours = NeighbourSearch([MemoryDraft(memory)], np.asarray([memory.embedding], dtype=np.float32), now, model)
    asked_about = _ids_asked_about(memory)
    near = [neighbour for neighbour in neighbours.neighbours_of(0) if neighbour.id not in asked_about]
    found = conflicts(neighbours.candidate(0), near)[:MOST_CONFLICTS]
    others: Sequence[Memory] = list(Memory.objects.filter(space_id=memory.space_id, id__in=found))
    opened = [Conflict.between(memory, other, reason=CONFLICT_AFTER_EDIT, now=now) for other in others]
    Conflict.objects.bulk_create(opened)
    return opened


def open_conflict(memory: Memory, other: UUID, reason: str, now: datetime) -> None:
    """Opens a conflict with one other memory, unless the person was asked about the two in these words. Expects its
    space allowed, and other writers locked out."""
    found = Memory.objects.filter(space_id=memory.space_id, id=other).exclude(id__in=_ids_asked_about(memory)).first()
    if found is not None:
        Conflict.between(memory, found, reason=reason, now=now).save(force_insert=True)


def _ids_asked_about(memory: Memory) -> set[UUID]:
    """Its own id, and those of memories with which it had a conflict that is answered or was about these words."""
    rows = Conflict.objects.filter(space_id=memory.space_id).of_memory(memory.id)
    digest = bytes(memory.digest)
    return {memory.id} | {
        row.other(memory.id)
        for row in rows
        if row.answer or digest in (bytes(row.older_digest), bytes(row.newer_digest))
    }
