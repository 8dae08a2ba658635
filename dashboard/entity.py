"""`/entities/{id}/`: one name with the memories and turns that mention it; merging and splitting by hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view, post_view
from dashboard.charts import EntityGraph, entity_graph
from dashboard.dialogue import DialogueLine, dialogue_line, line_json, speaker_label
from dashboard.entities import entities_seen_by
from dashboard.masking import memory_json
from dashboard.responses import clean_text, parse_uuids, show_message, show_warning, wants_json
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
)
from memory_app.engine.memories.find import WITH_NAMES
from memory_app.errors import Invalid, NotFound
from memory_app.models import Conversation, EntityLink, Memory, Person, Turn
from memory_app.serializers.entity import entity_out

MAX_MEMORIES = 50
"""Memories on the page of one entity; the list of memories has all."""

MAX_TURNS = 10
"""Turns on the same page; a search finds the rest."""


@dataclass(frozen=True, slots=True)
class Month:
    """The memories of one month of the timeline; start: its first moment."""

    start: datetime
    memories: Sequence[Memory]


@dataclass(frozen=True, slots=True)
class EntityPage:
    """One entity. turns: the latest that mention it. mine: whether the viewer may merge and split it. others: what it
    may be merged into. search_query: the query string of a search for all that is known of it."""

    profile: EntityProfile
    memories: Sequence[Memory]
    months: Sequence[Month]
    turns: Sequence[DialogueLine]
    graph: EntityGraph
    others: Sequence[ListedEntity]
    mine: bool
    is_split: bool
    owner: str
    search_query: str


def entity_page(viewer: Viewer, identifier: UUID) -> EntityPage:
    """One entity and the memories that speak of it, the latest first. Raises NotFound."""
    seen = entities_seen_by(viewer)
    profile = entity_profile(seen, identifier)
    whose = (
        Person.objects.get(id=seen.entities.filter(id__in=profile.ids)[0].person_id) if viewer.is_super_user else None
    )
    owner = editable_owner(viewer, profile.ids)
    found = memories_naming(seen.memories, profile.ids).select_related(*WITH_NAMES)
    memories = list(found.order_by("-created_at", "-id")[:MAX_MEMORIES])
    links = EntityLink.objects.filter(entity_id__in=profile.ids)
    question = f"Tell me everything about {profile.listed.name}"
    return EntityPage(
        profile=profile,
        memories=memories,
        months=_months(memories),
        turns=_mentioning_turns(viewer, profile),
        graph=entity_graph(profile.related),
        others=_others(seen, profile),
        mine=owner is not None,
        is_split=links.exclude(moved_from=None).exists(),
        owner=str(whose or ""),
        search_query=urlencode({"person": whose.name, "q": question} if whose else {"q": question}),
    )


def _mentioning_turns(viewer: Viewer, profile: EntityProfile) -> list[DialogueLine]:
    turns, conversations = Turn.objects.searchable(), Conversation.objects.all()
    if profile.listed.owner:  # as super users see them, each person's apart
        turns, conversations = (
            turns.filter(person_id=profile.listed.owner),
            conversations.filter(person_id=profile.listed.owner),
        )
    elif viewer.venue_context:
        turns, conversations = (
            turns.visible_from(viewer.venue_context.venue),
            conversations.visible_from(viewer.venue_context.venue),
        )
    else:
        return []
    mine = viewer.person.id if viewer.person else None
    ids = mentions_of(turns, profile, conversations)[:MAX_TURNS]
    latest = Turn.objects.filter(pk__in=ids).select_related("person").order_by("-spoken_at", "-id")
    return [
        dialogue_line(turn, [], speaker=speaker_label(turn, person=str(turn.person), mine=turn.person_id == mine))
        for turn in latest
    ]


def event_time_or_created(memory: Memory) -> datetime:
    """When the event of a memory was; else when it was saved."""
    return memory.event_time or memory.created_at


def editable_owner(viewer: Viewer, ids: Sequence[UUID]) -> UUID | None:
    """The person whose entities these are, if the viewer may change them."""
    owners = set(entities_seen_by(viewer).entities.filter(id__in=list(ids)).values_list("person_id", flat=True))
    if viewer.is_super_user:
        return next(iter(owners), None)
    own = viewer.person.id if viewer.person else None
    return own if own in owners else None


def require_own_entity(viewer: Viewer, identifier: UUID) -> UUID:
    """The person whose entity this is. Raises NotFound where the viewer may not change it."""
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


def _others(seen: VisibleRows, profile: EntityProfile) -> list[ListedEntity]:
    found = entity_list(seen, type=profile.listed.type, limit=MAX_MEMORIES * 4)
    return sorted(
        (one for one in found if one.id not in profile.ids and one.owner == profile.listed.owner),
        key=lambda one: one.normal,
    )


@get_view
def show(request: SignedInRequest, viewer: Viewer, entity_id: UUID) -> HttpResponse:
    now = timezone.now()
    page = entity_page(viewer, entity_id)
    if wants_json(request):
        profile = page.profile
        return JsonResponse(
            {
                **entity_out(profile.listed).model_dump(mode="json"),
                "aliases": list(profile.aliases),
                "summary": profile.summary,
                "related": [entity_out(other).model_dump(mode="json") for other in profile.related],
                "turns": [line_json(line) for line in page.turns],
                "memories": [memory_json(memory, now, masked=memory.sensitive) for memory in page.memories],
            }
        )
    return render(request, "dashboard/entity.html", {"viewer": viewer, "now": now, "page": page})


@post_view
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


@post_view
def split_entity(request: SignedInRequest, viewer: Viewer, entity_id: UUID) -> HttpResponse:
    person = require_own_entity(viewer, entity_id)
    try:
        other = split(
            seen=entities_seen_by(viewer),
            person=person,
            entity=entity_id,
            memories=parse_uuids(request.POST.getlist("memory")),
            name=clean_text(request.POST.get("name", "")),
            author=viewer.author(),
            now=timezone.now(),
        )
    except Invalid:
        show_warning(request, "Tick the memories that speak of someone else first.")
        return redirect("entity", entity_id)
    show_message(request, "Parted. This page is of the one you ticked the memories for.")
    return redirect("entity", other)


@post_view
def take_out_entity(request: SignedInRequest, viewer: Viewer, entity_id: UUID) -> HttpResponse:
    """Undoes that it was merged into another."""
    _try_undo(request, viewer, entity_id, unmerge, "It stands for itself again.")
    return _redirect_to_entity(viewer, entity_id)


@post_view
def put_together_entity(request: SignedInRequest, viewer: Viewer, entity_id: UUID) -> HttpResponse:
    """Undoes that it was split off another."""
    _try_undo(request, viewer, entity_id, unsplit, "They are one again.")
    return redirect("entities")


def _try_undo(
    request: SignedInRequest, viewer: Viewer, entity_id: UUID, undo: Callable[..., object], message: str
) -> None:
    person, seen = require_own_entity(viewer, entity_id), entities_seen_by(viewer)
    try:
        undo(seen=seen, person=person, entity=entity_id, author=viewer.author(), now=timezone.now())
        show_message(request, message)
    except Invalid as error:
        show_warning(request, str(error))


def _redirect_to_entity(viewer: Viewer, entity_id: UUID) -> HttpResponse:
    """To its page, or to the list: an entity without memories has no page."""
    try:
        entity_page(viewer, entity_id)
    except NotFound:
        return redirect("entities")
    return redirect("entity", entity_id)
