"""`/undo/{request}/`: bring back all that one request forgot."""

from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from memory_app.engine.undo import undo

from ..access import Asked, signed_in
from ..answer import back, say, warn
from ..reach import Reach
from ..words import count


@require_POST
@signed_in
def undo_request(request: Asked, reach: Reach, request_id: UUID) -> HttpResponse:
    operations = reach.operations().filter(request_id=str(request_id))
    restored = undo(operations=operations, author=reach.author(), now=timezone.now())
    if restored:
        say(request, f"Brought back {count(len(restored), 'memory', 'memories')}.")
    else:
        warn(request, "There was nothing left to undo.")
    return back(request, reverse("memories"))
