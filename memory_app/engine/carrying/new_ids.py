"""New ids: what is carried in as another person's than it was exported of gets ids of its own, for both may live here.

So does what someone else holds. Who imports another's is told the same whether that one is here or not; who imports
what is their own is told what has another id, for what leads to it from elsewhere has to change. The new id follows
from the old one and the name, so that an import that runs again finds what it brought.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import Model

from memory_app.engine.carrying.carry_back import by_kind
from memory_app.engine.carrying.lines import KINDS, MARKS_OF_AN_EXPORT
from memory_app.engine.carrying.pairs import Pairs
from memory_app.language.records import Record
from memory_app.models import Entity, Memory, Person, Tombstone
from memory_app.models.scope import every_space

RECORDS = 1_000
"""Records that are looked through at once."""

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
class NewIds:
    """become: the new id of everything that has one here. person: as in `carry_in`. To be closed."""

    become: Pairs
    person: str | None

    def close(self) -> None:
        self.become.close()

    def given(self, record: Record) -> tuple[Record, tuple[UUID, UUID] | None]:
        """A record as it is to be carried in, and, where it has another id here, the id it had and this one."""
        whose = _whose(record, self.person)
        if not self.become.any_of(whose):
            return record, None
        ids = self.become.of(whose, list(set(_ids_in(record.fields))))
        if not ids:
            return record, None
        old = _uuid(record.fields.get("id"))
        told = (old, ids[old]) if old and old in ids else None
        return replace(record, fields=_rewritten(record.fields, ids)), told


def new_ids(records: Iterable[Record], person: str | None) -> NewIds:
    """The ids that the records are to have, which nobody else holds, and nobody at all where they name another."""
    become = Pairs()
    stream = iter(records)
    while some := list(islice(stream, RECORDS)):
        by_person: dict[str, list[_Named]] = {}
        for named in _ids(some, person):
            by_person.setdefault(named.person, []).append(named)
        for name, ids in by_person.items():
            become.add(name, _become(name, ids))
    return NewIds(become, person)


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


def _ids_in(value: Any) -> Iterator[UUID]:
    """Every text that is an id and nothing else, however deep."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _ids_in(item)
    elif found := _uuid(value):
        yield found


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
