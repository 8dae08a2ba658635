"""`/memories/{id}/move/` and `/memories/move/`: a person chooses who may see their memories."""

from collections.abc import Sequence
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from dashboard.access import SignedInRequest, form_view, post_view
from dashboard.responses import parse_uuids, redirect_back, show_message, show_warning
from dashboard.viewer import Viewer, memory_ref
from dashboard.wording import pluralize
from memory_app.engine.audit.log import Author
from memory_app.engine.people.move_memory import NOT_YOURS, STAYS_PRIVATE, Level, move, possible_levels
from memory_app.engine.venue_context import VenueContext
from memory_app.errors import Invalid, NotAllowed, NotFound
from memory_app.models import Memory
from memory_app.rules.visibility import Visibility

MAX_SHOWN = 20
"""Memories that the page of the choice shows."""

ALREADY_THERE = "It was there already, so nothing was changed."


@form_view
def move_memory(request: SignedInRequest, viewer: Viewer, memory_id: UUID) -> HttpResponse:
    memory = viewer.find_own_memory(memory_id)
    if memory.deleted_at is not None:
        raise NotFound
    venue_context = _viewer_as_person(viewer)
    if memory.person_id != venue_context.person.id:
        raise NotAllowed(NOT_YOURS)
    chosen = _chosen_level(request, venue_context)
    if chosen is None:
        return _choice_page(request, viewer, [memory], venue_context)
    author = viewer.author()
    moved = move(venue_context=venue_context, at=memory_ref(memory), to=chosen, author=author, now=timezone.now())
    if moved.version == memory.version:
        show_warning(request, ALREADY_THERE)
    else:
        show_message(request, f"Moved. {describe_viewers(chosen)}", undo=author.request)
    return redirect("memory", memory_id)


@post_view
def move_chosen(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    """Asks where to move the memories that were ticked, then moves them. Sensitive ones, those of others and those
    already there are left as they are."""
    venue_context = _viewer_as_person(viewer)
    ticked = (
        viewer.own_memories()
        .undeleted()
        .filter(person_id=venue_context.person.id, id__in=parse_uuids(request.POST.getlist("memory")))
    )
    memories, chosen = list(ticked), _chosen_level(request, venue_context)
    if not memories:
        show_warning(request, "Tick memories of your own first.")
        return redirect_back(request, reverse("memories"))
    if chosen is None:
        return _choice_page(request, viewer, memories, venue_context)
    author, before = viewer.author(), {memory.id: memory.version for memory in memories}
    results = [_try_move(venue_context, memory, chosen, author) for memory in memories]
    moved = [one for one in results if one and one.version > before[one.id]]
    if moved:
        show_message(
            request,
            f"Moved {pluralize(len(moved), 'memory', 'memories')}. {describe_viewers(chosen)}",
            undo=author.request,
        )
    else:
        show_warning(request, "None of these could be moved there.")
    return redirect_back(request, reverse("memories"))


def describe_level(level: Level) -> str:
    """A level in the words of a choice."""
    match level.visibility:
        case Visibility.PRIVATE:
            return "Only me, in private talks"
        case Visibility.GLOBAL:
            return "Only me, wherever I talk"
        case Visibility.SPACE:
            return f"Everyone in {level.name}"
    return "Everyone"


def describe_viewers(level: Level) -> str:
    """Who sees a memory of that level, in a sentence."""
    if level.visibility in (Visibility.PRIVATE, Visibility.GLOBAL):
        return "Nobody else will be able to see this."
    return f"{pluralize(level.people, 'person', 'people')} will be able to see this."


def _viewer_as_person(viewer: Viewer) -> VenueContext:
    """The viewer as a person: not even a super user decides this for another."""
    if viewer.venue_context is None:
        raise NotAllowed(NOT_YOURS)
    return viewer.venue_context


def _level_value(level: Level) -> str:
    return f"{level.visibility}:{level.space}"


def _chosen_level(request: SignedInRequest, venue_context: VenueContext) -> Level | None:
    choices = {_level_value(level): level for level in possible_levels(venue_context)}
    return choices.get(request.POST.get("to", ""))


def _choice_page(
    request: SignedInRequest, viewer: Viewer, memories: Sequence[Memory], venue_context: VenueContext
) -> HttpResponse:
    current_levels = {f"{memory.visibility}:{memory.space_id}" for memory in memories}
    choices = [
        (_level_value(level), describe_level(level), describe_viewers(level), current_levels == {_level_value(level)})
        for level in possible_levels(venue_context)
    ]
    context = {
        "viewer": viewer,
        "memories": memories[:MAX_SHOWN],
        "more": max(0, len(memories) - MAX_SHOWN),
        "ticked": memories if "memory" in request.POST else [],
        "choices": choices,
        "sensitive": STAYS_PRIVATE if any(memory.sensitive for memory in memories) else "",
    }
    return render(request, "dashboard/move_memories.html", context, status=422 if "to" in request.POST else 200)


def _try_move(venue_context: VenueContext, memory: Memory, to: Level, author: Author) -> Memory | None:
    try:
        return move(venue_context=venue_context, at=memory_ref(memory), to=to, author=author, now=timezone.now())
    except (Invalid, NotFound, NotAllowed):
        return None
