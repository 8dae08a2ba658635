"""Carry in: import records into a person's memory. What was exported comes back as it was; the rest is remembered."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError

from memory_app.embedding.encoder import Encoder
from memory_app.engine.audit.log import Author, operation_entry
from memory_app.engine.entities.link_mentions import link_mentions
from memory_app.engine.memories.build_many import build_memories
from memory_app.engine.memories.memory_input import MemoryDraft, MemorySource, build_memory, set_search_fields
from memory_app.engine.memories.save import save_memories
from memory_app.engine.memories.write_version import key_is_taken
from memory_app.engine.transfer.export import EXPORT_MARKS, MEMORY_FIELDS, MODELS_OF_LINES
from memory_app.engine.transfer.id_map import map_ids
from memory_app.engine.transfer.import_format import (
    MemoryHistory,
    RecordFields,
    check_record,
    parse_history,
)
from memory_app.engine.transfer.restore_rows import ERASED_FOR_GOOD, group_by_kind, restore_history, restore_rows
from memory_app.engine.venue_context import VenueContext, VenueNames, resolve_venue
from memory_app.errors import KeepsakeError
from memory_app.models import Memory, Operation, Tombstone
from memory_app.models.person import require_memory_on
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.nlp.documents.records import Record

BATCH_SIZE = 500
"""Records to a transaction: a kill loses none that was reported, and each batch fills the encoder."""

MEMORY_COLUMNS = {field.name: field for field in Memory._meta.concrete_fields}


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What became of one record: added, duplicate, superseded, there (imported before), refused or failed and why.

    renamed: of a record that has another id here, for it was another's or someone else holds that, the two ids."""

    line: int
    outcome: str
    fault: str = ""
    renamed: tuple[UUID, UUID] | None = None


@dataclass(frozen=True, slots=True)
class ParsedRecord:
    """A record and what it says, once that was found to be sound."""

    record: Record
    fields: RecordFields

    id: UUID | None = None
    """Of a record of an export; others may have ids of another kind."""


def import_records(
    *, records: Iterable[Record], person: str | None, author: Author, now: datetime, encoder: Encoder
) -> Iterator[ImportResult]:
    """Imports records batch by batch; twice changes nothing. They are gone through twice, and never held all at once.

    person: whose they all are; None, whom each names.
    """
    require_memory_on()
    stream = iter(records)
    with closing(map_ids(records, person)) as ids:
        while batch := [ids.renumber(record) for record in islice(stream, BATCH_SIZE)]:
            renumbered = {record.line: pair for record, pair in batch if pair}
            for result in _import_batch([record for record, _ in batch], person, author, now, encoder):
                yield replace(result, renamed=renumbered.get(result.line))


def _import_batch(
    batch: Sequence[Record], person: str | None, author: Author, now: datetime, encoder: Encoder
) -> Iterator[ImportResult]:
    kinds = group_by_kind(batch)
    for answer in restore_rows("person", kinds["person"], person=person, encoder=encoder):
        yield ImportResult(*answer)
    read, faults = _parse_records(kinds["memory"], person)
    yield from faults
    existing = _existing_ids(read)
    yield from (ImportResult(item.record.line, "there") for item in read if item.id in existing)
    erased = Tombstone.objects.among(item.id for item in read if item.id)
    yield from (ImportResult(item.record.line, "refused", ERASED_FOR_GOOD) for item in read if item.id in erased)
    fresh = [item for item in read if item.id not in existing | erased]
    for (name, place), group in _group_by_venue(fresh).items():
        yield from _import_group(name, place, group, author=author, now=now, encoder=encoder)
    for kind in MODELS_OF_LINES:
        for answer in restore_rows(kind, kinds[kind], person=person, encoder=encoder):
            yield ImportResult(*answer)


def _parse_records(batch: Sequence[Record], person: str | None) -> tuple[list[ParsedRecord], list[ImportResult]]:
    read: list[ParsedRecord] = []
    faults: list[ImportResult] = []
    for record in batch:
        try:
            if record.fault:
                raise ValueError(record.fault)
            exported = record.fields.keys() >= EXPORT_MARKS
            identifier = UUID(str(record.fields["id"])) if exported else None
            read.append(ParsedRecord(record, check_record(record.fields, person), identifier))
        except ValueError as error:
            faults.append(ImportResult(record.line, "failed", str(error)))
    return read, faults


def _existing_ids(read: Sequence[ParsedRecord]) -> set[UUID]:
    """Ids of an export that are in the database already, in whatever space."""
    ids = [item.id for item in read if item.id]
    with every_space():
        return set(Memory.objects.filter(id__in=ids).values_list("id", flat=True))


def _group_by_venue(read: Sequence[ParsedRecord]) -> dict[tuple[str, VenueNames], list[ParsedRecord]]:
    groups: dict[tuple[str, VenueNames], list[ParsedRecord]] = {}
    for item in read:
        groups.setdefault((item.fields.person, item.fields.place), []).append(item)
    return groups


def _import_group(
    person: str, place: VenueNames, read: Sequence[ParsedRecord], *, author: Author, now: datetime, encoder: Encoder
) -> Iterator[ImportResult]:
    try:
        venue_context = resolve_venue(person=person, place=place)
    except KeepsakeError as error:
        yield from (ImportResult(item.record.line, "failed", str(error)) for item in read)
        return
    yield from _remember_records(venue_context, [item for item in read if not item.id], author, now, encoder)
    yield from _restore_memories(venue_context, [item for item in read if item.id], author, now, encoder)


def _remember_records(
    venue_context: VenueContext, read: Sequence[ParsedRecord], author: Author, now: datetime, encoder: Encoder
) -> Iterator[ImportResult]:
    """Records of others' making: composed and decided as anything remembered. The same text in the same place is left
    as it is, for an import that runs again is not someone who says it again."""
    composed: list[tuple[Record, MemoryDraft]] = []
    built = build_memories(venue_context, [item.fields.memory_input for item in read], now, encoder)
    for item, draft in zip(read, built, strict=True):
        if isinstance(draft, KeepsakeError):
            yield ImportResult(item.record.line, "failed", str(draft))
        else:
            composed.append((item.record, _dated_by_record(draft)))
    known = known_texts(venue_context, [draft.memory for _, draft in composed])
    yield from (ImportResult(record.line, "there") for record, draft in composed if text_key(draft.memory) in known)
    new = [(record, draft) for record, draft in composed if text_key(draft.memory) not in known]
    drafts = [draft for _, draft in new]
    outcomes = save_memories(
        venue_context=venue_context, drafts=drafts, author=author, now=now, encoder=encoder, count_duplicates=False
    )
    for (record, _), outcome in zip(new, outcomes, strict=True):
        yield ImportResult(record.line, outcome.outcome)


def _dated_by_record(draft: MemoryDraft) -> MemoryDraft:
    """A memory that is as old as its record says it is."""
    draft.memory.created_at = draft.memory.valid_from
    return draft


TextKey = tuple[UUID, str, UUID | None, bytes]


def text_key(memory: Memory) -> TextKey:
    """The text of a memory where it is: equal for the same words of one owner at the same level and place."""
    return memory.space_id, memory.visibility, memory.channel_id, bytes(memory.digest)


def known_texts(venue_context: VenueContext, memories: Sequence[Memory]) -> set[TextKey]:
    """Texts among these that the person has kept, whether they still hold or were replaced since."""
    with allowed_spaces(venue_context.venue.spaces):
        own = Memory.objects.undeleted().filter(space_id__in=venue_context.venue.spaces, person=venue_context.person)
        same = own.filter(digest__in=[memory.digest for memory in memories])
        return {text_key(memory) for memory in same.only("space_id", "id", "visibility", "channel_id", "digest")}


def _restore_memories(
    venue_context: VenueContext, read: Sequence[ParsedRecord], author: Author, now: datetime, encoder: Encoder
) -> Iterator[ImportResult]:
    """Records of an export: the same ids and times, and no decision, for they were decided once."""
    fresh: dict[UUID, tuple[Record, Memory, MemoryHistory]] = {}
    for item in read:
        if item.id in fresh:
            yield ImportResult(item.record.line, "there")
            continue
        try:
            memory = _memory_as_exported(venue_context, item, now)
            fresh[memory.id] = (item.record, memory, parse_history(item.record.fields))
        except (KeepsakeError, ValidationError, ValueError, TypeError) as error:
            yield ImportResult(item.record.line, "failed", _error_text(error))
    yield from _store_or_split(venue_context, list(fresh.values()), author, now, encoder)


def _store_or_split(
    venue_context: VenueContext,
    fresh: Sequence[tuple[Record, Memory, MemoryHistory]],
    author: Author,
    now: datetime,
    encoder: Encoder,
) -> Iterator[ImportResult]:
    """Stores them together; where the database does not take one of them, each by itself."""
    try:
        _store_memories(venue_context, [(memory, history) for _, memory, history in fresh], author, now, encoder)
    except (DataError, IntegrityError):
        if len(fresh) == 1:
            yield ImportResult(fresh[0][0].line, "failed", "something in this record cannot be stored")
            return
        for one in fresh:
            yield from _store_or_split(venue_context, [one], author, now, encoder)
        return
    yield from (ImportResult(record.line, "added") for record, _, _ in fresh)


def _memory_as_exported(venue_context: VenueContext, item: ParsedRecord, now: datetime) -> Memory:
    # Composed as if from an import: what became sensitive by an edit comes back, whatever its source.
    memory = build_memory(venue_context, replace(item.fields.memory_input, source=MemorySource()), now).memory
    memory.id = item.id or memory.id
    memory.stated = None  # what is given here is all that was there, however it came about
    for name in MEMORY_FIELDS:
        if name in item.record.fields:
            setattr(memory, name, MEMORY_COLUMNS[name].to_python(item.record.fields[name]))
    set_search_fields(memory, venue_context.person.language)
    memory.clean_fields(exclude=["tsv", "embedding", "digest", "person", "space", "channel"])
    return memory


def _store_memories(
    venue_context: VenueContext,
    restored: Sequence[tuple[Memory, MemoryHistory]],
    author: Author,
    now: datetime,
    encoder: Encoder,
) -> None:
    memories = [memory for memory, _ in restored]
    if not memories:
        return
    vectors = encoder.documents([memory.searchable_text for memory in memories])
    for memory, vector in zip(memories, vectors, strict=True):
        memory.embedding, memory.embedding_model, memory.changed_by = vector, encoder.name, author.label
    with allowed_spaces(venue_context.venue.spaces):
        for memory in memories:
            if memory.key and memory.status == "active" and key_is_taken(memory, memory.key):
                memory.key = ""  # as when it is restored: the newer value stands
        Memory.objects.bulk_create(memories)
        link_mentions(memory for memory, history in restored if history.links is None)
        restore_history(restored)
        operations = [operation_entry(memory, "import", author, now, {}) for memory in memories]
        Operation.objects.bulk_create(operations)


def _error_text(error: Exception) -> str:
    return "; ".join(error.messages) if isinstance(error, ValidationError) else str(error)
