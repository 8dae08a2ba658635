"""New ids: what is carried in as another person's than it was exported of gets ids of its own, for both may live here.

An id that someone else holds is answered as one that is free: who imports learns of nobody what they have. The new id
follows from the old one and the name, so that an import that runs again finds what it brought.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any
from uuid import UUID

from django.db.models import Model

from ...language.records import Record
from ...models import Entity, Memory, Person, Tombstone
from ...models.scope import every_space
from .carry_back import by_kind
from .lines import KINDS, MARKS_OF_AN_EXPORT

AT_ONCE = 5_000
"""Ids to one question."""

Held = Mapping[UUID, frozenset[UUID]]
"""The people who hold an id."""


@dataclass(frozen=True, slots=True)
class _Named:
    """An id of a record, of which kind it is, and whose it is to be; foreign: whether the record says another's."""

    id: UUID
    model: type[Model]
    person: str
    foreign: bool


@dataclass(frozen=True, slots=True)
class Renamed:
    """Records as they are to be carried in. told: by line, the id that a record of another had, and the one it has."""

    records: Sequence[Record]
    told: Mapping[int, tuple[UUID, UUID]]


def renamed(records: Sequence[Record], person: str | None) -> Renamed:
    """The records under ids that nobody else holds, wherever one of them names another. person: as in `carry_in`."""
    by_person: dict[str, list[_Named]] = {}
    for named in _ids(records, person):
        by_person.setdefault(named.person, []).append(named)
    become = {name: _become(name, ids) for name, ids in by_person.items()}
    told = dict[int, tuple[UUID, UUID]]()
    ready = []
    for record in records:
        name = _whose(record, person)
        ids = become.get(name, {})
        old = _uuid(record.fields.get("id"))
        if old in ids and _is_foreign(record, person):
            told[record.line] = (old, ids[old])
        ready.append(replace(record, fields=_rewritten(record.fields, ids)) if ids else record)
    return Renamed(ready, told)


def derived(name: str, old: UUID) -> UUID:
    """The id that follows from another for a person: of the same millisecond, so that the order by time stays."""
    said = int.from_bytes(blake2b(f"{name}\0{old}".encode(), digest_size=16).digest())
    bits = (old.int >> 80 << 80) | (said & (1 << 80) - 1)
    version, variant = 0xF << 76, 0x3 << 62
    return UUID(int=bits & ~version & ~variant | 0x7 << 76 | 0x2 << 62)


def _ids(records: Sequence[Record], person: str | None) -> Iterator[_Named]:
    """Every id that the records give to something, those of whom memories name among them."""
    for kind, of_kind in by_kind(records).items():
        if kind == "person":
            continue
        for record in of_kind:
            if kind == "memory" and not record.fields.keys() >= MARKS_OF_AN_EXPORT:
                continue
            name, foreign = _whose(record, person), _is_foreign(record, person)
            if found := _uuid(record.fields.get("id")):
                yield _Named(found, KINDS.get(kind, Memory), name, foreign)
            for entity in _entities(record.fields.get("names")):
                yield _Named(entity, Entity, name, foreign)


def _entities(names: Any) -> Iterator[UUID]:
    for told in names if isinstance(names, list) else ():
        entity = told.get("entity") if isinstance(told, dict) else None
        while isinstance(entity, dict):
            if found := _uuid(entity.get("id")):
                yield found
            entity = entity.get("into")


def _become(name: str, ids: Sequence[_Named]) -> dict[UUID, UUID]:
    """The new ids. What the person holds stays, and so does what was erased, which is refused as such."""
    own = Person.objects.filter(name=name).values_list("id", flat=True).first()
    become = dict[UUID, UUID]()
    erased = Tombstone.objects.among({named.id for named in ids})
    waiting = {named: named.id for named in ids if named.id not in erased}
    first = True
    while waiting:
        held = _held(waiting)
        following = dict[_Named, UUID]()
        for named, at in waiting.items():
            holders = held.get(at, frozenset())
            if own not in holders and (holders or (first and named.foreign)):
                following[named] = derived(name, at)
            elif at != named.id:
                become[named.id] = at
        waiting, first = following, False
    return become


def _held(waiting: Mapping[_Named, UUID]) -> Held:
    by_model: dict[type[Model], set[UUID]] = {}
    for named, at in waiting.items():
        by_model.setdefault(named.model, set()).add(at)
    held: dict[UUID, set[UUID]] = {}
    with every_space():
        for model, ids in by_model.items():
            for some in _parts(sorted(ids)):
                rows = model._default_manager.filter(id__in=some).values_list("id", "person_id")
                for found, holder in rows:
                    held.setdefault(found, set()).add(holder)
    return {found: frozenset(holders) for found, holders in held.items()}


def _parts(ids: Sequence[UUID]) -> Iterable[Sequence[UUID]]:
    return (ids[start : start + AT_ONCE] for start in range(0, len(ids), AT_ONCE))


def _whose(record: Record, person: str | None) -> str:
    return str(person or record.fields.get("person") or "")


def _is_foreign(record: Record, person: str | None) -> bool:
    named = record.fields.get("person")
    return bool(person and named and str(named) != person)


def _rewritten(value: Any, ids: Mapping[UUID, UUID]) -> Any:
    """The same with new ids for old ones, wherever a text is one of them and nothing else."""
    if isinstance(value, dict):
        return {name: _rewritten(item, ids) for name, item in value.items()}
    if isinstance(value, list):
        return [_rewritten(item, ids) for item in value]
    found = _uuid(value)
    return str(ids[found]) if found is not None and found in ids else value


def _uuid(value: Any) -> UUID | None:
    try:
        return UUID(value) if isinstance(value, str) and len(value) == len(str(UUID(int=0))) else None
    except ValueError:
        return None
