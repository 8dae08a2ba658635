"""Which entities each of many memories names: of several memories at once, where a page of an entity asks of one."""

from collections.abc import Collection
from uuid import UUID

from memory_app.engine.entities.visible_entities import VisibleRows
from memory_app.models import EntityType

NamedEntity = tuple[str, str]
"""Its name, that of what it was merged into where it was, and its type."""


def names_in_memories(seen: VisibleRows, memories: Collection[UUID]) -> dict[UUID, list[NamedEntity]]:
    """By the id of the memory, in the order in which they came to be; days are left out. To be used within the scope of
    who sees."""
    links = (
        seen.links.filter(memory_id__in=memories)
        .exclude(entity__type=EntityType.DATE)
        .order_by("entity_id")
        .values_list("memory_id", "entity__name", "entity__type", "entity__merged_into")
    )
    found = list(links)
    roots = {merged for *_, merged in found if merged}
    root_names = {
        identifier: (name, kind)
        for identifier, name, kind in seen.entities.filter(id__in=roots).values_list("id", "name", "type")
    }
    names: dict[UUID, list[NamedEntity]] = {}
    for memory, name, kind, merged in found:
        entity = root_names.get(merged, (name, kind)) if merged else (name, kind)
        if entity not in names.setdefault(memory, []):
            names[memory].append(entity)
    return names
