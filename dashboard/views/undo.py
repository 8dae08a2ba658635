"""`/undo/{request}/`: take back all that one request, or one run of a job, did."""

from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from dashboard.access import Asked, signed_in
from dashboard.answer import back, say, warn
from dashboard.reach import Reach
from dashboard.words import count
from memory_app.engine.forgetting.undo import Undone, undo


@require_POST
@signed_in
def undo_request(request: Asked, reach: Reach, request_id: UUID) -> HttpResponse:
    operations = reach.operations().filter(request_id=str(request_id))
    undone = undo(operations=operations, grant=reach.grant, author=reach.author(), now=timezone.now())
    if undone.number:
        say(request, told_undone(undone))
    else:
        warn(request, "There was nothing left to undo.")
    return back(request, reverse("memories"))


def told_undone(undone: Undone) -> str:
    """What was taken back, in a sentence."""
    acts = (
        ("brought back", undone.restored),
        ("forgot", undone.forgotten),
        ("put back as before", undone.put_back),
    )
    said = "; ".join(f"{act} {count(len(memories), 'memory', 'memories')}" for act, memories in acts if memories)
    return f"{said[:1].upper()}{said[1:]}."
