"""/entities: whom and what memories speak of, as far as these are seen; merged and parted by hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Schema, Status
from pydantic import Field

from memory_app.api import fields
from memory_app.api.auth import author_of, grant_of, read_key, write_key
from memory_app.api.fields import InputModel, PageQuery
from memory_app.api.memories import ORDERS
from memory_app.api.pagination import decode_cursor, encode_cursor, page
from memory_app.api.redaction import memory_out_for, redacted
from memory_app.api.venue import ViewerQuery, viewer
from memory_app.engine.entities.merge_and_split import merge, split, unmerge, unsplit
from memory_app.engine.entities.visible_entities import (
    TURNS_SEARCHED,
    EntityProfile,
    ListedEntity,
    VisibleRows,
    entity_list,
    entity_profile,
    memories_naming,
    mentions_of,
    visible_rows,
)
from memory_app.engine.memories.find import WITH_NAMES
from memory_app.engine.venue_context import VenueContext, VenueNames, resolve_venue
from memory_app.engine.write_access import writable
from memory_app.errors import Invalid, NotFound
from memory_app.models import Conversation, Entity, Turn
from memory_app.models.row_security import allowed_spaces, every_space
from memory_app.serializers import Page
from memory_app.serializers.entity import EntityOut, entity_out
from memory_app.serializers.memory import MemoryOut
from memory_app.serializers.turn import TurnOut, turn_out

router = Router(tags=["entities"])

TURNS_SHOWN = 10
"""Of those that name an entity, the latest: a search finds the rest."""

EntityTypeName = Literal[
    "person", "project", "organization", "location", "email", "url", "topic", "date", "other"
]  # fmt: skip


class EntityQuery(ViewerQuery, PageQuery):
    q: fields.Query | None = None
    type: EntityTypeName | None = None


class ProfileQuery(ViewerQuery, PageQuery):
    """Whose view it is, and which part of the memories."""


EntityPage = Page[EntityOut]


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
    turn_count: int = Field(description=f"turns that name it, of the latest {TURNS_SEARCHED:,} that have its words")
    turns: list[TurnOut]


class EntityMergeIn(InputModel):
    into: UUID


class SplitIn(InputModel):
    memories: list[UUID] = Field(min_length=1, max_length=200)
    name: fields.Name | None = None


@router.get("/entities", response=EntityPage, auth=read_key)
def list_entities(request: HttpRequest, query: Query[EntityQuery]) -> EntityPage:
    """Whom and what a person's memories speak of, the most mentioned first."""
    if query.person is None:
        raise Invalid("person", "Name the person whose entities to list.")
    venue_context = viewer(request, query)
    if venue_context is None:
        return EntityPage(items=[], next_cursor=None)
    after = decode_cursor(query.cursor, _listed_entity) if query.cursor else None
    with allowed_spaces(venue_context.venue.spaces):
        found = entity_list(
            visible_rows(venue_context, timezone.now()),
            q=query.q or "",
            type=query.type or "",
            limit=query.limit + 1,
            after=after,
        )
    following = _entity_cursor(found[query.limit - 1]) if len(found) > query.limit else None
    return EntityPage(items=[entity_out(item) for item in found[: query.limit]], next_cursor=following)


@router.get("/entities/{uuid:entity_id}", response=ProfileOut, auth=read_key)
def read_entity(request: HttpRequest, entity_id: UUID, query: Query[ProfileQuery]) -> ProfileOut:
    """All that is known of one, with the memories that speak of it, the newest first, and the latest turns that do."""
    venue_context = _viewer_or_owner(request, entity_id, query)
    now = timezone.now()
    with allowed_spaces(venue_context.venue.spaces):
        seen = visible_rows(venue_context, now)
        profile = entity_profile(seen, entity_id)
        rows = memories_naming(seen.memories, profile.ids).select_related(*WITH_NAMES)
        memories, following = page(rows, ORDERS["newest"], query.limit, query.cursor)
        shown_memories = [memory_out_for(request, memory, now) for memory in memories]
        conversations = Conversation.objects.visible_from(venue_context.venue)
        naming_turns = mentions_of(Turn.objects.searchable().visible_from(venue_context.venue), profile, conversations)
        latest = Turn.objects.filter(pk__in=naming_turns[:TURNS_SHOWN]).order_by("-spoken_at", "-id")
        turns = [turn_out(turn) for turn in latest]
    return _profile_out(profile, shown_memories, following, turn_count=len(naming_turns), turns=turns)


@router.post("/entities/{uuid:entity_id}/merge", response=EntityOut, auth=write_key)
def merge_entity(
    request: HttpRequest, entity_id: UUID, payload: EntityMergeIn, viewer_query: Query[ViewerQuery]
) -> EntityOut:
    """The two are one, under the name of `into`. Undone by /entities/{id}/unmerge."""
    with _change_of(request, entity_id, viewer_query) as change:
        merge(**change.arguments, into=payload.into)
        return change.entity_out(payload.into)


@router.post("/entities/{uuid:entity_id}/unmerge", response=EntityOut, auth=write_key)
def unmerge_entity(request: HttpRequest, entity_id: UUID, viewer_query: Query[ViewerQuery]) -> EntityOut:
    """The entity stands for itself again. The id is one of `merged` of the entity that it was merged into."""
    with _change_of(request, entity_id, viewer_query) as change:
        unmerge(**change.arguments)
        return change.entity_out(entity_id)


@router.post("/entities/{uuid:entity_id}/split", response={201: EntityOut}, auth=write_key)
def split_entity(
    request: HttpRequest, entity_id: UUID, payload: SplitIn, viewer_query: Query[ViewerQuery]
) -> Status[EntityOut]:
    """In these memories it is someone else. Undone by /entities/{id of the new one}/unsplit."""
    with _change_of(request, entity_id, viewer_query) as change:
        other = split(**change.arguments, memories=payload.memories, name=payload.name or "")
        return Status(201, change.entity_out(other))


@router.post("/entities/{uuid:entity_id}/unsplit", response={204: None}, auth=write_key)
def unsplit_entity(request: HttpRequest, entity_id: UUID, viewer_query: Query[ViewerQuery]) -> Status[None]:
    """The memories speak again of whom they spoke of before."""
    with _change_of(request, entity_id, viewer_query) as change:
        unsplit(**change.arguments)
    return Status(204, None)


@dataclass(frozen=True, slots=True)
class _Change:
    """A change of an entity. seen: what the person sees, whether or not they may change it."""

    request: HttpRequest
    seen: VisibleRows
    arguments: dict[str, Any]

    def entity_out(self, entity: UUID) -> EntityOut:
        """The entity after it, as whoever asked may be told it."""
        return redacted(self.request, entity_out(entity_profile(self.seen, entity).listed), {"name": ""})


@contextmanager
def _change_of(request: HttpRequest, entity_id: UUID, viewer_query: ViewerQuery) -> Iterator[_Change]:
    venue_context, now = _viewer_or_owner(request, entity_id, viewer_query), timezone.now()
    with allowed_spaces(venue_context.venue.spaces):
        arguments = {"person": venue_context.person.id, "entity": entity_id, "author": author_of(request), "now": now}
        seen = _writable_entities(venue_context)
        yield _Change(request, visible_rows(venue_context, now), {"seen": seen, **arguments})


def _writable_entities(venue_context: VenueContext) -> VisibleRows:
    """What of what the person sees their key may part or put together."""
    seen = visible_rows(venue_context, timezone.now())
    return replace(seen, entities=writable(seen.entities, venue_context.person, venue_context.grant))


def _profile_out(
    entity_profile: EntityProfile,
    memories: list[MemoryOut],
    following: str | None,
    *,
    turn_count: int,
    turns: list[TurnOut],
) -> ProfileOut:
    return ProfileOut(
        **entity_out(entity_profile.listed).model_dump(),
        aliases=list(entity_profile.aliases),
        summary=entity_profile.summary,
        merged=[MergedOut(id=row.id, name=row.name) for row in entity_profile.merged],
        related=[entity_out(other) for other in entity_profile.related],
        memories=memories,
        next_cursor=following,
        turn_count=turn_count,
        turns=turns,
    )


def _viewer_or_owner(request: HttpRequest, entity_id: UUID, viewer_query: ViewerQuery) -> VenueContext:
    """Who asks; where nobody is named, the owner, if the key may speak for them. Raises NotFound."""
    if viewer_query.person is not None:
        venue_context = viewer(request, viewer_query)
    else:
        with every_space():
            found = Entity.objects.select_related("person").filter(id=entity_id).first()
        grant, place = grant_of(request), VenueNames(named=viewer_query.space)
        may_speak = found is not None and grant.allows(found.person.name, None)
        venue_context = (
            resolve_venue(person=found.person.name, place=place, grant=grant, create=False)
            if found and may_speak
            else None
        )
    if venue_context is None:
        raise NotFound
    return venue_context


def _entity_cursor(last: ListedEntity) -> str:
    return encode_cursor(last.mentions, last.normal, last.type, last.apart)


def _listed_entity(mentions: int, normal: str, kind: str, apart: int) -> ListedEntity:
    """The entity that a cursor stands for, as far as the order of the list needs it."""
    if not (type(mentions) is int and type(apart) is int and isinstance(normal, str) and isinstance(kind, str)):
        raise TypeError
    if not 0 <= mentions < 2**31 or not 0 <= apart < 2**15 or "\x00" in normal + kind:
        raise ValueError
    long_ago = datetime.min.replace(tzinfo=UTC)
    return ListedEntity(UUID(int=0), kind, normal, apart, "", mentions, long_ago, long_ago, None)
