"""Merge two entities that are one, or split one that is two, by hand; and undo either, if nothing changed since."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.db.models import Max

from memory_app.engine.audit.log import Author
from memory_app.engine.entities.link_mentions import LONGEST_NAME
from memory_app.engine.entities.relink_mentions import relink_mentions
from memory_app.engine.entities.visible_entities import VisibleRows, entity_ids, memories_naming
from memory_app.errors import Invalid, NotFound
from memory_app.models import Entity, EntityLink, LinkSource, Memory, Operation
from memory_app.models.person import lock_writers
from memory_app.nlp.text import normalised
from memory_app.rules.visibility import Visibility


def merge(*, seen: VisibleRows, person: UUID, entity: UUID, into: UUID, author: Author, now: datetime) -> None:
    """From now on the one entity is the other, for its person, wherever both are known. Expects the venue's scope.

    A name is never carried to another level, where others would see it. Raises Invalid where the two are known at no
    level in common, NotFound for what is not the person's.
    """
    lock_writers(person)
    source, target = _own_rows(seen, person, entity), _own_rows(seen, person, into)
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
        _update_entity(row, merged_into=root.id, by_hand=True)
        _log_merge_or_split("merge entities", row, root, person, author, now)


def unmerge(*, seen: VisibleRows, person: UUID, entity: UUID, author: Author, now: datetime) -> None:
    """Undoes a merge: the entity stands for itself again, with what had come along. Raises NotFound, Invalid."""
    lock_writers(person)
    row = seen.entities.filter(person_id=person, id=entity).first()
    if row is None:
        raise NotFound
    if row.merged_into is None:
        raise Invalid("entity", "This stands for itself already.")
    same = seen.entities.filter(person_id=person, type=row.type, normal=row.normal, apart=row.apart)
    for one in same.exclude(merged_into=None):
        root = one.merged_into
        _update_entity(one, merged_into=None, merged_via=None, by_hand=True)
        along = Entity.objects.filter(space_id=one.space_id, merged_via=one.id, merged_into=root)
        along.update(merged_into=one.id, merged_via=None)
        _log_merge_or_split("part entities", one, one, person, author, now, **{"from": str(root)})


def split(
    *,
    seen: VisibleRows,
    person: UUID,
    entity: UUID,
    memories: Sequence[UUID],
    name: str = "",
    author: Author,
    now: datetime,
) -> UUID:
    """Of these memories the entity is someone else, of the same name or another; returns the id of that one.

    Raises NotFound for what is not the person's, Invalid for memories that do not speak of it.
    """
    lock_writers(person)
    rows = _own_rows(seen, person, entity)
    own = seen.memories.filter(person_id=person, id__in=list(memories))
    chosen = list(memories_naming(own, [row.id for row in rows]).values_list("id", flat=True))
    if not chosen:
        raise Invalid("memories", "Name memories of yours that speak of this.")
    links = list(EntityLink.objects.filter(memory_id__in=chosen, entity_id__in=[row.id for row in rows]))
    apart, by_id, made = _next_number(rows[0], name), {row.id: row for row in rows}, dict[object, Entity]()
    for found in links:
        row = by_id[found.entity_id]
        other = made.get(row.placed) or _create_split(row, apart, name, now)
        made[row.placed] = other
        _move_link(found, other)
        _update_entity(row, by_hand=True)
        _log_merge_or_split("part entities", row, other, person, author, now)
    return min(other.id for other in made.values())


def unsplit(*, seen: VisibleRows, person: UUID, entity: UUID, author: Author, now: datetime) -> None:
    """Undoes a split: the memories speak again of whom they spoke of before. Raises NotFound, Invalid."""
    lock_writers(person)
    moved = EntityLink.objects.filter(entity_id__in=[row.id for row in _own_rows(seen, person, entity)])
    links = list(moved.exclude(moved_from=None))
    if not links:
        raise Invalid("entity", "This was not parted from another.")
    for found in links:
        before = Entity.objects.filter(space_id=found.space_id, pk__in=[(found.space_id, found.moved_from)]).first()
        if before is not None:
            manual = Entity.objects.get(space_id=found.space_id, id=found.entity_id)
            _move_link(found, before, back=True)
            _log_merge_or_split("merge entities", manual, before, person, author, now)
    for row in _own_rows(seen, person, entity):
        if not EntityLink.objects.filter(space_id=row.space_id, entity_id=row.id).exists():
            Entity.objects.filter(space_id=row.space_id, id=row.id).delete()


def _own_rows(seen: VisibleRows, person: UUID, entity: UUID) -> list[Entity]:
    rows = list(seen.entities.filter(person_id=person, id__in=entity_ids(seen, str(entity))))
    if not rows:
        raise NotFound
    return rows


def _next_number(entity: Entity, name: str) -> int:
    """A number that tells the new one from all others of that name; 0 for a name that is new."""
    normal = normalised(name)[:LONGEST_NAME] or entity.normal
    same = Entity.objects.filter(person_id=entity.person_id, type=entity.type, normal=normal)
    highest: int | None = same.aggregate(highest=Max("apart"))["highest"]
    return 0 if highest is None else highest + 1


def _create_split(entity: Entity, apart: int, name: str, now: datetime) -> Entity:
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


def _move_link(found: EntityLink, to: Entity, *, back: bool = False) -> None:
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


def _update_entity(entity: Entity, **fields: UUID | bool | None) -> None:
    Entity.objects.filter(space_id=entity.space_id, id=entity.id).update(**fields)


def _log_merge_or_split(
    name: str, entity: Entity, other: Entity, person: UUID, author: Author, now: datetime, **more: str
) -> None:
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


OWNER_LEVELS = (Visibility.PRIVATE, Visibility.GLOBAL)
"""Levels that nobody but the owner sees."""


@dataclass(frozen=True, slots=True)
class ManualLink:
    """A link that someone made, with what it links to; before: whom the name meant until then."""

    link: EntityLink
    before: Entity | None


def manual_links(memory: Memory) -> list[ManualLink]:
    """What is to go along with a memory that is about to move."""
    links = list(EntityLink.objects.filter(space_id=memory.space_id, memory_id=memory.id).by_hand())
    rows = Entity.objects.filter(space_id=memory.space_id, id__in=[link.moved_from for link in links])
    before = {row.id: row for row in rows}
    return [ManualLink(link, before.get(link.moved_from) if link.moved_from else None) for link in links]


def restore_manual_links(memory: Memory, manual: Sequence[ManualLink]) -> None:
    """Links a memory, where it has moved to, with what it names there. Expects the scope of that space.

    The same name, type and number are one at all levels. A name of one's own making, which the text does not hold, is
    not told to others: where they see the memory, it speaks of whoever is called so.
    """
    lock_writers(memory.person_id)
    words = f" {normalised(memory.searchable_text)} "
    to_copy = [one for one in manual if memory.visibility in OWNER_LEVELS or f" {one.link.entity.normal} " in words]
    EntityLink.objects.bulk_create([_copied_link(memory, one) for one in to_copy], ignore_conflicts=True)
    relink_mentions(memory)


def _copied_link(memory: Memory, manual: ManualLink) -> EntityLink:
    return EntityLink(
        space_id=memory.space_id,
        memory_id=memory.id,
        entity_id=_entity_at_level(memory, manual.link.entity),
        surface=manual.link.surface,
        confidence=manual.link.confidence,
        source=LinkSource.HAND,
        moved_from=_entity_at_level(memory, manual.before) if manual.before else None,
    )


def _entity_at_level(memory: Memory, entity: Entity) -> UUID:
    """The same one at the level of the memory, made where it is not known there."""
    found, _ = Entity.objects.get_or_create(
        space_id=memory.space_id,
        person_id=memory.person_id,
        visibility=memory.visibility,
        channel_id=memory.channel_id,
        normal=entity.normal,
        type=entity.type,
        apart=entity.apart,
        defaults={"name": entity.name, "created_at": memory.created_at},
    )
    if not found.by_hand:
        Entity.objects.filter(space_id=found.space_id, id=found.id).update(by_hand=True)
    return found.merged_into or found.id


MERGE_OPERATION, SPLIT_OPERATION = "merge entities", "part entities"
MERGE_OR_SPLIT = frozenset({MERGE_OPERATION, SPLIT_OPERATION})
"""What the log calls them."""

UndoStep = Literal["take out", "merge", "put together"]


def undo_step(seen: VisibleRows, operation: Operation) -> UndoStep | None:
    """What would undo one of NAMING; None where the names changed since, or are gone. Expects the scope of `seen`."""
    entity, other = _entity_ids(operation.detail)
    row = _entity_row(seen, operation, entity)
    if operation.name == MERGE_OPERATION:
        return "take out" if row is not None and row.merged_into == other else None
    if "from" in operation.detail:
        before = _entity_row(seen, operation, other)
        return "merge" if row is not None and before is not None and row.merged_into is None else None
    moved = EntityLink.objects.filter(space_id=operation.space_id, entity_id=other, moved_from=entity)
    return "put together" if _entity_row(seen, operation, other) is not None and moved.exists() else None


def undo_merge_or_split(
    *, seen: VisibleRows, person: UUID, operation: Operation, author: Author, now: datetime
) -> bool:
    """Takes it back where that can be; whether it was. person: whose names they are."""
    entity, other = _entity_ids(operation.detail)
    try:
        match undo_step(seen, operation):
            case "take out":
                unmerge(seen=seen, person=person, entity=entity, author=author, now=now)
            case "merge":
                merge(seen=seen, person=person, entity=entity, into=other, author=author, now=now)
            case "put together":
                unsplit(seen=seen, person=person, entity=other, author=author, now=now)
            case None:
                return False
    except (Invalid, NotFound):
        return False
    return True


def _entity_ids(detail: Mapping[str, Any]) -> tuple[UUID, UUID]:
    """The two names. One that was taken out of another tells which that was."""
    return UUID(detail["entity"]), UUID(detail.get("from", detail["other"]))


def _entity_row(seen: VisibleRows, operation: Operation, entity: UUID) -> Entity | None:
    here = seen.entities.filter(space_id=operation.space_id, id=entity)
    return here.filter(person_id=operation.person_id).first() if operation.person_id else None
