"""The pages of entities: whom and what memories speak of, as far as the signed-in user reaches.

`/entities/`: whom and what memories speak of; one of them, merged and parted by hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from dashboard.access import SignedInRequest, with_viewer
from dashboard.charts import EntityGraph, entity_graph
from dashboard.dialogue import DialogueLine, dialogue_line, speaker_label
from dashboard.inbox.proposal_list import line_json
from dashboard.memories.memory_list import memory_json
from dashboard.responses import parse_uuids, show_message, show_warning, wants_json
from dashboard.viewer import Viewer
from memory_app.engine.entities.merge_and_split import merge, split, unmerge, unsplit
from memory_app.engine.entities.visible_entities import (
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
from memory_app.errors import Invalid, NotFound
from memory_app.llm.name_reader import installed_model
from memory_app.models import Conversation, Entity, EntityLink, Memory, Person, Turn
from memory_app.serializers.entity import entity_out

PAGE_SIZE = 40
MAX_MEMORIES = 50
"""Memories on the page of one entity; the list of memories has all."""

MAX_TURNS = 10
"""Turns on that page; a search finds the rest."""

ENTITY_TYPE_LABELS = {
    "person": "People",
    "project": "Projects",
    "organization": "Organizations",
    "location": "Places",
    "topic": "Subjects",
    "email": "Addresses",
    "url": "Links",
    "date": "Dates",
    "other": "Other names",
}


@dataclass(frozen=True, slots=True)
class FilterLink:
    label: str
    url: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class EntityRow:
    """One entity of a list; `owner`: whose, where the list is of several people."""

    listed: ListedEntity
    owner: str

    @property
    def kind(self) -> str:
        return ENTITY_TYPE_LABELS.get(self.listed.type, self.listed.type)


@dataclass(frozen=True, slots=True)
class EntityListing:
    """reader: the model of spaCy that reads names at night; "" where none is installed."""

    items: Sequence[EntityRow]
    q: str
    type: str
    person: str
    types: Sequence[FilterLink]
    number: int
    newer: str
    older: str
    reader: str


@dataclass(frozen=True, slots=True)
class Month:
    """The memories of one month of the timeline; start: its first moment."""

    start: datetime
    memories: Sequence[Memory]


@dataclass(frozen=True, slots=True)
class EntityPage:
    """One entity. `said`: the latest turns that name it. `mine`: whether the reader may merge and part it. `others`:
    what it may be merged into. `asks`: what the page of searches is to be asked for all that is known of it."""

    profile: EntityProfile
    memories: Sequence[Memory]
    months: Sequence[Month]
    said: Sequence[DialogueLine]
    graph: EntityGraph
    others: Sequence[ListedEntity]
    mine: bool
    is_split: bool
    owner: str
    search_query: str


def entities_seen_by(viewer: Viewer) -> VisibleRows:
    """What a user sees. Several people's entities of one name are not one: super users see them side by side."""
    now = timezone.now()
    if viewer.is_super_user:
        return VisibleRows(Entity.objects.all(), Memory.objects.current(now), by_owner=True)
    if viewer.venue_context is None:
        return VisibleRows(Entity.objects.none(), Memory.objects.none())
    return visible_rows(viewer.venue_context, now)


def list_entities(viewer: Viewer, path: str, url: QueryDict) -> EntityListing:
    """What the URL asks for: `q`, `type`, `page` and, of a super user, `person`; what means nothing is passed over."""
    q, kind = url.get("q", "").replace("\x00", "")[:200], url.get("type", "")
    person = url.get("person", "").replace("\x00", "") if viewer.is_super_user else ""
    kind = kind if kind in ENTITY_TYPE_LABELS else ""
    page = url.get("page", "1")
    number = min(int(page), 1_000) if page.isascii() and page.isdigit() and int(page) else 1
    found = entity_list(_of_person(person, entities_seen_by(viewer)), q=q, type=kind, limit=PAGE_SIZE * number + 1)
    here = {"q": q, "type": kind, "person": person}
    return EntityListing(
        items=_entity_rows(found[PAGE_SIZE * (number - 1) : PAGE_SIZE * number]),
        q=q,
        type=kind,
        person=person,
        types=[
            FilterLink(label, _url(path, {**here, "type": value}), value == kind) for value, label in _type_choices()
        ],
        number=number,
        newer=_url(path, {**here, "page": number - 1}) if number > 1 else "",
        older=_url(path, {**here, "page": number + 1}) if len(found) > PAGE_SIZE * number else "",
        reader=installed_model() or "",
    )


def _of_person(person: str, seen: VisibleRows) -> VisibleRows:
    """Of all that is seen, what is one person's own; all of it where nobody is named."""
    if not person:
        return seen
    own = {"person__name": person}
    return replace(seen, entities=seen.entities.filter(**own), memories=seen.memories.filter(**own))


def entity_page(viewer: Viewer, identifier: UUID) -> EntityPage:
    """One entity and the memories that speak of it, the latest first. Raises NotFound."""
    seen = entities_seen_by(viewer)
    told = entity_profile(seen, identifier)
    whose = Person.objects.get(id=seen.entities.filter(id__in=told.ids)[0].person_id) if viewer.is_super_user else None
    owner = editable_owner(viewer, told.ids)
    found = (
        memories_naming(seen.memories, told.ids)
        .select_related(*WITH_NAMES)
        .order_by("-created_at", "-id")[:MAX_MEMORIES]
    )
    memories = list(found)
    links = EntityLink.objects.filter(entity_id__in=told.ids)
    question = f"Tell me everything about {told.listed.name}"
    return EntityPage(
        profile=told,
        memories=memories,
        months=_months(memories),
        said=_mentioning_turns(viewer, told),
        graph=entity_graph(told.related),
        others=_others(seen, told),
        mine=owner is not None,
        is_split=links.exclude(moved_from=None).exists(),
        owner=str(whose or ""),
        search_query=urlencode({"person": whose.name, "q": question} if whose else {"q": question}),
    )


def _mentioning_turns(viewer: Viewer, told: EntityProfile) -> list[DialogueLine]:
    turns, talks = Turn.objects.searchable(), Conversation.objects.all()
    if told.listed.owner:  # as super users see them, each person's apart
        turns, talks = turns.filter(person_id=told.listed.owner), talks.filter(person_id=told.listed.owner)
    elif viewer.venue_context:
        turns, talks = turns.visible_from(viewer.venue_context.venue), talks.visible_from(viewer.venue_context.venue)
    else:
        return []
    mine = viewer.person.id if viewer.person else None
    said = mentions_of(turns, told, talks)[:MAX_TURNS]
    latest = Turn.objects.filter(pk__in=said).select_related("person").order_by("-spoken_at", "-id")
    return [
        dialogue_line(turn, [], speaker=speaker_label(turn, person=str(turn.person), mine=turn.person_id == mine))
        for turn in latest
    ]


def event_time_or_created(memory: Memory) -> datetime:
    """When what a memory tells was, by what it says; else when it was kept."""
    return memory.event_time or memory.created_at


def editable_owner(viewer: Viewer, ids: Sequence[UUID]) -> UUID | None:
    """For whom the user may change these: their own person; for a super user, whoever's they are."""
    owners = set(entities_seen_by(viewer).entities.filter(id__in=list(ids)).values_list("person_id", flat=True))
    if viewer.is_super_user:
        return next(iter(owners), None)
    own = viewer.person.id if viewer.person else None
    return own if own in owners else None


def require_own_entity(viewer: Viewer, identifier: UUID) -> UUID:
    """The person whose entity this is, to be changed. Raises NotFound where it is not for this user to change."""
    owner = editable_owner(viewer, [identifier])
    if owner is None:
        raise NotFound
    return owner


def _months(memories: Sequence[Memory]) -> list[Month]:
    """By month, in the reader's time zone, the latest first."""
    ordered = sorted(memories, key=event_time_or_created, reverse=True)
    grouped = groupby(ordered, key=lambda memory: timezone.localtime(event_time_or_created(memory)).strftime("%Y-%m"))
    of_months = [list(of_month) for _, of_month in grouped]
    return [Month(event_time_or_created(of_month[0]), of_month) for of_month in of_months]


def _others(seen: VisibleRows, told: EntityProfile) -> list[ListedEntity]:
    found = entity_list(seen, type=told.listed.type, limit=MAX_MEMORIES * 4)
    return sorted(
        (one for one in found if one.id not in told.ids and one.owner == told.listed.owner),
        key=lambda one: one.normal,
    )


def _entity_rows(found: Sequence[ListedEntity]) -> list[EntityRow]:
    names = dict[Any, str]()
    owners = {one.owner for one in found if one.owner}
    if owners:
        names = {person.id: str(person) for person in Person.objects.filter(id__in=owners)}
    return [EntityRow(one, names.get(one.owner, "")) for one in found]


def _type_choices() -> list[tuple[str, str]]:
    return [("", "All"), *ENTITY_TYPE_LABELS.items()]


def _url(path: str, parts: dict[str, Any]) -> str:
    said = {name: value for name, value in parts.items() if value and value != 1}
    return f"{path}?{urlencode(said)}" if said else path


@require_safe
@with_viewer
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    listed = list_entities(viewer, request.path, request.GET)
    if wants_json(request):
        items = [entity_out(item.listed).model_dump(mode="json") for item in listed.items]
        return JsonResponse({"items": items, "page": listed.number, "next": listed.older or None})
    return render(request, "dashboard/entities.html", {"viewer": viewer, "list": listed})


@require_safe
@with_viewer
def show_one(request: SignedInRequest, viewer: Viewer, entity_id: UUID) -> HttpResponse:
    now = timezone.now()
    page = entity_page(viewer, entity_id)
    if wants_json(request):
        told = page.profile
        return JsonResponse(
            {
                **entity_out(told.listed).model_dump(mode="json"),
                "aliases": list(told.aliases),
                "summary": told.summary,
                "related": [entity_out(other).model_dump(mode="json") for other in told.related],
                "turns": [line_json(line) for line in page.said],
                "memories": [memory_json(memory, now, masked=memory.sensitive) for memory in page.memories],
            }
        )
    return render(request, "dashboard/entity.html", {"viewer": viewer, "now": now, "page": page})


@require_POST
@with_viewer
def merge_entity(request: SignedInRequest, viewer: Viewer, entity_id: UUID) -> HttpResponse:
    person, into = require_own_entity(viewer, entity_id), parse_uuids([request.POST.get("into", "")])
    if not into:
        show_warning(request, "Choose whom or what this is.")
        return redirect("entity", entity_id)
    try:
        merge(
            seen=entities_seen_by(viewer),
            person=person,
            entity=entity_id,
            into=into[0],
            author=viewer.author(),
            now=timezone.now(),
        )
        show_message(request, "They are one now. You can take them apart again below.")
    except Invalid as error:
        show_warning(request, str(error))
        return redirect("entity", entity_id)
    return redirect("entity", into[0])


@require_POST
@with_viewer
def take_out_entity(request: SignedInRequest, viewer: Viewer, entity_id: UUID) -> HttpResponse:
    person = require_own_entity(viewer, entity_id)
    try:
        unmerge(
            seen=entities_seen_by(viewer), person=person, entity=entity_id, author=viewer.author(), now=timezone.now()
        )
        show_message(request, "It stands for itself again.")
    except Invalid as error:
        show_warning(request, str(error))
    return _redirect_to_entity(viewer, entity_id)


@require_POST
@with_viewer
def split_entity(request: SignedInRequest, viewer: Viewer, entity_id: UUID) -> HttpResponse:
    person = require_own_entity(viewer, entity_id)
    try:
        other = split(
            seen=entities_seen_by(viewer),
            person=person,
            entity=entity_id,
            memories=parse_uuids(request.POST.getlist("memory")),
            name=request.POST.get("name", "").replace("\x00", ""),
            author=viewer.author(),
            now=timezone.now(),
        )
    except Invalid:
        show_warning(request, "Tick the memories that speak of someone else first.")
        return redirect("entity", entity_id)
    show_message(request, "Parted. This page is of the one you ticked the memories for.")
    return redirect("entity", other)


@require_POST
@with_viewer
def put_together_entity(request: SignedInRequest, viewer: Viewer, entity_id: UUID) -> HttpResponse:
    person = require_own_entity(viewer, entity_id)
    try:
        unsplit(
            seen=entities_seen_by(viewer), person=person, entity=entity_id, author=viewer.author(), now=timezone.now()
        )
        show_message(request, "They are one again.")
    except Invalid as error:
        show_warning(request, str(error))
    return redirect("entities")


def _redirect_to_entity(viewer: Viewer, entity_id: UUID) -> HttpResponse:
    """One whose memories were parted since, or went, has none."""
    try:
        entity_page(viewer, entity_id)
    except NotFound:
        return redirect("entities")
    return redirect("entity", entity_id)
