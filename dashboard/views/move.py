"""`/memories/{id}/move/` and `/memories/move/`: who may see memories, chosen by their person, who is told before how
many people that is."""

from collections.abc import Sequence
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.access import Asked, signed_in
from dashboard.answer import back, say, uuids, warn
from dashboard.reach import Reach, at
from dashboard.words import count
from memory_app.engine.author import Author
from memory_app.engine.enter import Entered
from memory_app.engine.passing.move import NOT_YOURS, STAYS_PRIVATE, Level, levels, move
from memory_app.errors import Invalid, NotFound, NotGranted
from memory_app.models import Memory
from memory_app.rules.visibility import Visibility

SHOWN = 20
"""Of many memories, how many the page of the choice shows."""

THERE_ALREADY = "It was there already, so nothing was changed."


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def move_memory(request: Asked, reach: Reach, memory_id: UUID) -> HttpResponse:
    memory = reach.find_own(memory_id)
    if memory.deleted_at is not None:
        raise NotFound
    entered = _person(reach)
    if memory.person_id != entered.person.id:
        raise NotGranted(NOT_YOURS)
    chosen = _chosen(request, entered)
    if chosen is None:
        return _choice(request, reach, [memory], entered)
    author = reach.author()
    moved = move(entered=entered, at=at(memory), to=chosen, author=author, now=timezone.now())
    if moved.version == memory.version:
        warn(request, THERE_ALREADY)
    else:
        say(request, f"Moved. {seen_by(chosen)}", undo=author.request)
    return redirect("memory", memory_id)


@require_POST
@signed_in
def move_chosen(request: Asked, reach: Reach) -> HttpResponse:
    """Asks where to, of the memories that were ticked; then moves them. What is sensitive, or there already, or not
    one's own, is passed over."""
    entered = _person(reach)
    ticked = reach.own().kept().filter(person_id=entered.person.id, id__in=uuids(request.POST.getlist("memory")))
    memories, chosen = list(ticked), _chosen(request, entered)
    if not memories:
        warn(request, "Tick memories of your own first.")
        return back(request, reverse("memories"))
    if chosen is None:
        return _choice(request, reach, memories, entered)
    author, before = reach.author(), {memory.id: memory.version for memory in memories}
    done = [_moved(entered, memory, chosen, author) for memory in memories]
    moved = [one for one in done if one and one.version > before[one.id]]
    if moved:
        say(request, f"Moved {count(len(moved), 'memory', 'memories')}. {seen_by(chosen)}", undo=author.request)
    else:
        warn(request, "None of these could be moved there.")
    return back(request, reverse("memories"))


def offered(level: Level) -> str:
    """A level as someone chooses it."""
    match level.visibility:
        case Visibility.PRIVATE:
            return "Only me, in private talks"
        case Visibility.GLOBAL:
            return "Only me, wherever I talk"
        case Visibility.SPACE:
            return f"Everyone in {level.name}"
    return "Everyone"


def seen_by(level: Level) -> str:
    """Whom a memory of that level is seen by, in a sentence."""
    if level.visibility in (Visibility.PRIVATE, Visibility.GLOBAL):
        return "Nobody else will be able to see this."
    return f"{count(level.people, 'person', 'people')} will be able to see this."


def _person(reach: Reach) -> Entered:
    """The reader as a person: not even a super user decides this for another."""
    if reach.entered is None:
        raise NotGranted(NOT_YOURS)
    return reach.entered


def _value(level: Level) -> str:
    return f"{level.visibility}:{level.space}"


def _chosen(request: Asked, entered: Entered) -> Level | None:
    choices = {_value(level): level for level in levels(entered)}
    return choices.get(request.POST.get("to", ""))


def _choice(request: Asked, reach: Reach, memories: Sequence[Memory], entered: Entered) -> HttpResponse:
    now_at = {f"{memory.visibility}:{memory.space_id}" for memory in memories}
    choices = [(_value(level), offered(level), seen_by(level), now_at == {_value(level)}) for level in levels(entered)]
    context = {
        "reach": reach,
        "memories": memories[:SHOWN],
        "more": max(0, len(memories) - SHOWN),
        "ticked": memories if "memory" in request.POST else [],
        "choices": choices,
        "sensitive": STAYS_PRIVATE if any(memory.sensitive for memory in memories) else "",
    }
    return render(request, "dashboard/move.html", context, status=422 if "to" in request.POST else 200)


def _moved(entered: Entered, memory: Memory, to: Level, author: Author) -> Memory | None:
    try:
        return move(entered=entered, at=at(memory), to=to, author=author, now=timezone.now())
    except (Invalid, NotFound, NotGranted):
        return None
