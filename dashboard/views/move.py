"""`/memories/{id}/move/`: who may see a memory, chosen by its person, who is told before how many people that is."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from memory_app.engine.enter import Entered
from memory_app.engine.move import NOT_YOURS, STAYS_PRIVATE, Level, levels, move
from memory_app.errors import NotFound, NotGranted
from memory_app.models import Memory
from memory_app.rules.visibility import Visibility

from ..access import Asked, signed_in
from ..answer import say, warn
from ..reach import Reach, at
from ..words import count


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def move_memory(request: Asked, reach: Reach, memory_id: UUID) -> HttpResponse:
    memory, entered = _own(reach, memory_id)
    choices = {_value(level): level for level in levels(entered)}
    chosen = choices.get(request.POST.get("to", ""))
    if request.method != "POST" or chosen is None:
        now_at = f"{memory.visibility}:{memory.space_id}"
        told = [(value, offered(level), seen_by(level), value == now_at) for value, level in choices.items()]
        context = {"reach": reach, "memory": memory, "choices": told, "sensitive": memory.sensitive and STAYS_PRIVATE}
        return render(request, "dashboard/move.html", context, status=422 if request.method == "POST" else 200)
    author, before = reach.author(), memory.version
    moved = move(entered=entered, at=at(memory), to=chosen, author=author, now=timezone.now())
    if moved.version == before:
        warn(request, "It was there already, so nothing was changed.")
    else:
        say(request, f"Moved. {seen_by(chosen)}", undo=author.request)
    return redirect("memory", memory_id)


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


def _value(level: Level) -> str:
    return f"{level.visibility}:{level.space}"


def _own(reach: Reach, memory_id: UUID) -> tuple[Memory, Entered]:
    """The memory, and its person, who is the reader: not even a super user decides this for another."""
    memory = reach.find_own(memory_id)
    if memory.deleted_at is not None:
        raise NotFound
    if reach.entered is None or memory.person_id != reach.entered.person.id:
        raise NotGranted(NOT_YOURS)
    return memory, reach.entered
