"""Entities as someone may see them: list them, show one, find those that a text names, and the turns that name one.

An entity is there for whoever sees a memory that names it. The same name of one type at several levels is one entity,
and so is what was merged by hand. Use within the allowed spaces of who sees. Turns are looked up by the entity's names
and linked nowhere.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import BooleanField, Q, QuerySet
from django.db.models.expressions import RawSQL

from memory_app.engine.venue_context import VenueContext
from memory_app.errors import NotFound
from memory_app.models import Entity, EntityLink, EntityType, Memory, Person
from memory_app.models.conversation import ConversationQuerySet, TurnQuerySet
from memory_app.models.entity import EntityQuerySet
from memory_app.models.memory import MemoryQuerySet
from memory_app.nlp.queries.query_kind import asked_topic
from memory_app.nlp.queries.question import space_out_cjk
from memory_app.nlp.text import normalised
from memory_app.postgres.fast.prepared_query import inlined_sql

MOST_RELATED = 30
"""Others that are named in the same memories, the most often first."""

ENTITIES_SQL = """
WITH seen AS ({seen})
SELECT (array_agg(root.id ORDER BY root.id))[1] AS id, root.type AS type, root.normal AS normal, root.apart AS apart,
    (array_agg(root.name ORDER BY root.id))[1] AS name, count(DISTINCT seen.memory_id) AS mentions,
    min(seen.told) AS first_seen, max(seen.told) AS last_seen, {owner} AS owner
FROM seen
    JOIN entity AS one ON one.space_id = seen.space_id AND one.id = seen.entity_id
    JOIN entity AS root ON root.space_id = one.space_id AND root.id = coalesce(one.merged_into, one.id)
WHERE %(type)s = '' OR root.type = %(type)s
GROUP BY root.type, root.normal, root.apart, {owner}
HAVING (%(q)s = '' OR bool_or(one.normal LIKE %(q)s OR root.normal LIKE %(q)s))
    AND (%(after)s::text IS NULL
        OR (-count(DISTINCT seen.memory_id), root.normal, root.type, root.apart)
            > (%(after_mentions)s, %(after)s, %(after_type)s, %(after_apart)s))
ORDER BY mentions DESC, normal, type, apart
LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class VisibleRows:
    """What someone may see. by_owner: keep the entities of several people apart, for whoever sees everyone's."""

    entities: EntityQuerySet
    memories: MemoryQuerySet
    by_owner: bool = False

    @property
    def links(self) -> QuerySet[EntityLink]:
        return EntityLink.objects.filter(
            memory_id__in=self.memories.order_by().values("id"), entity_id__in=self.entities.order_by().values("id")
        )


@dataclass(frozen=True, slots=True)
class ListedEntity:
    """One entity. mentions: the memories that hold and speak of it, as far as they are seen; times are when these were
    told."""

    id: UUID
    type: str
    normal: str
    apart: int
    name: str
    mentions: int
    first_seen: datetime
    last_seen: datetime
    owner: UUID | None


@dataclass(frozen=True, slots=True)
class EntityProfile:
    """One entity with all its rows: `ids` of every level. merged: names that were merged into it, and their ids."""

    listed: ListedEntity
    ids: Sequence[UUID]
    aliases: Sequence[str]
    merged: Sequence[Entity]
    related: Sequence[ListedEntity]

    @property
    def summary(self) -> str:
        """A sentence of what is known, made from the memories that are seen and from nothing else."""
        one = self.listed
        often = f"In {one.mentions} memories" if one.mentions > 1 else "In one memory"
        first, last = (f"{moment.day} {moment:%B %Y}" for moment in (one.first_seen, one.last_seen))
        when = f"of {first}" if first == last else f"from {first} to {last}"
        beside = [other.name for other in self.related if other.type != EntityType.DATE][:3]
        return f"{often} {when}{', with ' + ', '.join(beside) if beside else ''}."


def visible_rows(venue_context: VenueContext, now: datetime) -> VisibleRows:
    """What a person sees from their venue, of what holds: what was superseded speaks of nobody any more."""
    venue = venue_context.venue
    return VisibleRows(Entity.objects.visible_from(venue), Memory.objects.current(now).visible_from(venue))


def entity_list(
    seen: VisibleRows, *, q: str = "", type: str = "", limit: int, after: ListedEntity | None = None
) -> list[ListedEntity]:
    """The entities of a name and type, the most mentioned first. after: the last one of the page before.

    q: part of a name, or a question for all of it ("tell me everything about Anna").
    """
    wanted = normalised(asked_topic(q) or q) if q.strip() else ""
    return _query_entities(
        seen, seen.links, q=f"%{_escape_like(wanted)}%" if wanted else "", type=type, limit=limit, after=after
    )


def entity_profile(seen: VisibleRows, identifier: UUID) -> EntityProfile:
    """All that is known of an entity, by the id of any of its rows. Raises NotFound, also where no memory is seen."""
    entity = seen.entities.filter(id=identifier).first()
    if entity is None:
        raise NotFound
    rows = _rows_of_entity(seen, _root_of(seen, entity))
    ids = [row.id for row in rows]
    links = seen.links.filter(entity_id__in=ids)
    found = _query_entities(seen, links, limit=1)
    if not found:
        raise NotFound
    together = seen.links.filter(memory_id__in=links.values("memory_id")).exclude(entity_id__in=ids)
    return EntityProfile(
        listed=found[0],
        ids=ids,
        aliases=_aliases_of(found[0], links, rows),
        merged=[row for row in rows if row.merged_into],
        related=_query_entities(seen, together, limit=MOST_RELATED),
    )


def memories_naming(memories: MemoryQuerySet, ids: Sequence[UUID]) -> MemoryQuerySet:
    """Those that speak of an entity, by the ids of all its rows."""
    links = EntityLink.objects.filter(entity_id__in=ids)
    return memories.filter(id__in=links.values("memory_id"))


def entity_ids(seen: VisibleRows, wanted: str) -> list[UUID]:
    """The rows of the entity of an id, or of all of a name; none where there are none."""
    try:
        entity = seen.entities.filter(id=UUID(wanted)).first()
        return [row.id for row in _rows_of_entity(seen, _root_of(seen, entity))] if entity else []
    except ValueError:
        return _ids_of_names(seen, [normalised(wanted)])


def _ids_of_names(seen: VisibleRows, names: Sequence[str]) -> list[UUID]:
    found = list(seen.entities.filter(normal__in=names).values_list("id", "merged_into"))
    if not found:
        return []
    roots = {merged or identifier for identifier, merged in found}
    same = seen.entities.filter(Q(id__in=roots) | Q(merged_into__in=roots)).values_list("id", flat=True)
    return sorted({*(identifier for identifier, _ in found), *same})


def _root_of(seen: VisibleRows, entity: Entity) -> Entity:
    if entity.merged_into is None:
        return entity
    return seen.entities.filter(space_id=entity.space_id, id=entity.merged_into).first() or entity


def _rows_of_entity(seen: VisibleRows, root: Entity) -> list[Entity]:
    """The rows of all levels that are one entity, and what was merged into them; oldest first."""
    same = seen.entities.filter(type=root.type, normal=root.normal, apart=root.apart, merged_into=None)
    if seen.by_owner:
        same = same.filter(person_id=root.person_id)
    roots = list(same)
    merged = seen.entities.filter(merged_into__in=[row.id for row in roots])
    return sorted([*roots, *merged], key=lambda row: row.id)


def _aliases_of(listed: ListedEntity, links: QuerySet[EntityLink], rows: Sequence[Entity]) -> list[str]:
    """Other ways it was written, each once."""
    written = [*links.order_by("entity_id", "memory_id").values_list("surface", flat=True), *(row.name for row in rows)]
    others: dict[str, str] = {}
    for surface in written:
        others.setdefault(surface.casefold(), surface)
    return sorted((text for fold, text in others.items() if fold != listed.name.casefold()), key=str.casefold)


def _query_entities(
    seen: VisibleRows,
    links: QuerySet[EntityLink],
    *,
    q: str = "",
    type: str = "",
    limit: int,
    after: ListedEntity | None = None,
) -> list[ListedEntity]:
    statement = ENTITIES_SQL.format(seen=_links_sql(links), owner="root.person_id" if seen.by_owner else "NULL::uuid")
    values: dict[str, Any] = {
        "q": q,
        "type": type,
        "limit": limit,
        "after": after.normal if after else None,
        "after_mentions": -after.mentions if after else 0,
        "after_type": after.type if after else "",
        "after_apart": after.apart if after else 0,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        columns = [column.name for column in cursor.description or ()]
        return [ListedEntity(**dict(zip(columns, row, strict=True))) for row in cursor.fetchall()]


def _links_sql(links: QuerySet[EntityLink]) -> str:
    """The links as SQL with its parameters bound, and when each memory was told."""
    rows = links.order_by().values_list("space_id", "memory_id", "entity_id", "memory__created_at")
    return f"SELECT * FROM ({inlined_sql(rows)}) AS links (space_id, memory_id, entity_id, told)"


def _escape_like(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


MOST_NAMES = 20
"""By which turns are looked through: each costs as much as the next, and nobody is called more ways."""

TURNS_SEARCHED = 1_000
"""The latest turns that have the words of a name; the names themselves are looked for in these alone."""

MENTIONS_SQL = """
SELECT space_id, id FROM ({latest}) AS held (space_id, id, spoken_at, content)
WHERE content ~* %(named)s ORDER BY spoken_at DESC, id DESC
"""


def mentions_of(
    turns: TurnQuerySet, profile: EntityProfile, conversations: ConversationQuerySet
) -> list[tuple[UUID, UUID]]:
    """What names the entity as a word of its own, in whatever letters: primary keys of turns, the latest first.

    turns, talks: those that the caller may see, and their conversations. A name within an address or a path is not one
    that was said.
    """
    names = [*dict.fromkeys([profile.listed.name, *profile.aliases, *(row.name for row in profile.merged)])][
        :MOST_NAMES
    ]
    speakers = Person.objects.filter(id__in=conversations.order_by().values("person_id"))
    languages = sorted({*speakers.values_list("language", flat=True)})
    if not languages:
        return []
    latest = turns.filter(_has_words_of_name(names, languages)).order_by("-spoken_at", "-id")
    statement = MENTIONS_SQL.format(
        latest=inlined_sql(latest.values_list("space_id", "id", "spoken_at", "content")[:TURNS_SEARCHED])
    )
    either = "|".join(re.escape(name) for name in names)
    with connection.cursor() as cursor:
        cursor.execute(statement, {"named": rf"(?<!\w)(?:{either})(?!\w)"})
        return [(space, turn) for space, turn in cursor.fetchall()]


def _has_words_of_name(names: Sequence[str], languages: Sequence[str]) -> Q:
    """Whether a turn has all words of any name, in any language. A name without a word that the database keeps, such as
    a link or "Will", may be anywhere."""
    names_by_language = [(language, _searchable_words(name)) for name in names for language in languages]
    each = ["plainto_tsquery(%s::regconfig, %s)"] * len(names_by_language)
    either, nodes = " || ".join(each), ", ".join(f"numnode({one})" for one in each)
    values = [value for pair in names_by_language for value in pair]
    return Q(RawSQL(f"least({nodes}) = 0 OR turn.tsv @@ ({either})", [*values, *values], BooleanField()))


def _searchable_words(name: str) -> str:
    """Of a name, what the text search takes as the same words wherever they stand: "A4" may be a part of "A4/2"."""
    return " ".join(word for word in space_out_cjk(name).split() if all(map(str.isalpha, re.split("[-'’]", word))))
