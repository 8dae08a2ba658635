"""Mention: link memories to the entities they speak of, as they are kept: by form, and by names known already."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from uuid import UUID

from memory_app.models import Entity, EntityLink, EntityType, LinkSource, Memory, MemoryType
from memory_app.models.person import lock_writers
from memory_app.nlp.entities.common_names import possible_names
from memory_app.nlp.entities.find_entities import Entity as FoundName
from memory_app.nlp.entities.find_entities import find_entities
from memory_app.nlp.entities.same_names import CANONICAL, find_relations, same_names
from memory_app.nlp.text import normalised
from memory_app.postgres.fast.insert_rows import insert_rows
from memory_app.postgres.fast.prepared_query import PreparedQuery
from memory_app.rules.visibility import Placed, Visibility

LONGEST_NAME = 300
"""Characters: a link may be longer, but then its beginning tells it apart."""

KNOWN_NAME_CONFIDENCE = 0.8
FINDABLE_TYPES = frozenset(("person", "project", "organization", "location", "topic", "other"))
"""Types whose names are found without capitals too; addresses and dates have a form of their own."""

EntityKey = tuple[str, str]
NamesByMemory = Mapping[UUID, Sequence[FoundName] | None]
"""The names in texts of memories, by the ids of these."""

NO_NAMES: NamesByMemory = {}


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in one memory, to be linked to whatever it names there. same_as: as whom the memory names them too."""

    memory: Memory
    name: FoundName
    source: LinkSource
    same_as: FoundName | None = None

    @property
    def normal(self) -> str:
        return normalised(self.name.canonical)[:LONGEST_NAME]


@dataclass
class KnownEntities:
    """The entities of one owner at one level, as far as a batch may name them; grows as new ones are met."""

    placed: Placed
    by_key: dict[EntityKey, Entity] = field(default_factory=dict)
    typed: dict[str, list[Entity]] = field(default_factory=dict)
    alike: list[Entity] = field(default_factory=list)
    new: list[Entity] = field(default_factory=list)
    newly_typed: list[Entity] = field(default_factory=list)

    def take(self, entity: Entity) -> None:
        self.by_key[entity.normal, entity.type] = entity
        self.typed.setdefault(entity.normal, []).append(entity)

    def find_or_create(self, mention: Mention) -> Entity:
        """What the mention names: the same name of the same type; where one of the two types is not known, the only
        one of that name; else something new."""
        normal, kind = mention.normal, mention.name.type
        found = self.by_key.get((normal, kind))
        same = self.typed.get(normal, [])
        if found is None and len(same) == 1 and EntityType.OTHER in (kind, same[0].type):
            found = same[0]
            self._set_type(found, kind)
        return found or self._create(mention)

    def _set_type(self, entity: Entity, kind: str) -> None:
        """Now it is known what it is."""
        if entity.type == EntityType.OTHER != kind:
            entity.type = kind
            self.by_key[entity.normal, kind] = entity
            self.newly_typed.append(entity)

    def _create(self, mention: Mention) -> Entity:
        memory = mention.memory
        made = Entity(
            space_id=memory.space_id,
            person_id=memory.person_id,
            visibility=memory.visibility,
            channel_id=memory.channel_id,
            type=mention.name.type,
            name=mention.name.canonical[:LONGEST_NAME],
            normal=mention.normal,
            created_at=memory.created_at,
        )
        self.new.append(made)
        self.take(made)
        return made


@dataclass(frozen=True, slots=True)
class MentionRows:
    """New entities, and links of memories to these and others, to be stored in this order after the memories."""

    entities: list[Entity] = field(default_factory=list)
    links: list[EntityLink] = field(default_factory=list)

    def insert(self) -> None:
        insert_rows(self.entities)
        insert_rows(self.links, skip_existing=True)


def link_mentions(memories: Iterable[Memory], names: NamesByMemory = NO_NAMES) -> None:
    """Links stored memories to what they name. Expects their spaces' scope."""
    stored = list(memories)
    for owner in {memory.person_id for memory in stored}:
        lock_writers(owner)
    mention_rows(stored, names).insert()


def mention_rows(memories: Iterable[Memory], names: NamesByMemory = NO_NAMES) -> MentionRows:
    """The links of memories to what they name, for whoever stores them. Expects their spaces' scope, and other
    writers of their owners to be locked out.

    names: those that were found in their texts already.

    One statement for all of one owner, level and place. Sensitive memories name nobody: a name in a list would unmask
    them. Nor do reflections, whose sources do.
    """
    groups: dict[Placed, list[Memory]] = {}
    for memory in memories:
        if not memory.sensitive and memory.type != MemoryType.REFLECTION:
            groups.setdefault(memory.placed, []).append(memory)
    rows = MentionRows()
    for placed, group in groups.items():
        found = _rows_to_store(placed, mentions_by_form(group, names), group)
        rows.entities.extend(found.entities)
        rows.links.extend(found.links)
    return rows


def link_found_names(placed: Placed, mentions: Sequence[Mention], among: Sequence[Memory]) -> int:
    """Links what a reader of names found in memories of one owner, level and place."""
    links = EntityLink.objects.filter(space_id=placed.space, memory_id__in=[memory.id for memory in among])
    return store_links(placed, mentions, among, list(links.by_hand()))


def mentions_by_form(memories: Sequence[Memory], names: NamesByMemory = NO_NAMES) -> list[Mention]:
    found = [(memory, names.get(memory.id)) for memory in memories]
    return [
        mention
        for memory, known in found
        for mention in _mentions_in(memory, find_entities(memory.searchable_text) if known is None else known)
    ]


def _mentions_in(memory: Memory, names: Sequence[FoundName]) -> list[Mention]:
    """The names, and who is called by what they are to the owner: at the owner's own levels, for among others nobody
    knows whose mother "my mother" is."""
    own = memory.visibility in (Visibility.PRIVATE, Visibility.GLOBAL)
    found = find_relations(memory.content, names) if own else ()
    its_names = [Mention(memory, one.mention, LinkSource.FORM, one.name) for one in found]
    return [*(Mention(memory, name, LinkSource.FORM) for name in names), *its_names]


def names_of_link(link: EntityLink) -> set[str]:
    """The names by which a text speaks of what it is linked to."""
    return {normalised(link.surface), link.entity.normal} - {""}


def store_links(
    placed: Placed, mentions: Sequence[Mention], memories: Sequence[Memory], by_hand: Sequence[EntityLink] = ()
) -> int:
    """How many links are stored. by_hand: the links of these memories that someone made, whose names are not looked up
    again."""
    lock_writers(placed.owner)
    rows = _rows_to_store(placed, mentions, memories, by_hand)
    rows.insert()
    return len(rows.links)


def _rows_to_store(
    placed: Placed, mentions: Sequence[Mention], memories: Sequence[Memory], by_hand: Sequence[EntityLink] = ()
) -> MentionRows:
    """As `store_links`, before the new rows are stored."""
    linked_by_hand = {(link.memory_id, name) for link in by_hand for name in names_of_link(link)}
    runs_by_memory = {memory.id: possible_names(memory.searchable_text) for memory in memories}
    mentioned = {mention.normal for mention in mentions}
    wanted = mentioned.union(*runs_by_memory.values())
    known = _load_known(placed, wanted, mentioned)
    links: dict[tuple[UUID, UUID], EntityLink] = {}
    for item in (*mentions, *_mentions_of_known(memories, _runs_outside_names(runs_by_memory, mentions), known)):
        its_names = {(item.memory.id, item.normal), (item.memory.id, normalised(item.name.surface))}
        if item.normal and not its_names & linked_by_hand:
            entity = known.find_or_create(item)
            made = links.setdefault((item.memory.id, entity.id), _entity_link(item, entity))
            made.same_as = made.same_as or _same_entity(item, known, by_hand)
    _merge_batch(placed, known.alike, known.new, mentioned, links.values())
    for entity in set(known.newly_typed) - set(known.new):
        entity.save(update_fields=["type"])
    return MentionRows(known.new, list(links.values()))


def _same_entity(mention: Mention, known: KnownEntities, by_hand: Sequence[EntityLink]) -> UUID | None:
    """As whom the memory names someone, or whoever that is by hand."""
    if mention.same_as is None:
        return None
    name = Mention(mention.memory, mention.same_as, mention.source)
    linked_by_hand = (
        link for link in by_hand if link.memory_id == mention.memory.id and name.normal in names_of_link(link)
    )
    return next((link.entity_id for link in linked_by_hand), None) or known.find_or_create(name).id


@cache
def _named_entities(in_channel: bool) -> PreparedQuery[Entity]:
    """Those of one level and place with some names."""
    space, person, channel, level = UUID(int=1), UUID(int=2), UUID(int=3), "(level)"
    names = {"exact": ["(exact)"], "first_words": ["(first)"]}
    rows = Entity.objects.filter(
        space_id=space, person_id=person, visibility=level, channel_id=channel if in_channel else None, apart=0
    )
    placeholders = {"space": space, "person": person, "channel": channel, "level": level, **names}
    return PreparedQuery(rows.with_names(**names), placeholders)


def _load_known(placed: Placed, wanted: Iterable[str], mentioned: Iterable[str]) -> KnownEntities:
    """What is known by these names, the ones merged into another by hand as that; and by names alike to `mentioned`, or
    by a relation."""
    known = KnownEntities(placed)
    same_level = Entity.objects.same_level(placed)
    known.alike = found = _named_entities(placed.channel is not None).all(
        space=placed.space,
        person=placed.owner,
        level=placed.visibility.value,
        channel=placed.channel,
        exact=[*wanted, *CANONICAL],
        first_words=sorted({name.partition(" ")[0] for name in mentioned}),
    )
    others = [entity.merged_into for entity in found if entity.merged_into and entity.by_hand]
    roots = {root.id: root for root in same_level.filter(id__in=others)} if others else {}
    for entity in found:
        root = roots.get(entity.merged_into, entity) if entity.merged_into else entity
        known.by_key[entity.normal, entity.type] = known.by_key[root.normal, root.type] = root
        known.typed.setdefault(entity.normal, []).append(root)
    return known


def _runs_outside_names(runs_by_memory: dict[UUID, set[str]], mentions: Sequence[Mention]) -> dict[UUID, set[str]]:
    """The runs that are no part of a longer name in the same memory: "Maria Stone" says nothing of a Maria."""
    inside: dict[UUID, set[str]] = {}
    for item in mentions:
        inside.setdefault(item.memory.id, set()).update(possible_names(item.name.canonical) - {item.normal})
    return {memory: found - inside.get(memory, set()) for memory, found in runs_by_memory.items()}


def _mentions_of_known(
    memories: Sequence[Memory], runs_by_memory: dict[UUID, set[str]], known: KnownEntities
) -> list[Mention]:
    """Names that were known before this batch and occur in a text in whatever letters."""
    names = {
        name: entities[0]
        for name, entities in known.typed.items()
        if len(entities) == 1 and entities[0].type in FINDABLE_TYPES and name not in CANONICAL
    }
    return [
        Mention(memory, FoundName(name, entity.name, entity.type, KNOWN_NAME_CONFIDENCE, (0, 0)), LinkSource.KNOWN)
        for memory in memories
        for name, entity in names.items()
        if name in runs_by_memory[memory.id]
    ]


def _entity_link(mention: Mention, entity: Entity) -> EntityLink:
    return EntityLink(
        space_id=mention.memory.space_id,
        memory_id=mention.memory.id,
        entity_id=entity.id,
        surface=mention.name.surface[:LONGEST_NAME],
        confidence=mention.name.confidence,
        source=mention.source,
    )


def _merge_batch(
    placed: Placed,
    known: Sequence[Entity],
    new: Sequence[Entity],
    mentioned: Iterable[str],
    links: Iterable[EntityLink],
) -> None:
    """Merges by their names those that new links name, within one owner, level and place, where nobody decided by hand.
    new: rows that are not stored yet, and are changed in place."""
    entities = {entity.id: entity for entity in (*known, *new)}
    relations = relation_names(placed.space, known)
    for link in links:
        if link.same_as:
            relations[link.entity_id].add(link.same_as)
    missing = {other for others in relations.values() for other in others} - set(entities)
    if missing:
        entities |= {entity.id: entity for entity in Entity.objects.same_level(placed).filter(id__in=missing)}
    changed = merge_same_names(list(entities.values()), relations, _completely_loaded(entities.values(), mentioned))
    unsaved = {entity.id for entity in new}
    save_name_merges([entity for entity in changed if entity.id not in unsaved])


def _completely_loaded(known: Iterable[Entity], names: Iterable[str]) -> set[UUID]:
    """The ids of those whose possible namesakes were all loaded. names: the similar ones of `with_names`."""
    firsts = {name.partition(" ")[0] for name in names}
    return {one.id for one in known if one.normal in CANONICAL or one.normal.partition(" ")[0] in firsts}


def relation_names(space: UUID, entities: Iterable[Entity]) -> defaultdict[UUID, set[UUID]]:
    """The entities that memories say a relation is: "my mother" is Ruth."""
    called = [entity.id for entity in entities if entity.normal in CANONICAL]
    relations: defaultdict[UUID, set[UUID]] = defaultdict(set)
    if called:
        links = EntityLink.objects.filter(space_id=space, entity_id__in=called).exclude(same_as=None)
        for entity, other in links.values_list("entity_id", "same_as"):
            if other is not None:
                relations[entity].add(other)
    return relations


def merge_same_names(
    known: Sequence[Entity], relations: Mapping[UUID, set[UUID]], among: Iterable[UUID]
) -> list[Entity]:
    """Merges and unmerges those of `among` by their names; returns those that changed, unsaved."""
    ids = set(among)
    same, changed = same_names(known, relations, ids), []
    for entity in known:
        wanted = same.get(entity.id, (None, None))
        if entity.id in ids and not entity.by_hand and (entity.merged_into, entity.merged_via) != wanted:
            entity.merged_into, entity.merged_via = wanted
            changed.append(entity)
    return changed


def save_name_merges(entities: Sequence[Entity]) -> None:
    """Saves them. What was merged into one of these by hand goes along with it, and comes back with it."""
    for entity in entities:
        rows = Entity.objects.filter(space_id=entity.space_id, person_id=entity.person_id)
        rows.filter(merged_via=entity.id).update(merged_into=entity.id, merged_via=None)
        if entity.merged_into:
            rows.filter(merged_into=entity.id).update(merged_into=entity.merged_into, merged_via=entity.id)
    if entities:
        Entity.objects.bulk_update(entities, ["merged_into", "merged_via"])
