"""Bring back what an export tells of a memory besides its fields: what it was before, and whom it names."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from memory_app.engine.carrying.told import Text
from memory_app.engine.keeping.mention import LONGEST_NAME
from memory_app.models import Entity, EntityLink, EntityType, LinkSource, Memory, Version
from memory_app.models.insert import insert
from memory_app.rules.text import normalised
from memory_app.rules.visibility import Placed

Name = Annotated[Text, StringConstraints(min_length=1, max_length=LONGEST_NAME)]


class _Told(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class ToldEntity(_Told):
    id: UUID
    type: EntityType
    name: Name
    apart: int = Field(0, ge=0, le=32_767)
    created_at: AwareDatetime
    into: "ToldEntity | None" = None
    via: UUID | None = None
    by_hand: bool | None = None


class ToldName(_Told):
    entity: ToldEntity
    surface: Name
    confidence: float = Field(ge=0, le=1)
    source: LinkSource
    moved_from: UUID | None = None
    same_as: UUID | None = None


class ToldVersion(_Told):
    number: int = Field(ge=1, lt=2**31)
    changed_by: Annotated[Text, StringConstraints(max_length=250)]
    changed_at: AwareDatetime
    replaced_at: AwareDatetime
    state: dict[str, Any]


class Besides(_Told):
    """names None: the record tells nothing of them, so they are read in the text."""

    versions: list[ToldVersion] = []
    names: list[ToldName] | None = None


def besides_of(fields: dict[str, Any]) -> Besides:
    """What a record tells besides. Raises ValueError, which says where it is wrong."""
    try:
        return Besides.model_validate(fields)
    except ValidationError as error:
        places = (".".join(map(str, item["loc"])) for item in error.errors(include_url=False))
        raise ValueError(f"not as an export tells it: {', '.join(places)}") from None


def bring_back(memories: Iterable[tuple[Memory, Besides]]) -> None:
    """Stores it for memories that are stored. Expects their spaces' scope."""
    versions: list[Version] = []
    links: list[EntityLink] = []
    known: dict[Placed, dict[tuple[str, str, int], Entity]] = {}
    for memory, besides in memories:
        versions += [_version(memory, told) for told in besides.versions]
        for told in besides.names or []:
            here = known.setdefault(memory.placed, {})
            entity = _entity(memory, told.entity, here)
            links.append(_link(memory, entity, told))
    insert(versions)
    EntityLink.objects.bulk_create(links, ignore_conflicts=True)


def _version(memory: Memory, told: ToldVersion) -> Version:
    return Version(space_id=memory.space_id, memory_id=memory.id, **told.model_dump())


def _entity(memory: Memory, told: ToldEntity, known: dict[tuple[str, str, int], Entity]) -> Entity:
    """The entity of that name beside the memory, made where there is none; merged as it was."""
    normal = normalised(told.name)[:LONGEST_NAME]
    slot = (normal, told.type.value, told.apart)
    if slot not in known:
        beside = Entity.objects.beside(memory.placed)
        found = beside.filter(normal=normal, type=told.type, apart=told.apart).first()
        known[slot] = found or _made(memory, told, normal, known)
    return known[slot]


def _made(memory: Memory, told: ToldEntity, normal: str, known: dict[tuple[str, str, int], Entity]) -> Entity:
    root = _entity(memory, told.into, known) if told.into else None
    values: Mapping[str, Any] = {"type": told.type, "name": told.name, "apart": told.apart}
    made = Entity(**values, normal=normal, space_id=memory.space_id, person_id=memory.person_id, id=told.id)
    made.visibility, made.channel_id, made.created_at = memory.visibility, memory.channel_id, told.created_at
    made.merged_into, made.merged_via = (root.id, told.via) if root else (None, None)
    # Exports told no `by_hand` when all that was merged was so by hand.
    made.by_hand = root is not None or told.apart > 0 if told.by_hand is None else told.by_hand
    made.save(force_insert=True)
    return made


def _link(memory: Memory, entity: Entity, told: ToldName) -> EntityLink:
    return EntityLink(
        space_id=memory.space_id,
        memory_id=memory.id,
        entity_id=entity.id,
        surface=told.surface,
        confidence=told.confidence,
        source=told.source,
        moved_from=told.moved_from,
        same_as=told.same_as,
    )
