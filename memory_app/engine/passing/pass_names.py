"""Pass on whom and what memories name: to the entity of that name which the other person knows, else to one made so."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Q

from memory_app.engine.keeping.link_names import link_names_again
from memory_app.engine.keeping.mention import drop_unmentioned
from memory_app.engine.passing.passage import Passage
from memory_app.models import Entity, EntityLink
from memory_app.models.ids import new_id

Slot = tuple[str, UUID | None, str, str, int]


def pass_names(passage: Passage, memories: Sequence[UUID]) -> None:
    """Links memories that passed, and are there, to the other person's entities. An entity keeps its id, unless the
    other knows one of that name already, or it stays behind because other memories name it too."""
    links = list(EntityLink.objects.filter(space_id=passage.from_space, memory_id__in=memories))
    entities = _named(passage, {link.entity_id for link in links})
    become = _become(passage, entities, {link.memory_id for link in links})
    EntityLink.objects.bulk_create(
        [_relinked(passage, link, become) for link in links if _changes(passage, link, become)], ignore_conflicts=True
    )
    if passage.stays:
        moved = [link.pk for link in links if become[link.entity_id] != link.entity_id]
        EntityLink.objects.filter(pk__in=moved).delete()
    else:
        EntityLink.objects.filter(space_id=passage.from_space, memory_id__in=memories).delete()
    drop_unmentioned(passage.from_space, passage.of)
    link_names_again(passage.to_space, passage.to)


def _named(passage: Passage, linked: set[UUID]) -> dict[UUID, Entity]:
    """The entities linked, what they were merged into, and what was merged into either."""
    here = Entity.objects.filter(space_id=passage.from_space, person_id=passage.of)
    rows = {row.id: row for row in here.filter(id__in=linked)}
    roots = {row.merged_into for row in rows.values() if row.merged_into}
    together = here.filter(Q(id__in=roots) | Q(merged_into__in=roots | linked))
    return rows | {row.id: row for row in together}


def _become(passage: Passage, entities: dict[UUID, Entity], memories: set[UUID]) -> dict[UUID, UUID]:
    """What each entity is with the other person, made where there is none."""
    normals = {row.normal for row in entities.values()}
    known = Entity.objects.filter(space_id=passage.to_space, person_id=passage.to, normal__in=normals)
    there = {_slot(row): row.id for row in known}
    shared = _named_elsewhere(passage, entities, memories)
    become = {row.id: there.get(_slot(row)) or (new_id() if row.id in shared else row.id) for row in entities.values()}
    made = [row for row in entities.values() if _slot(row) not in there]
    for row in made:
        into = become.get(row.merged_into) if row.merged_into else None
        root = None if into == become[row.id] else into
        via = row.merged_via if root else None
        if passage.stays and become[row.id] == row.id:
            kept = Entity.objects.filter(space_id=row.space_id, id=row.id)
            kept.update(person_id=passage.to, merged_into=root, merged_via=via)
        else:
            row.id, row.space_id, row.person_id = become[row.id], passage.to_space, passage.to
            row.merged_into, row.merged_via = root, via
            row.save(force_insert=True)
    return become


def _named_elsewhere(passage: Passage, entities: dict[UUID, Entity], memories: set[UUID]) -> set[UUID]:
    """Entities that memories which do not pass name too."""
    others = EntityLink.objects.filter(space_id=passage.from_space, entity_id__in=list(entities))
    return set(others.exclude(memory_id__in=memories).values_list("entity_id", flat=True))


def _slot(row: Entity) -> Slot:
    return (row.visibility, row.channel_id, row.normal, row.type, row.apart)


def _changes(passage: Passage, link: EntityLink, become: dict[UUID, UUID]) -> bool:
    return not passage.stays or become[link.entity_id] != link.entity_id


def _relinked(passage: Passage, link: EntityLink, become: dict[UUID, UUID]) -> EntityLink:
    return EntityLink(
        space_id=passage.to_space,
        memory_id=link.memory_id,
        entity_id=become[link.entity_id],
        surface=link.surface,
        confidence=link.confidence,
        source=link.source,
        moved_from=become.get(link.moved_from) if link.moved_from else None,
        same_as=become.get(link.same_as) if link.same_as else None,
    )
