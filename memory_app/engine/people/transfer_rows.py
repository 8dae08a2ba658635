"""Transfer rows from one person to another: in place where the space stays, else as a copy and a delete. Ids stay.

Entities pass to the one of that name which the other person has, or to one that is made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Model, Q
from psycopg import sql

from memory_app.engine.entities.relink_mentions import delete_unmentioned, remerge_names
from memory_app.engine.segments import take_out_rows
from memory_app.models import (
    Conflict,
    Conversation,
    Document,
    Entity,
    EntityLink,
    ExtractionRun,
    Item,
    Memory,
    Note,
    Operation,
    Proposal,
    Receipt,
    Signal,
    Turn,
    Version,
)
from memory_app.models.ids import new_id
from memory_app.models.segment import KINDS


@dataclass(frozen=True, slots=True)
class Transfer:
    """Where the space is the same, rows stay in it and change whose they are."""

    from_space: UUID
    to_space: UUID
    from_person: UUID
    to_person: UUID

    @property
    def same_space(self) -> bool:
        return self.from_space == self.to_space


Ids = Mapping[str, Sequence[UUID]]
"""Ids of what passes of one space, by kind: memories, conversations, notes, items and the rest."""

TableLink = tuple[type[Model], str, str]

TRANSFERRED_TABLES: Sequence[TableLink] = (
    (Memory, "id", "memories"),
    (Version, "memory_id", "memories"),
    (Operation, "memory_id", "memories"),
    (Conversation, "id", "conversations"),
    (Turn, "conversation_id", "conversations"),
    (ExtractionRun, "conversation_id", "conversations"),
    (Proposal, "id", "proposals"),
    (Note, "id", "notes"),
    (Receipt, "id", "receipts"),
    (Signal, "id", "signals"),
    (Conflict, "id", "conflicts"),
    (Item, "id", "items"),
    (Document, "id", "documents"),
)
"""Tables, by which column their rows follow what passes; parents before what refers to them."""


ITEMS_SQL = "replace(items::text, %(from_text)s, %(to_text)s)::jsonb"
"""What a brief held says in which space that lived."""


def transfer_rows(transfer: Transfer, ids: Ids) -> None:
    """Passes rows on, with what belongs to them. Expects the scope of both spaces, and other writers held off."""
    move_rows(transfer, ids)
    transfer_entities(transfer, ids.get("memories", ()))
    if not transfer.same_space:
        delete_copied_rows(transfer, ids)


def move_rows(transfer: Transfer, ids: Ids) -> None:
    """The first half: rows are with the other, or copied to where they go. Whom they name is the caller's."""
    for model, column, kind in TRANSFERRED_TABLES:
        if ids.get(kind):
            _move_table(transfer, model, column, ids[kind])


def _move_table(transfer: Transfer, model: type[Model], column: str, ids: Sequence[UUID]) -> None:
    columns = [field.column for field in model._meta.concrete_fields if field.column and not field.generated]
    owned = "person_id" in columns
    if transfer.same_space:
        if owned:
            packed = _take_out(transfer, model, column, ids)
            unpacked = ", packed_as = 0, packed_in = NULL" if packed else ""
            statement = f"UPDATE {{table}} SET person_id = %(to_person)s{unpacked} WHERE {{these}}"
            _execute(transfer, statement, model, column, ids)
        return
    values = {"space_id": "%(to_space)s", "person_id": "%(to_person)s", "items": ITEMS_SQL}
    chosen = sql.SQL(", ").join(sql.SQL(values[name]) if name in values else sql.Identifier(name) for name in columns)
    column_names = sql.SQL(", ").join(map(sql.Identifier, columns))
    copy = "INSERT INTO {table} ({named}) SELECT {chosen} FROM {table} WHERE {these}"
    _execute(transfer, copy, model, column, ids, named=column_names, chosen=chosen)


def delete_copied_rows(transfer: Transfer, ids: Ids) -> None:
    """The second half, where the space is another one: deletes what was copied, children first."""
    for model, column, kind in TRANSFERRED_TABLES:
        if ids.get(kind):
            _take_out(transfer, model, column, ids[kind])
    for model, column, kind in reversed(TRANSFERRED_TABLES):
        if ids.get(kind):
            _execute(transfer, "DELETE FROM {table} WHERE {these}", model, column, ids[kind])


def _take_out(transfer: Transfer, model: type[Model], column: str, ids: Sequence[UUID]) -> bool:
    """Takes what is packed out of the segments of who had it, for these go with them; whether it may be packed."""
    if model._meta.db_table not in KINDS:
        return False
    take_out_rows(model._default_manager.filter(space_id=transfer.from_space, **{f"{column}__in": ids}))
    return True


def _execute(
    transfer: Transfer, statement: str, model: type[Model], column: str, ids: Sequence[UUID], **parts: sql.Composable
) -> None:
    these = sql.SQL("space_id = %(from_space)s AND {} = ANY(%(ids)s)").format(sql.Identifier(column))
    table = sql.Identifier(model._meta.db_table)
    params: dict[str, Any] = {
        "ids": list(ids),
        "from_space": transfer.from_space,
        "to_space": transfer.to_space,
        "from_text": str(transfer.from_space),
        "to_text": str(transfer.to_space),
        "to_person": transfer.to_person,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL(statement).format(table=table, these=these, **parts), params)


EntityKey = tuple[str, UUID | None, str, str, int]


def transfer_entities(transfer: Transfer, memories: Sequence[UUID]) -> None:
    """Links memories that passed, and are there, to the other person's entities. An entity keeps its id, unless the
    other knows one of that name already, or it stays behind because other memories name it too."""
    links = list(EntityLink.objects.filter(space_id=transfer.from_space, memory_id__in=memories))
    entities = _linked_entities(transfer, {link.entity_id for link in links})
    targets = _target_entities(transfer, entities, {link.memory_id for link in links})
    EntityLink.objects.bulk_create(
        [_new_link(transfer, link, targets) for link in links if _is_relinked(transfer, link, targets)],
        ignore_conflicts=True,
    )
    if transfer.same_space:
        moved = [link.pk for link in links if targets[link.entity_id] != link.entity_id]
        EntityLink.objects.filter(pk__in=moved).delete()
    else:
        EntityLink.objects.filter(space_id=transfer.from_space, memory_id__in=memories).delete()
    delete_unmentioned(transfer.from_space, transfer.from_person)
    remerge_names(transfer.to_space, transfer.to_person)


def _linked_entities(transfer: Transfer, linked: set[UUID]) -> dict[UUID, Entity]:
    """The entities linked, what they were merged into, and what was merged into either."""
    here = Entity.objects.filter(space_id=transfer.from_space, person_id=transfer.from_person)
    rows = {row.id: row for row in here.filter(id__in=linked)}
    roots = {row.merged_into for row in rows.values() if row.merged_into}
    together = here.filter(Q(id__in=roots) | Q(merged_into__in=roots | linked))
    return rows | {row.id: row for row in together}


def _target_entities(transfer: Transfer, entities: dict[UUID, Entity], memories: set[UUID]) -> dict[UUID, UUID]:
    """What each entity is with the other person, made where there is none."""
    normals = {row.normal for row in entities.values()}
    known = Entity.objects.filter(space_id=transfer.to_space, person_id=transfer.to_person, normal__in=normals)
    existing = {_entity_key(row): row.id for row in known}
    shared = _mentioned_elsewhere(transfer, entities, memories)
    targets = {
        row.id: existing.get(_entity_key(row)) or (new_id() if row.id in shared else row.id)
        for row in entities.values()
    }
    made = [row for row in entities.values() if _entity_key(row) not in existing]
    for row in made:
        into = targets.get(row.merged_into) if row.merged_into else None
        root = None if into == targets[row.id] else into
        via = row.merged_via if root else None
        if transfer.same_space and targets[row.id] == row.id:
            rows = Entity.objects.filter(space_id=row.space_id, id=row.id)
            rows.update(person_id=transfer.to_person, merged_into=root, merged_via=via)
        else:
            row.id, row.space_id, row.person_id = targets[row.id], transfer.to_space, transfer.to_person
            row.merged_into, row.merged_via = root, via
            row.save(force_insert=True)
    return targets


def _mentioned_elsewhere(transfer: Transfer, entities: dict[UUID, Entity], memories: set[UUID]) -> set[UUID]:
    """Entities that memories which do not pass name too."""
    others = EntityLink.objects.filter(space_id=transfer.from_space, entity_id__in=list(entities))
    return set(others.exclude(memory_id__in=memories).values_list("entity_id", flat=True))


def _entity_key(row: Entity) -> EntityKey:
    return (row.visibility, row.channel_id, row.normal, row.type, row.apart)


def _is_relinked(transfer: Transfer, link: EntityLink, targets: dict[UUID, UUID]) -> bool:
    return not transfer.same_space or targets[link.entity_id] != link.entity_id


def _new_link(transfer: Transfer, link: EntityLink, targets: dict[UUID, UUID]) -> EntityLink:
    return EntityLink(
        space_id=transfer.to_space,
        memory_id=link.memory_id,
        entity_id=targets[link.entity_id],
        surface=link.surface,
        confidence=link.confidence,
        source=link.source,
        moved_from=targets.get(link.moved_from) if link.moved_from else None,
        same_as=targets.get(link.same_as) if link.same_as else None,
    )
