"""`/conflicts/{id}/…`: the person says which of two memories holds, and takes that back."""

from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone

from dashboard.access import SignedInRequest, post_view
from dashboard.inbox import answer_for_card, answer_for_list
from dashboard.proposal_wording import OUTCOME_MESSAGES
from dashboard.responses import show_message, show_warning
from dashboard.viewer import Viewer
from memory_app.embedding.encoder import current_encoder
from memory_app.engine.conflicts.answer import answer, reopen
from memory_app.errors import ConflictError, Invalid, NotAllowed
from memory_app.models import ConflictAnswer


@post_view
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


@post_view
def reopen_conflict(request: SignedInRequest, viewer: Viewer, conflict_id: UUID) -> HttpResponse:
    """Undoes an answer."""
    conflict = viewer.find_conflict(conflict_id)
    reopen(conflict=conflict, grant=viewer.grant, author=viewer.author(), now=timezone.now())
    show_message(request, "Undone: it waits again.")
    return answer_for_list(request, viewer, focus=[conflict.id])
