"""`/account/sessions/`: end a session of one's own, on another device or all of them."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from dashboard.access import Asked, signed_in
from dashboard.answer import say
from dashboard.reach import Reach
from dashboard.sessions import end_all_others, end_session
from dashboard.words import count


@require_POST
@signed_in
def end(request: Asked, reach: Reach, session_id: int) -> HttpResponse:
    end_session(request, session_id)
    say(request, "Ended. Whoever uses that browser has to sign in again.")
    return redirect("you")


@require_POST
@signed_in
def end_others(request: Asked, reach: Reach) -> HttpResponse:
    ended = end_all_others(request)
    say(request, f"Ended {count(ended, 'session')}. You are signed in here alone.")
    return redirect("you")
