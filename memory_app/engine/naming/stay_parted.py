"""Stay parted: whom someone said by hand that a name means in a memory, it means there too where that moves to."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memory_app.engine.change import one_writer
from memory_app.engine.keeping.mention import mention_again
from memory_app.models import Entity, EntityLink, LinkSource, Memory
from memory_app.rules.text import normalised
from memory_app.rules.visibility import Visibility

OWN = (Visibility.PRIVATE, Visibility.GLOBAL)
"""Levels that nobody but the owner sees."""


@dataclass(frozen=True, slots=True)
class Parted:
    """A link that someone made, with what it links to; before: whom the name meant until then."""

    link: EntityLink
    before: Entity | None


def parted_by_hand(memory: Memory) -> list[Parted]:
    """What is to go along with a memory that is about to move."""
    links = list(EntityLink.objects.filter(space_id=memory.space_id, memory_id=memory.id).by_hand())
    rows = Entity.objects.filter(space_id=memory.space_id, id__in=[link.moved_from for link in links])
    before = {row.id: row for row in rows}
    return [Parted(link, before.get(link.moved_from) if link.moved_from else None) for link in links]


def stay_parted(memory: Memory, parted: Sequence[Parted]) -> None:
    """Links a memory, where it has moved to, with what it names there. Expects the scope of that space.

    The same name, type and number are one at all levels. A name of one's own making, which the text does not hold, is
    not told to others: where they see the memory, it speaks of whoever is called so.
    """
    one_writer(memory.person_id)
    words = f" {normalised(memory.words_in_context)} "
    told = [one for one in parted if memory.visibility in OWN or f" {one.link.entity.normal} " in words]
    EntityLink.objects.bulk_create([_linked(memory, one) for one in told], ignore_conflicts=True)
    mention_again(memory)


def _linked(memory: Memory, parted: Parted) -> EntityLink:
    return EntityLink(
        space_id=memory.space_id,
        memory_id=memory.id,
        entity_id=_there(memory, parted.link.entity),
        surface=parted.link.surface,
        confidence=parted.link.confidence,
        source=LinkSource.HAND,
        moved_from=_there(memory, parted.before) if parted.before else None,
    )


def _there(memory: Memory, entity: Entity) -> UUID:
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
