"""`/conversations/{id}/`: what was said, verbatim, and what was noticed in it."""

from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from dashboard.access import Asked, signed_in
from dashboard.answer import back, wants_json
from dashboard.reach import Reach
from dashboard.sensitive import hide, is_revealed, reveal
from dashboard.talk import as_json, talk


@require_safe
@signed_in
def show(request: Asked, reach: Reach, conversation_id: UUID) -> HttpResponse:
    now = timezone.now()
    conversation = reach.find_conversation(conversation_id)
    clear = is_revealed(request, conversation.id, now)
    page = talk(reach, conversation, request.GET, clear=clear)
    if wants_json(request):
        return JsonResponse(as_json(page))
    return render(request, "dashboard/conversation.html", {"reach": reach, "now": now, "talk": page, "clear": clear})


@require_POST
@signed_in
def reveal_conversation(request: Asked, reach: Reach, conversation_id: UUID) -> HttpResponse:
    """Shows what is sensitive in it for some minutes, or hides it again."""
    conversation, now = reach.find_conversation(conversation_id), timezone.now()
    if "hide" in request.POST:
        hide(request, conversation.id, now)
    else:
        reveal(request, conversation.id, now)
    return back(request, reverse("conversation", args=[conversation_id]))
