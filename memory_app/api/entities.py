"""/entities: whom and what memories speak of, as far as these are seen; merged and parted by hand."""

import base64
import binascii
import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Schema, Status
from pydantic import Field

from memory_app.api import fields
from memory_app.api.answers import as_told, shown_to
from memory_app.api.asking import Asker, asker_of
from memory_app.api.auth import author_of, grant_of, reads, writes
from memory_app.api.memories import ORDERS
from memory_app.api.paging import page
from memory_app.api.schemas import MemoryOut, Strict
from memory_app.api.turns import TurnOut, shown_turn
from memory_app.engine.enter import Entered, Place, enter
from memory_app.engine.locate import WITH_NAMES
from memory_app.engine.naming.entities import Listed, Profile, Seen, entity_list, memories_of, profile, seen_from
from memory_app.engine.naming.entity_merge import merge, put_together, split, take_out
from memory_app.engine.naming.said_of import LOOKED_AT, said_of
from memory_app.engine.write_access import writable
from memory_app.errors import Invalid, NotFound
from memory_app.models import Conversation, Entity, Turn
from memory_app.models.scope import every_space, within

router = Router(tags=["entities"])

TURNS = 10
"""Of those that name an entity, the latest: a search finds the rest."""

EntityTypeName = Literal[
    "person", "project", "organization", "location", "email", "url", "topic", "date", "other"
]  # fmt: skip


class EntityQuery(Asker):
    q: fields.Query | None = None
    type: EntityTypeName | None = None
    limit: fields.Limit = 20
    cursor: str | None = None


class ProfileQuery(Asker):
    limit: fields.Limit = 20
    cursor: str | None = None


class EntityOut(Schema):
    id: UUID
    type: str
    name: str
    mention_count: int
    first_seen: datetime
    last_seen: datetime


class EntityPage(Schema):
    items: list[EntityOut]
    next_cursor: str | None


class MergedOut(Schema):
    id: UUID
    name: str


class ProfileOut(EntityOut):
    aliases: list[str]
    summary: str
    merged: list[MergedOut]
    related: list[EntityOut]
    memories: list[MemoryOut]
    next_cursor: str | None
    turn_count: int = Field(description=f"turns that name it, of the latest {LOOKED_AT:,} that have its words")
    turns: list[TurnOut]


class EntityMergeIn(Strict):
    into: UUID


class SplitIn(Strict):
    memories: list[UUID] = Field(min_length=1, max_length=200)
    name: fields.Name | None = None


@router.get("/entities", response=EntityPage, auth=reads)
def list_entities(request: HttpRequest, query: Query[EntityQuery]) -> EntityPage:
    """Whom and what a person's memories speak of, the most mentioned first."""
    if query.person is None:
        raise Invalid("person", "Name the person whose entities to list.")
    entered = asker_of(request, query)
    if entered is None:
        return EntityPage(items=[], next_cursor=None)
    after = _read(query.cursor) if query.cursor else None
    with within(entered.venue.spaces):
        found = entity_list(
            seen_from(entered, timezone.now()),
            q=query.q or "",
            type=query.type or "",
            limit=query.limit + 1,
            after=after,
        )
    following = _write(found[query.limit - 1]) if len(found) > query.limit else None
    return EntityPage(items=[shown_entity(item) for item in found[: query.limit]], next_cursor=following)


@router.get("/entities/{uuid:entity_id}", response=ProfileOut, auth=reads)
def read_entity(request: HttpRequest, entity_id: UUID, query: Query[ProfileQuery]) -> ProfileOut:
    """All that is known of one, with the memories that speak of it, the newest first, and the latest turns that do."""
    entered = _asker_or_owner(request, entity_id, query)
    now = timezone.now()
    with within(entered.venue.spaces):
        seen = seen_from(entered, now)
        told = profile(seen, entity_id)
        rows = memories_of(seen.memories, told.ids).select_related(*WITH_NAMES)
        memories, following = page(rows, ORDERS["newest"], query.limit, query.cursor)
        shown_memories = [shown_to(request, memory, now) for memory in memories]
        talks = Conversation.objects.visible_from(entered.venue)
        said = said_of(Turn.objects.spoken().visible_from(entered.venue), told, talks)
        latest = Turn.objects.filter(pk__in=said[:TURNS]).order_by("-spoken_at", "-id")
        turns = [shown_turn(turn) for turn in latest]
    return _shown_profile(told, shown_memories, following, turn_count=len(said), turns=turns)


@router.post("/entities/{uuid:entity_id}/merge", response=EntityOut, auth=writes)
def merge_entity(request: HttpRequest, entity_id: UUID, payload: EntityMergeIn, asker: Query[Asker]) -> EntityOut:
    """The two are one, under the name of `into`. Undone by /entities/{id}/unmerge."""
    entered = _asker_or_owner(request, entity_id, asker)
    with within(entered.venue.spaces):
        seen, person = seen_from(entered, timezone.now()), entered.person.id
        merge(
            seen=_writable(entered),
            person=person,
            entity=entity_id,
            into=payload.into,
            author=author_of(request),
            now=timezone.now(),
        )
        return as_told(request, shown_entity(profile(seen, payload.into).listed), {"name": ""})


@router.post("/entities/{uuid:entity_id}/unmerge", response=EntityOut, auth=writes)
def unmerge_entity(request: HttpRequest, entity_id: UUID, asker: Query[Asker]) -> EntityOut:
    """The entity stands for itself again. The id is one of `merged` of the entity that it was merged into."""
    entered = _asker_or_owner(request, entity_id, asker)
    with within(entered.venue.spaces):
        seen, person = seen_from(entered, timezone.now()), entered.person.id
        take_out(
            seen=_writable(entered), person=person, entity=entity_id, author=author_of(request), now=timezone.now()
        )
        return as_told(request, shown_entity(profile(seen, entity_id).listed), {"name": ""})


@router.post("/entities/{uuid:entity_id}/split", response={201: EntityOut}, auth=writes)
def split_entity(
    request: HttpRequest, entity_id: UUID, payload: SplitIn, asker: Query[Asker]
) -> Status[EntityOut]:  # fmt: skip
    """In these memories it is someone else. Undone by /entities/{id of the new one}/unsplit."""
    entered = _asker_or_owner(request, entity_id, asker)
    with within(entered.venue.spaces):
        seen, person = seen_from(entered, timezone.now()), entered.person.id
        other = split(
            seen=_writable(entered),
            person=person,
            entity=entity_id,
            memories=payload.memories,
            name=payload.name or "",
            author=author_of(request),
            now=timezone.now(),
        )
        return Status(201, as_told(request, shown_entity(profile(seen, other).listed), {"name": ""}))


@router.post("/entities/{uuid:entity_id}/unsplit", response={204: None}, auth=writes)
def unsplit_entity(request: HttpRequest, entity_id: UUID, asker: Query[Asker]) -> Status[None]:
    """The memories speak again of whom they spoke of before."""
    entered = _asker_or_owner(request, entity_id, asker)
    with within(entered.venue.spaces):
        put_together(
            seen=_writable(entered),
            person=entered.person.id,
            entity=entity_id,
            author=author_of(request),
            now=timezone.now(),
        )
    return Status(204, None)


def _writable(entered: Entered) -> Seen:
    """What of what the person sees their key may part or put together."""
    seen = seen_from(entered, timezone.now())
    return replace(seen, entities=writable(seen.entities, entered.person, entered.grant))


def shown_entity(listed: Listed) -> EntityOut:
    return EntityOut(
        id=listed.id,
        type=listed.type,
        name=listed.name,
        mention_count=listed.mentions,
        first_seen=listed.first_seen,
        last_seen=listed.last_seen,
    )


def _shown_profile(
    told: Profile, memories: list[MemoryOut], following: str | None, *, turn_count: int, turns: list[TurnOut]
) -> ProfileOut:
    return ProfileOut(
        **shown_entity(told.listed).model_dump(),
        aliases=list(told.aliases),
        summary=told.summary,
        merged=[MergedOut(id=row.id, name=row.name) for row in told.merged],
        related=[shown_entity(other) for other in told.related],
        memories=memories,
        next_cursor=following,
        turn_count=turn_count,
        turns=turns,
    )


def _asker_or_owner(request: HttpRequest, entity_id: UUID, asker: Asker) -> Entered:
    """Who asks; where nobody is named, the owner, if the key may speak for them. Raises NotFound."""
    if asker.person is not None:
        entered = asker_of(request, asker)
    else:
        with every_space():
            found = Entity.objects.select_related("person").filter(id=entity_id).first()
        grant, place = grant_of(request), Place(named=asker.space)
        allowed = found is not None and grant.allows(found.person.name, None)
        entered = enter(person=found.person.name, place=place, grant=grant, create=False) if found and allowed else None
    if entered is None:
        raise NotFound
    return entered


def _write(last: Listed) -> str:
    return base64.urlsafe_b64encode(json.dumps([last.mentions, last.normal, last.type, last.apart]).encode()).decode()


def _read(cursor: str) -> Listed:
    try:
        mentions, normal, kind, apart = json.loads(base64.urlsafe_b64decode(cursor))
        if not (type(mentions) is int and type(apart) is int and isinstance(normal, str) and isinstance(kind, str)):
            raise ValueError
        if not 0 <= mentions < 2**31 or not 0 <= apart < 2**15 or "\x00" in normal + kind:
            raise ValueError
    except (ValueError, binascii.Error, TypeError, RecursionError):
        raise Invalid("cursor", "This is no cursor of ours: use next_cursor of the page before, unchanged.") from None
    long_ago = datetime.min.replace(tzinfo=UTC)
    return Listed(UUID(int=0), kind, normal, apart, "", mentions, long_ago, long_ago, None)
