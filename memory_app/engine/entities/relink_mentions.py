"""Update links to entities after memories changed or went, and delete entities that no memory names any more.

An entity that was merged by its name keeps its own links, so that it stands for itself again once no name joins them.
"""

from collections import defaultdict
from uuid import UUID

from django.db.models import Exists, OuterRef

from memory_app.engine.entities.link_mentions import (
    mentions_by_form,
    merge_same_names,
    names_of_link,
    relation_names,
    save_name_merges,
    store_links,
)
from memory_app.models import Entity, EntityLink, Memory, MemoryType
from memory_app.nlp.text import normalised
from memory_app.rules.visibility import Placed


def relink_mentions(memory: Memory) -> None:
    """After its text changed: links by form and known names are made anew. Whom someone said by hand that a name means
    stays so while the name is in the text."""
    links = EntityLink.objects.filter(space_id=memory.space_id, memory_id=memory.id)
    by_form = mentions_by_form([memory])
    names = {name for item in by_form for name in (item.normal, normalised(item.name.surface))}
    by_hand = [
        link for link in links.by_hand() if not memory.sensitive and _is_named(link, memory.searchable_text, names)
    ]
    links.exclude(entity_id__in=[link.entity_id for link in by_hand]).delete()
    Memory.objects.filter(space_id=memory.space_id, id=memory.id).update(named_by=None)
    if not memory.sensitive and memory.type != MemoryType.REFLECTION:
        store_links(memory.placed, by_form, [memory], by_hand)
    delete_unmentioned(memory.space_id, memory.person_id)


def copy_manual_links(memory: Memory, old: Memory) -> None:
    """Of a memory that took an old one's place: names mean in it whom someone said by hand that they mean in that."""
    links = EntityLink.objects.filter(space_id=old.space_id, memory_id=old.id).by_hand()
    linked_by_hand = [
        EntityLink(
            space_id=link.space_id,
            memory_id=memory.id,
            entity_id=link.entity_id,
            surface=link.surface,
            confidence=link.confidence,
            source=link.source,
            moved_from=link.moved_from,
        )
        for link in links
    ]
    if linked_by_hand:
        EntityLink.objects.filter(space_id=memory.space_id, memory_id=memory.id).delete()
        EntityLink.objects.bulk_create(linked_by_hand)
        relink_mentions(memory)


def delete_unmentioned(space: UUID, person: UUID) -> int:
    """Removes a person's entities of a space that no memory names any more, nor any of what was merged into them, and
    from whom no other of that name was parted."""
    links = EntityLink.objects.filter(space_id=space, entity_id=OuterRef("id"))
    rows = Entity.objects.filter(~Exists(links), space_id=space, person_id=person)
    unlinked = set(rows.values_list("id", flat=True))
    unlinked -= _split_from(space, person, unlinked)
    merged_by_hand = Entity.objects.filter(space_id=space, merged_into__in=unlinked, by_hand=True).exclude(
        id__in=unlinked
    )
    unlinked -= set(merged_by_hand.values_list("merged_into", flat=True))
    Entity.objects.filter(space_id=space, id__in=unlinked).delete()
    remerge_names(space, person)
    return len(unlinked)


def _split_from(space: UUID, person: UUID, among: set[UUID]) -> set[UUID]:
    """Those to whom memories that speak of another of the same name would go back. Found by that name, which has an
    index."""
    names = Entity.objects.filter(space_id=space, id__in=among).values("normal")
    same = Entity.objects.filter(space_id=space, person_id=person, normal__in=names, apart__gt=0)
    links = EntityLink.objects.filter(space_id=space, entity_id__in=same.values("id"), moved_from__in=among)
    return {found for found in links.values_list("moved_from", flat=True) if found}


def _is_named(link: EntityLink, text: str, mentioned: set[str]) -> bool:
    """Whether a text has one of its names: among those read in it, or as words of their own."""
    words = f" {normalised(text)} "
    return any(name in mentioned or f" {name} " in words for name in names_of_link(link))


def remerge_names(space: UUID, person: UUID) -> None:
    """Undoes merges by names that are gone: each entity stands for itself again."""
    rows = Entity.objects.filter(space_id=space, person_id=person, apart=0)
    if not rows.filter(by_hand=False).exclude(merged_into=None).exists():
        return
    places: dict[Placed, list[Entity]] = defaultdict(list)
    for entity in rows:
        places[entity.placed].append(entity)
    relations = relation_names(space, rows)
    for known in places.values():
        save_name_merges(merge_same_names(known, relations, [entity.id for entity in known]))
