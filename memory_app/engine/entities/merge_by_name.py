"""Merge entities whose names say that they are one, within one owner, level and place, where nobody decided by hand.

An entity that was merged keeps its own links, so that it stands for itself again once the names say so no more.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db.models import F, Func, Q, TextField, Value

from memory_app.models import Entity, EntityLink
from memory_app.models.entity import EntityQuerySet
from memory_app.nlp.entities.same_names import CANONICAL, same_names
from memory_app.rules.visibility import Placed

RelationNames = Mapping[UUID, set[UUID]]

SHORT_NAMED_TYPES = ("person", "organization", "other")


def same_name_filter(names: Iterable[str]) -> Q:
    """Rows of these names; of people and firms, all that begin with the same word; and people known by a relation."""
    listed = sorted(names)
    firsts = sorted({name.partition(" ")[0] for name in listed})
    return Q(normal__in=CANONICAL) | Q(type__in=SHORT_NAMED_TYPES, first__in=firsts)


def completely_loaded(known: Iterable[Entity], names: Iterable[str]) -> set[UUID]:
    """Of rows found by `alike` and otherwise, those of whom all that may be the same were found."""
    firsts = {name.partition(" ")[0] for name in names}
    return {one.id for one in known if one.normal in CANONICAL or one.normal.partition(" ")[0] in firsts}


def annotate_first_word(rows: EntityQuerySet) -> EntityQuerySet:
    found: EntityQuerySet = rows.annotate(
        first=Func(F("normal"), Value(" "), Value(1), function="split_part", output_field=TextField())
    )
    return found


def relation_names(space: UUID, entities: Iterable[Entity]) -> defaultdict[UUID, set[UUID]]:
    """As whom memories name those who are called by a relation: "my mother" is Ruth."""
    called = [entity.id for entity in entities if entity.normal in CANONICAL]
    relations: defaultdict[UUID, set[UUID]] = defaultdict(set)
    if called:
        links = EntityLink.objects.filter(space_id=space, entity_id__in=called).exclude(same_as=None)
        for entity, other in links.values_list("entity_id", "same_as"):
            if other is not None:
                relations[entity].add(other)
    return relations


def merge_same_names(known: Sequence[Entity], relations: RelationNames, among: Iterable[UUID]) -> list[Entity]:
    """Merges and unmerges, of `among`, what names tell; returns those that changed, not yet saved."""
    ids = set(among)
    same, changed = same_names(known, relations, ids), []
    for entity in known:
        wanted = same.get(entity.id, (None, None))
        if entity.id in ids and not entity.by_hand and (entity.merged_into, entity.merged_via) != wanted:
            entity.merged_into, entity.merged_via = wanted
            changed.append(entity)
    return changed


def save_name_merges(entities: Sequence[Entity]) -> None:
    """What was merged into one of these by hand goes along, and comes back with it."""
    for entity in entities:
        rows = Entity.objects.filter(space_id=entity.space_id, person_id=entity.person_id)
        rows.filter(merged_via=entity.id).update(merged_into=entity.id, merged_via=None)
        if entity.merged_into:
            rows.filter(merged_into=entity.id).update(merged_into=entity.merged_into, merged_via=entity.id)
    if entities:
        Entity.objects.bulk_update(entities, ["merged_into", "merged_via"])


def merge_batch(
    placed: Placed, known: Sequence[Entity], new: Sequence[Entity], named: Iterable[str], links: Iterable[EntityLink]
) -> None:
    """Merges what names tell, of those that new links name. new: what is yet to be stored, and is so as it is then."""
    entities = {entity.id: entity for entity in (*known, *new)}
    relations = relation_names(placed.space, known)
    for link in links:
        if link.same_as:
            relations[link.entity_id].add(link.same_as)
    missing = {other for others in relations.values() for other in others} - set(entities)
    if missing:
        entities |= {entity.id: entity for entity in Entity.objects.same_level(placed).filter(id__in=missing)}
    changed = merge_same_names(list(entities.values()), relations, completely_loaded(entities.values(), named))
    unsaved = {entity.id for entity in new}
    save_name_merges([entity for entity in changed if entity.id not in unsaved])


def remerge_names(space: UUID, person: UUID) -> None:
    """After names went: what was merged by a name that is gone stands for itself again."""
    rows = Entity.objects.filter(space_id=space, person_id=person, apart=0)
    if not rows.filter(by_hand=False).exclude(merged_into=None).exists():
        return
    places: dict[Placed, list[Entity]] = defaultdict(list)
    for entity in rows:
        places[entity.placed].append(entity)
    relations = relation_names(space, rows)
    for known in places.values():
        save_name_merges(merge_same_names(known, relations, [entity.id for entity in known]))
