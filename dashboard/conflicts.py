"""`/conflicts/{id}/…`: the person says which of two memories holds, and takes that back."""

from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from dashboard.access import SignedInRequest, with_viewer
from dashboard.inbox.proposal_list import answer_for_card, answer_for_list
from dashboard.inbox.proposal_wording import OUTCOME_MESSAGES
from dashboard.responses import show_message, show_warning
from dashboard.viewer import Viewer
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.conflicts.answer import answer, reopen
from memory_app.errors import ConflictError, Invalid, NotAllowed
from memory_app.models import ConflictAnswer


@require_POST
@with_viewer
def answer_conflict(request: SignedInRequest, viewer: Viewer, conflict_id: UUID) -> HttpResponse:
    """With `keep` newest, oldest, both or merged; for the last, `content` is the text that says both."""
    conflict = viewer.find_conflict(conflict_id)
    keep = request.POST.get("keep", "")
    content = request.POST.get("content", "") if keep == ConflictAnswer.MERGED else None
    try:
        if keep not in ConflictAnswer.values:
            raise Invalid("keep", "Choose the newest, the old one, both, or one text for both.")
        answer(
            conflict=conflict,
            holds=ConflictAnswer(keep),
            content=content,
            grant=viewer.grant,
            author=viewer.author(),
            now=timezone.now(),
            encoder=current_encoder(),
        )
    except (ConflictError, Invalid, NotAllowed) as error:
        show_warning(request, str(error))
        return answer_for_list(request, viewer, focus=[conflict.id])
    show_message(request, OUTCOME_MESSAGES[keep], reopen=[conflict.id])
    return answer_for_card(request, viewer)


@require_POST
@with_viewer
def reopen_conflict(request: SignedInRequest, viewer: Viewer, conflict_id: UUID) -> HttpResponse:
    """Undoes an answer."""
    conflict = viewer.find_conflict(conflict_id)
    reopen(conflict=conflict, grant=viewer.grant, author=viewer.author(), now=timezone.now())
    show_message(request, "Undone: it waits again.")
    return answer_for_list(request, viewer, focus=[conflict.id])
