"""Carry in: import records into a person's memory. What was exported comes back as it was; the rest is remembered."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError

from ..embedding.encoder import Encoder
from ..errors import Invalid, KeepsakeError
from ..language.records import Record
from ..models import Memory, Operation, SourceType
from ..models.scope import every_space, within
from .author import Author
from .change import operation_of
from .compose import Given, Source, compose, index
from .enter import Entered, Place, enter
from .export import CARRIED
from .keep import keep

BATCH = 500
"""Records to a transaction: a kill loses none that was reported, and each batch fills the encoder."""

FIELDS = {field.name: field for field in Memory._meta.concrete_fields}

MARKS_OF_AN_EXPORT = frozenset({"id", "created_at", "source_type", "decay_rate"})


@dataclass(frozen=True, slots=True)
class Carried:
    """What became of one record: added, duplicate, superseded, there (imported before), or failed and why."""

    line: int
    outcome: str
    fault: str = ""


def carry_in(
    *, records: Iterable[Record], person: str | None, author: Author, now: datetime, encoder: Encoder
) -> Iterator[Carried]:
    """Imports records batch by batch, in order; twice changes nothing. person: for records that name none."""
    stream = iter(records)
    while batch := list(islice(stream, BATCH)):
        good = [record for record in batch if not record.fault]
        yield from (Carried(record.line, "failed", record.fault) for record in batch if record.fault)
        for place, group in _by_venue(good, person).items():
            yield from _carry_group(*place, group, author=author, now=now, encoder=encoder)


Venue = tuple[str, Place]


def _by_venue(records: Sequence[Record], person: str | None) -> dict[Venue, list[Record]]:
    groups: dict[Venue, list[Record]] = {}
    for record in records:
        named = record.fields.get("visibility") in ("space", "channel")
        space = record.fields.get("space") if named else None
        channel = record.fields.get("channel") if named else None
        place = Place(space, channel, restricted=bool(channel))
        groups.setdefault((person or str(record.fields.get("person") or ""), place), []).append(record)
    return groups


def _carry_group(
    person: str, place: Place, records: Sequence[Record], *, author: Author, now: datetime, encoder: Encoder
) -> Iterator[Carried]:
    if not person:
        yield from (Carried(r.line, "failed", "no person: name one in the record or with --person") for r in records)
        return
    entered = enter(person=person, place=place)
    exported = [record for record in records if record.fields.keys() >= MARKS_OF_AN_EXPORT]
    told = [record for record in records if not record.fields.keys() >= MARKS_OF_AN_EXPORT]
    yield from _remember(entered, told, author, now, encoder)
    yield from _bring_back(entered, exported, author, now, encoder)


def _remember(
    entered: Entered, records: Sequence[Record], author: Author, now: datetime, encoder: Encoder
) -> Iterator[Carried]:
    """Records of others' making: composed and decided as anything remembered."""
    composed: list[tuple[Record, Memory]] = []
    for record in records:
        try:
            composed.append((record, compose(entered, _given(record.fields), now)))
        except (KeepsakeError, ValueError, TypeError) as error:
            yield Carried(record.line, "failed", str(error))
    memories = [memory for _, memory in composed]
    kept = keep(entered=entered, memories=memories, author=author, now=now, encoder=encoder)
    for (record, _), outcome in zip(composed, kept, strict=True):
        yield Carried(record.line, outcome.outcome)


def _given(fields: dict[str, Any]) -> Given:
    """What a record says of a memory. Raises Invalid for a field that is not what it should be."""
    content = fields.get("content")
    if not isinstance(content, str) or not content.strip():
        raise Invalid("content", "no content")
    return Given(
        content=content,
        summary=fields.get("summary"),
        type=fields.get("type"),
        category=fields.get("category"),
        key=fields.get("key"),
        keywords=fields.get("keywords"),
        tags=fields.get("tags") or [],
        visibility=fields.get("visibility"),
        source=Source(fields.get("source_type") or SourceType.MIGRATION.value),
        confidence=float(fields.get("confidence", 1.0)),
        event_time=_moment(fields.get("event_time")),
    )


def _bring_back(
    entered: Entered, records: Sequence[Record], author: Author, now: datetime, encoder: Encoder
) -> Iterator[Carried]:
    """Records of an export: the same ids and times, and no decision, for they were decided once."""
    with every_space():
        there = set(Memory.objects.filter(id__in=[r.fields["id"] for r in records]).values_list("id", flat=True))
    fresh: list[tuple[Record, Memory]] = []
    for record in records:
        try:
            memory = _as_it_was(entered, record.fields, now)
        except (KeepsakeError, ValidationError, ValueError, TypeError) as error:
            yield Carried(record.line, "failed", str(error))
            continue
        if memory.id in there:
            yield Carried(record.line, "there")
        else:
            fresh.append((record, memory))
    _store(entered, [memory for _, memory in fresh], author, now, encoder)
    yield from (Carried(record.line, "added") for record, _ in fresh)


def _as_it_was(entered: Entered, fields: dict[str, Any], now: datetime) -> Memory:
    memory = compose(entered, _given(fields), now)
    memory.id = UUID(fields["id"])
    for name in CARRIED:
        if name in fields:
            setattr(memory, name, FIELDS[name].to_python(fields[name]))
    index(memory, entered.person.language)
    memory.clean_fields(exclude=["tsv", "embedding", "digest", "person", "space", "channel"])
    return memory


def _store(entered: Entered, memories: Sequence[Memory], author: Author, now: datetime, encoder: Encoder) -> None:
    if not memories:
        return
    vectors = encoder.documents([memory.content for memory in memories])
    for memory, vector in zip(memories, vectors, strict=True):
        memory.embedding, memory.embedding_model, memory.changed_by = vector, encoder.name, author.label
    with within(entered.venue.spaces):
        Memory.objects.bulk_create(memories)
        operations = [operation_of(memory, "import", author, now, {}) for memory in memories]
        Operation.objects.bulk_create(operations)


def _moment(value: Any) -> datetime | None:
    if value is None:
        return None
    parsed = datetime.fromisoformat(value)
    if parsed.tzinfo is None:
        raise Invalid("event_time", "a time needs its offset, such as 2026-03-15T09:00:00+00:00")
    return parsed
