"""New ids for an import under another person's name, and for ids that someone else holds, for both may live here.

The new id follows from the old one and the name, so that an import that runs again finds what it brought. Who imports
another's records learns nothing of whether that one is here; who imports their own is told which ids changed. The pairs
lie on disk, for an import may have as many as it has records.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import Model

from memory_app.engine.transfer.export import EXPORT_MARKS, MODELS_OF_LINES
from memory_app.engine.transfer.restore_rows import group_by_kind
from memory_app.models import Entity, Memory, Person, Tombstone
from memory_app.models.row_security import every_space
from memory_app.nlp.documents.records import Record

CREATE_PAIRS_SQL = "CREATE TABLE pair (person TEXT, old BLOB, new BLOB, PRIMARY KEY (person, old)) WITHOUT ROWID"
SQLITE_IDS_PER_QUERY = 500
"""Ids to one question: SQLite takes 999 values."""


class IdPairs:
    """A file of its own that goes with it; what is small of it stays in memory. For one thread."""

    def __init__(self) -> None:
        self._file = sqlite3.connect("", isolation_level=None)
        self._file.execute("PRAGMA journal_mode = OFF")
        self._file.execute(CREATE_PAIRS_SQL)
        self._people: set[str] = set()

    def add(self, person: str, id_pairs: Mapping[UUID, UUID]) -> None:
        if id_pairs:
            self._people.add(person)
            rows = [(person, old.bytes, new.bytes) for old, new in id_pairs.items()]
            self._file.executemany("INSERT OR REPLACE INTO pair VALUES (?, ?, ?)", rows)

    def any_of(self, person: str) -> bool:
        return person in self._people

    def of(self, person: str, ids: Sequence[UUID]) -> dict[UUID, UUID]:
        """Of these, the ones that become another."""
        found: dict[UUID, UUID] = {}
        for start in range(0, len(ids), SQLITE_IDS_PER_QUERY):
            some = [one.bytes for one in ids[start : start + SQLITE_IDS_PER_QUERY]]
            marks = ", ".join("?" * len(some))
            rows = self._file.execute(
                f"SELECT old, new FROM pair WHERE person = ? AND old IN ({marks})", [person, *some]
            )
            found |= {UUID(bytes=old): UUID(bytes=new) for old, new in rows}
        return found

    def close(self) -> None:
        self._file.close()


RECORDS_AT_ONCE = 1_000
"""Records that are looked through at once."""

IDS_PER_QUERY = 5_000
"""Ids to one question."""

Holders = Mapping[UUID, frozenset[UUID]]
"""The people who hold an id."""


@dataclass(frozen=True, slots=True)
class _RecordId:
    """An id of a record, of which kind it is, and whose it is to be; foreign: whether the record says another's."""

    id: UUID
    model: type[Model]
    person: str
    foreign: bool


@dataclass(frozen=True, slots=True)
class IdMap:
    """id_pairs: the new id of everything that gets one. person: as in `import_records`. To be closed."""

    id_pairs: IdPairs
    person: str | None

    def close(self) -> None:
        self.id_pairs.close()

    def renumber(self, record: Record) -> tuple[Record, tuple[UUID, UUID] | None]:
        """A record as it is to be carried in, and, where it has another id here, the id it had and this one."""
        name = _person_name(record, self.person)
        if not self.id_pairs.any_of(name):
            return record, None
        ids = self.id_pairs.of(name, list(set(_ids_in_value(record.fields))))
        if not ids:
            return record, None
        old = _parse_id(record.fields.get("id"))
        renumbered = (old, ids[old]) if old and old in ids else None
        return replace(record, fields=_replace_ids(record.fields, ids)), renumbered


def map_ids(records: Iterable[Record], person: str | None) -> IdMap:
    """The ids that the records are to have, which nobody else holds, and nobody at all where they name another."""
    id_pairs = IdPairs()
    stream = iter(records)
    while batch := list(islice(stream, RECORDS_AT_ONCE)):
        by_person: dict[str, list[_RecordId]] = {}
        for record_id in _ids_of_records(batch, person):
            by_person.setdefault(record_id.person, []).append(record_id)
        for name, ids in by_person.items():
            id_pairs.add(name, _choose_new_ids(name, ids))
    return IdMap(id_pairs, person)


def derive_id(name: str, old: UUID) -> UUID:
    """The id that follows from another for a person: of the same millisecond, so that the order by time stays."""
    hashed = int.from_bytes(blake2b(f"{name}\0{old}".encode(), digest_size=16).digest())
    bits = (old.int >> 80 << 80) | (hashed & (1 << 80) - 1)
    version, variant = 0xF << 76, 0x3 << 62
    return UUID(int=bits & ~version & ~variant | 0x7 << 76 | 0x2 << 62)


def _ids_of_records(records: Sequence[Record], person: str | None) -> Iterator[_RecordId]:
    """Every id that the records give to something, those of whom memories name among them."""
    for kind, of_kind in group_by_kind(records).items():
        if kind == "person":
            continue
        for record in of_kind:
            if kind == "memory" and not record.fields.keys() >= EXPORT_MARKS:
                continue
            name, foreign = _person_name(record, person), _is_foreign(record, person)
            if found := _parse_id(record.fields.get("id")):
                yield _RecordId(found, MODELS_OF_LINES.get(kind, Memory), name, foreign)
            for entity in _entity_ids(record.fields.get("names")):
                yield _RecordId(entity, Entity, name, foreign)


def _entity_ids(names: Any) -> Iterator[UUID]:
    for link in names if isinstance(names, list) else ():
        entity = link.get("entity") if isinstance(link, dict) else None
        while isinstance(entity, dict):
            if found := _parse_id(entity.get("id")):
                yield found
            entity = entity.get("into")


def _choose_new_ids(name: str, ids: Sequence[_RecordId]) -> dict[UUID, UUID]:
    """The new ids. What the person holds stays, and so does what was erased, which is refused as such."""
    own = Person.objects.filter(name=name).values_list("id", flat=True).first()
    id_pairs = dict[UUID, UUID]()
    erased = Tombstone.objects.among({record_id.id for record_id in ids})
    waiting = {record_id: record_id.id for record_id in ids if record_id.id not in erased}
    first = True
    while waiting:
        held = _find_holders(waiting)
        following = dict[_RecordId, UUID]()
        for record_id, new_id in waiting.items():
            holders = held.get(new_id, frozenset())
            if own not in holders and (holders or (first and record_id.foreign)):
                following[record_id] = derive_id(name, new_id)
            elif new_id != record_id.id:
                id_pairs[record_id.id] = new_id
        waiting, first = following, False
    return id_pairs


def _find_holders(waiting: Mapping[_RecordId, UUID]) -> Holders:
    by_model: dict[type[Model], set[UUID]] = {}
    for record_id, new_id in waiting.items():
        by_model.setdefault(record_id.model, set()).add(new_id)
    held: dict[UUID, set[UUID]] = {}
    with every_space():
        for model, ids in by_model.items():
            for chunk in _chunks(sorted(ids)):
                rows = model._default_manager.filter(id__in=chunk).values_list("id", "person_id")
                for found, holder in rows:
                    held.setdefault(found, set()).add(holder)
    return {found: frozenset(holders) for found, holders in held.items()}


def _chunks(ids: Sequence[UUID]) -> Iterable[Sequence[UUID]]:
    return (ids[start : start + IDS_PER_QUERY] for start in range(0, len(ids), IDS_PER_QUERY))


def _person_name(record: Record, person: str | None) -> str:
    return str(person or record.fields.get("person") or "")


def _is_foreign(record: Record, person: str | None) -> bool:
    name = record.fields.get("person")
    return bool(person and name and str(name) != person)


def _ids_in_value(value: Any) -> Iterator[UUID]:
    """Every text that is an id and nothing else, however deep."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _ids_in_value(item)
    elif found := _parse_id(value):
        yield found


def _replace_ids(value: Any, ids: Mapping[UUID, UUID]) -> Any:
    """The same with new ids for old ones, wherever a text is one of them and nothing else."""
    if isinstance(value, dict):
        return {name: _replace_ids(item, ids) for name, item in value.items()}
    if isinstance(value, list):
        return [_replace_ids(item, ids) for item in value]
    found = _parse_id(value)
    return str(ids[found]) if found is not None and found in ids else value


def _parse_id(value: Any) -> UUID | None:
    try:
        return UUID(value) if isinstance(value, str) and len(value) == len(str(UUID(int=0))) else None
    except ValueError:
        return None
