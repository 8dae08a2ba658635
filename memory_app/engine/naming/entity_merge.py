"""Merge what is one under two names, and part what is two under one: by hand, each undone by the other."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Max

from memory_app.engine.author import Author
from memory_app.engine.change import one_writer
from memory_app.engine.keeping.mention import LONGEST_NAME
from memory_app.engine.naming.entities import Seen, entity_ids, memories_of
from memory_app.errors import Invalid, NotFound
from memory_app.models import Entity, EntityLink, LinkSource, Operation
from memory_app.rules.text import normalised


def merge(*, seen: Seen, person: UUID, entity: UUID, into: UUID, author: Author, now: datetime) -> None:
    """From now on the one entity is the other, for its person, wherever both are known. Expects the venue's scope.

    A name is never carried to another level, where others would see it. Raises Invalid where the two are known at no
    level in common, NotFound for what is not the person's.
    """
    one_writer(person)
    source, target = _own(seen, person, entity), _own(seen, person, into)
    if {row.id for row in source} & {row.id for row in target}:
        raise Invalid("into", "These are one already.")
    roots = {row.placed: row for row in target if row.merged_into is None}
    merged = [row for row in source if row.merged_into is None and row.placed in roots]
    if not merged:
        raise Invalid("into", "The two are known at different levels only, and a name stays at its own.")
    for row in merged:
        root = roots[row.placed]
        along = Entity.objects.filter(space_id=row.space_id, merged_into=row.id)
        along.update(merged_into=root.id, merged_via=row.id)
        _set(row, merged_into=root.id, by_hand=True)
        _log("merge entities", row, root, person, author, now)


def take_out(*, seen: Seen, person: UUID, entity: UUID, author: Author, now: datetime) -> None:
    """Undoes a merge: the entity stands for itself again, with what had come along. Raises NotFound, Invalid."""
    one_writer(person)
    row = seen.entities.filter(person_id=person, id=entity).first()
    if row is None:
        raise NotFound
    if row.merged_into is None:
        raise Invalid("entity", "This stands for itself already.")
    same = seen.entities.filter(person_id=person, type=row.type, normal=row.normal, apart=row.apart)
    for one in same.exclude(merged_into=None):
        root = one.merged_into
        _set(one, merged_into=None, merged_via=None, by_hand=True)
        along = Entity.objects.filter(space_id=one.space_id, merged_via=one.id, merged_into=root)
        along.update(merged_into=one.id, merged_via=None)
        _log("part entities", one, one, person, author, now, **{"from": str(root)})


def split(
    *, seen: Seen, person: UUID, entity: UUID, memories: Sequence[UUID], name: str = "", author: Author, now: datetime
) -> UUID:
    """Of these memories the entity is someone else, of the same name or another; returns the id of that one.

    Raises NotFound for what is not the person's, Invalid for memories that do not speak of it.
    """
    one_writer(person)
    rows = _own(seen, person, entity)
    own = seen.memories.filter(person_id=person, id__in=list(memories))
    chosen = list(memories_of(own, [row.id for row in rows]).values_list("id", flat=True))
    if not chosen:
        raise Invalid("memories", "Name memories of yours that speak of this.")
    links = list(EntityLink.objects.filter(memory_id__in=chosen, entity_id__in=[row.id for row in rows]))
    apart, by_id, made = _next(rows[0], name), {row.id: row for row in rows}, dict[object, Entity]()
    for found in links:
        row = by_id[found.entity_id]
        other = made.get(row.placed) or _parted(row, apart, name, now)
        made[row.placed] = other
        _move(found, other)
        _set(row, by_hand=True)
        _log("part entities", row, other, person, author, now)
    return min(other.id for other in made.values())


def put_together(*, seen: Seen, person: UUID, entity: UUID, author: Author, now: datetime) -> None:
    """Undoes a split: the memories speak again of whom they spoke of before. Raises NotFound, Invalid."""
    one_writer(person)
    moved = EntityLink.objects.filter(entity_id__in=[row.id for row in _own(seen, person, entity)])
    links = list(moved.exclude(moved_from=None))
    if not links:
        raise Invalid("entity", "This was not parted from another.")
    for found in links:
        before = Entity.objects.filter(space_id=found.space_id, pk__in=[(found.space_id, found.moved_from)]).first()
        if before is not None:
            parted = Entity.objects.get(space_id=found.space_id, id=found.entity_id)
            _move(found, before, back=True)
            _log("merge entities", parted, before, person, author, now)
    for row in _own(seen, person, entity):
        if not EntityLink.objects.filter(space_id=row.space_id, entity_id=row.id).exists():
            Entity.objects.filter(space_id=row.space_id, id=row.id).delete()


def _own(seen: Seen, person: UUID, entity: UUID) -> list[Entity]:
    rows = list(seen.entities.filter(person_id=person, id__in=entity_ids(seen, str(entity))))
    if not rows:
        raise NotFound
    return rows


def _next(entity: Entity, name: str) -> int:
    """A number that tells the new one from all others of that name; 0 for a name that is new."""
    normal = normalised(name)[:LONGEST_NAME] or entity.normal
    same = Entity.objects.filter(person_id=entity.person_id, type=entity.type, normal=normal)
    highest: int | None = same.aggregate(highest=Max("apart"))["highest"]
    return 0 if highest is None else highest + 1


def _parted(entity: Entity, apart: int, name: str, now: datetime) -> Entity:
    return Entity.objects.create(
        space_id=entity.space_id,
        person_id=entity.person_id,
        visibility=entity.visibility,
        channel_id=entity.channel_id,
        type=entity.type,
        name=name.strip()[:LONGEST_NAME] or entity.name,
        normal=normalised(name)[:LONGEST_NAME] or entity.normal,
        apart=apart,
        by_hand=True,
        created_at=now,
    )


def _move(found: EntityLink, to: Entity, *, back: bool = False) -> None:
    """A link that is there already stays as it is; the key of a row is made anew rather than changed."""
    link = EntityLink(
        space_id=found.space_id,
        memory_id=found.memory_id,
        entity_id=to.id,
        surface=found.surface,
        confidence=found.confidence,
        source=found.source if back else LinkSource.HAND,
        moved_from=None if back else found.entity_id,
        same_as=found.same_as,
    )
    EntityLink.objects.filter(
        space_id=found.space_id, memory_id=found.memory_id, entity_id=found.entity_id
    ).delete()  # fmt: skip
    EntityLink.objects.bulk_create([link], ignore_conflicts=True)
    telling = EntityLink.objects.filter(space_id=found.space_id, memory_id=found.memory_id, same_as=found.entity_id)
    telling.update(same_as=to.id)


def _set(entity: Entity, **fields: UUID | bool | None) -> None:
    Entity.objects.filter(space_id=entity.space_id, id=entity.id).update(**fields)


def _log(name: str, entity: Entity, other: Entity, person: UUID, author: Author, now: datetime, **more: str) -> None:
    """Ids alone: the names are words of memories."""
    Operation.objects.create(
        space_id=entity.space_id,
        at=now,
        name=name,
        author=author.label,
        person_id=person,
        request_id=author.request,
        detail={"entity": str(entity.id), "other": str(other.id), **more},
    )
