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
from memory_app.engine.author import Author
from memory_app.engine.carrying.bring_back import Besides, besides_of, bring_back
from memory_app.engine.carrying.carry_back import ERASED, by_kind, carry_back
from memory_app.engine.carrying.lines import CARRIED, KINDS, MARKS_OF_AN_EXPORT
from memory_app.engine.carrying.new_ids import new_ids
from memory_app.engine.carrying.told import Told, told_by
from memory_app.engine.change import key_is_taken, operation_of
from memory_app.engine.enter import Entered, Place, enter
from memory_app.engine.keeping.compose import Source, compose, index
from memory_app.engine.keeping.keep import keep
from memory_app.engine.keeping.mention import mention
from memory_app.engine.paused import refuse_if_off
from memory_app.errors import KeepsakeError
from memory_app.language.records import Record
from memory_app.language.sensitive import prepare
from memory_app.models import Memory, Operation, Tombstone
from memory_app.models.scope import every_space, within

BATCH = 500
"""Records to a transaction: a kill loses none that was reported, and each batch fills the encoder."""

FIELDS = {field.name: field for field in Memory._meta.concrete_fields}


@dataclass(frozen=True, slots=True)
class Carried:
    """What became of one record: added, duplicate, superseded, there (imported before), refused or failed and why.

    renamed: of a record that has another id here, for it was another's or someone else holds that, the two ids."""

    line: int
    outcome: str
    fault: str = ""
    renamed: tuple[UUID, UUID] | None = None


@dataclass(frozen=True, slots=True)
class Read:
    """A record and what it says, once that was found to be sound."""

    record: Record
    told: Told

    id: UUID | None = None
    """Of a record of an export; others may have ids of another kind."""


def carry_in(
    *, records: Iterable[Record], person: str | None, author: Author, now: datetime, encoder: Encoder
) -> Iterator[Carried]:
    """Imports records batch by batch; twice changes nothing. They are gone through twice, and never held all at once.

    person: whose they all are; None, whom each names.
    """
    refuse_if_off()
    stream = iter(records)
    with closing(new_ids(records, person)) as ids:
        while batch := [ids.given(record) for record in islice(stream, BATCH)]:
            told = {record.line: pair for record, pair in batch if pair}
            for carried in _carried([record for record, _ in batch], person, author, now, encoder):
                yield replace(carried, renamed=told.get(carried.line))


def _carried(
    batch: Sequence[Record], person: str | None, author: Author, now: datetime, encoder: Encoder
) -> Iterator[Carried]:
    kinds = by_kind(batch)
    for answer in carry_back("person", kinds["person"], person=person, encoder=encoder):
        yield Carried(*answer)
    read, faults = _read(kinds["memory"], person)
    yield from faults
    there = _there(read)
    yield from (Carried(item.record.line, "there") for item in read if item.id in there)
    gone = Tombstone.objects.among(item.id for item in read if item.id)
    yield from (Carried(item.record.line, "refused", ERASED) for item in read if item.id in gone)
    fresh = [item for item in read if item.id not in there | gone]
    for (name, place), group in _by_venue(fresh).items():
        yield from _carry_group(name, place, group, author=author, now=now, encoder=encoder)
    for kind in KINDS:
        for answer in carry_back(kind, kinds[kind], person=person, encoder=encoder):
            yield Carried(*answer)


def _read(batch: Sequence[Record], person: str | None) -> tuple[list[Read], list[Carried]]:
    read: list[Read] = []
    faults: list[Carried] = []
    for record in batch:
        try:
            if record.fault:
                raise ValueError(record.fault)
            exported = record.fields.keys() >= MARKS_OF_AN_EXPORT
            identifier = UUID(str(record.fields["id"])) if exported else None
            read.append(Read(record, told_by(record.fields, person), identifier))
        except ValueError as error:
            faults.append(Carried(record.line, "failed", str(error)))
    return read, faults


def _there(read: Sequence[Read]) -> set[UUID]:
    """Ids of an export that are in the database already, in whatever space."""
    ids = [item.id for item in read if item.id]
    with every_space():
        return set(Memory.objects.filter(id__in=ids).values_list("id", flat=True))


def _by_venue(read: Sequence[Read]) -> dict[tuple[str, Place], list[Read]]:
    groups: dict[tuple[str, Place], list[Read]] = {}
    for item in read:
        groups.setdefault((item.told.person, item.told.place), []).append(item)
    return groups


def _carry_group(
    person: str, place: Place, read: Sequence[Read], *, author: Author, now: datetime, encoder: Encoder
) -> Iterator[Carried]:
    try:
        entered = enter(person=person, place=place)
    except KeepsakeError as error:
        yield from (Carried(item.record.line, "failed", str(error)) for item in read)
        return
    yield from _remember(entered, [item for item in read if not item.id], author, now, encoder)
    yield from _bring_back(entered, [item for item in read if item.id], author, now, encoder)


def _remember(
    entered: Entered, read: Sequence[Read], author: Author, now: datetime, encoder: Encoder
) -> Iterator[Carried]:
    """Records of others' making: composed and decided as anything remembered. The same text in the same place is left
    as it is, for an import that runs again is not someone who says it again."""
    composed: list[tuple[Record, Memory]] = []
    prepare([item.told.given.content for item in read])
    for item in read:
        try:
            composed.append((item.record, _told_then(compose(entered, item.told.given, now))))
        except KeepsakeError as error:
            yield Carried(item.record.line, "failed", str(error))
    known = _known(entered, [memory for _, memory in composed])
    yield from (Carried(record.line, "there") for record, memory in composed if _text_of(memory) in known)
    new = [(record, memory) for record, memory in composed if _text_of(memory) not in known]
    memories = [memory for _, memory in new]
    kept = keep(entered=entered, memories=memories, author=author, now=now, encoder=encoder, count_again=False)
    for (record, _), outcome in zip(new, kept, strict=True):
        yield Carried(record.line, outcome.outcome)


def _told_then(memory: Memory) -> Memory:
    """A memory that is as old as its record says it is."""
    memory.created_at = memory.valid_from
    return memory


Text = tuple[UUID, str, UUID | None, bytes]


def _text_of(memory: Memory) -> Text:
    """The text of a memory where it is: equal for the same words of one owner at the same level and place."""
    return memory.space_id, memory.visibility, memory.channel_id, bytes(memory.digest)


def _known(entered: Entered, memories: Sequence[Memory]) -> set[Text]:
    """Texts among these that the person has kept, whether they still hold or were replaced since."""
    with within(entered.venue.spaces):
        own = Memory.objects.kept().filter(space_id__in=entered.venue.spaces, person=entered.person)
        same = own.filter(digest__in=[memory.digest for memory in memories])
        return {_text_of(memory) for memory in same.only("space_id", "id", "visibility", "channel_id", "digest")}


def _bring_back(
    entered: Entered, read: Sequence[Read], author: Author, now: datetime, encoder: Encoder
) -> Iterator[Carried]:
    """Records of an export: the same ids and times, and no decision, for they were decided once."""
    fresh: dict[UUID, tuple[Record, Memory, Besides]] = {}
    for item in read:
        if item.id in fresh:
            yield Carried(item.record.line, "there")
            continue
        try:
            memory = _as_it_was(entered, item, now)
            fresh[memory.id] = (item.record, memory, besides_of(item.record.fields))
        except (KeepsakeError, ValidationError, ValueError, TypeError) as error:
            yield Carried(item.record.line, "failed", _message(error))
    yield from _stored(entered, list(fresh.values()), author, now, encoder)


def _stored(
    entered: Entered, fresh: Sequence[tuple[Record, Memory, Besides]], author: Author, now: datetime, encoder: Encoder
) -> Iterator[Carried]:
    """Stores them together; where the database does not take one of them, each by itself."""
    try:
        _store(entered, [(memory, besides) for _, memory, besides in fresh], author, now, encoder)
    except (DataError, IntegrityError):
        if len(fresh) == 1:
            yield Carried(fresh[0][0].line, "failed", "something in this record cannot be stored")
            return
        for one in fresh:
            yield from _stored(entered, [one], author, now, encoder)
        return
    yield from (Carried(record.line, "added") for record, _, _ in fresh)


def _as_it_was(entered: Entered, item: Read, now: datetime) -> Memory:
    # Composed as if from an import: what became sensitive by an edit comes back, whatever its source.
    memory = compose(entered, replace(item.told.given, source=Source()), now)
    memory.id = item.id or memory.id
    memory.stated = None  # what is given here is all that was there, however it came about
    for name in CARRIED:
        if name in item.record.fields:
            setattr(memory, name, FIELDS[name].to_python(item.record.fields[name]))
    index(memory, entered.person.language)
    memory.clean_fields(exclude=["tsv", "embedding", "digest", "person", "space", "channel"])
    return memory


def _store(
    entered: Entered, told: Sequence[tuple[Memory, Besides]], author: Author, now: datetime, encoder: Encoder
) -> None:
    memories = [memory for memory, _ in told]
    if not memories:
        return
    vectors = encoder.documents([memory.words_in_context for memory in memories])
    for memory, vector in zip(memories, vectors, strict=True):
        memory.embedding, memory.embedding_model, memory.changed_by = vector, encoder.name, author.label
    with within(entered.venue.spaces):
        for memory in memories:
            if memory.key and memory.status == "active" and key_is_taken(memory, memory.key):
                memory.key = ""  # as when it is restored: the newer value stands
        Memory.objects.bulk_create(memories)
        mention(memory for memory, besides in told if besides.names is None)
        bring_back(told)
        operations = [operation_of(memory, "import", author, now, {}) for memory in memories]
        Operation.objects.bulk_create(operations)


def _message(error: Exception) -> str:
    return "; ".join(error.messages) if isinstance(error, ValidationError) else str(error)
