"""`/conflicts/{id}/…`: the person says which of two memories holds, and takes that back."""

from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from dashboard.access import Asked, signed_in
from dashboard.answer import say, warn
from dashboard.inbox.after import after_many, after_one
from dashboard.inbox.wording import OUTCOMES
from dashboard.reach import Reach
from memory_app.embedding.encoder import current
from memory_app.engine.conflicts.answer import answer, reopen
from memory_app.errors import InConflict, Invalid, NotGranted
from memory_app.models import ConflictAnswer


@require_POST
@signed_in
def answer_conflict(request: Asked, reach: Reach, conflict_id: UUID) -> HttpResponse:
    """With `keep` newest, oldest, both or merged; for the last, `content` is the text that says both."""
    conflict = reach.find_conflict(conflict_id)
    keep = request.POST.get("keep", "")
    content = request.POST.get("content", "") if keep == ConflictAnswer.MERGED else None
    try:
        if keep not in ConflictAnswer.values:
            raise Invalid("keep", "Choose the newest, the old one, both, or one text for both.")
        answer(
            conflict=conflict,
            holds=ConflictAnswer(keep),
            content=content,
            grant=reach.grant,
            author=reach.author(),
            now=timezone.now(),
            encoder=current(),
        )
    except (InConflict, Invalid, NotGranted) as error:
        warn(request, str(error))
        return after_many(request, reach, focus=[conflict.id])
    say(request, OUTCOMES[keep], reopen=[conflict.id])
    return after_one(request, reach)


@require_POST
@signed_in
def reopen_conflict(request: Asked, reach: Reach, conflict_id: UUID) -> HttpResponse:
    """Undoes an answer."""
    conflict = reach.find_conflict(conflict_id)
    reopen(conflict=conflict, grant=reach.grant, author=reach.author(), now=timezone.now())
    say(request, "Undone: it waits again.")
    return after_many(request, reach, focus=[conflict.id])
