"""`/account/`: who is signed in and on which devices, ending sessions, and how the pages look."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allauth.usersessions.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from dashboard.access import SignedInRequest, get_view, post_view
from dashboard.responses import fields_json, redirect_back, show_message, wants_json
from dashboard.viewer import Viewer
from dashboard.wording import pluralize
from memory_app.errors import NotFound
from memory_app.models import User

BROWSERS = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
SYSTEMS = (("Android", "Android"), ("iPhone", "an iPhone"), ("iPad", "an iPad"), ("Windows", "Windows"),
           ("Mac OS X", "a Mac"), ("CrOS", "ChromeOS"), ("Linux", "Linux"))  # fmt: skip
"""Parts of a user agent, the most specific first: Edge calls itself Chrome too, and Android Linux."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session. current: whether it is this one."""

    session: UserSession
    current: bool

    @property
    def device(self) -> str:
        """Such as "Firefox on Linux"."""
        return describe_device(self.session.user_agent)


def list_sessions(request: SignedInRequest) -> Sequence[SessionRow]:
    """Those of the user that are still valid, this one first, then the latest. Records this one if nothing did yet."""
    key = request.session.session_key
    if not UserSession.objects.filter(session_key=key).exists():
        UserSession.objects.create_from_request(request)
    found = [SessionRow(row, row.session_key == key) for row in UserSession.objects.purge_and_list(request.user)]
    return sorted(found, key=lambda one: (one.current, one.session.last_seen_at), reverse=True)


def session_json(one: SessionRow) -> dict[str, Any]:
    """A session without its key, which would open it."""
    return {
        **fields_json(one.session, "id", "created_at", "last_seen_at"),
        "device": one.device,
        "address": one.session.ip,
        "current": one.current,
    }


def end_session(request: SignedInRequest, number: int) -> None:
    """Ends another session of the user. Raises NotFound."""
    ended = _other_sessions(request, id=number)
    if not ended:
        raise NotFound
    get_adapter().end_sessions(ended)


def end_other_sessions(request: SignedInRequest) -> int:
    """Ends all but this one; answers how many these were."""
    ended = _other_sessions(request)
    get_adapter().end_sessions(ended)
    return len(ended)


def end_all_sessions(user: User) -> None:
    """Ends every session of someone, such as one whose login is switched off."""
    get_adapter().end_sessions(list(UserSession.objects.filter(user=user)))


def _other_sessions(request: SignedInRequest, **which: int) -> list[UserSession]:
    own = UserSession.objects.filter(user=request.user, **which)
    return list(own.exclude(session_key=request.session.session_key))


def describe_device(user_agent: str) -> str:
    """The browser and its system, as far as the user agent says."""
    browser = next((name for mark, name in BROWSERS if mark in user_agent), "A browser")
    system = next((name for mark, name in SYSTEMS if mark in user_agent), "")
    return f"{browser} on {system}" if system else browser


APPEARANCE_COOKIES = {"theme": ("system", "light", "dark"), "shortcuts": ("on", "off")}
"""Cookies and their values; the first value is the default, without a cookie."""

COOKIE_AGE = 365 * 24 * 60 * 60


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    sessions = list_sessions(request)
    if wants_json(request):
        person = viewer.person.name if viewer.person else None
        user = {"name": request.user.get_username(), "person": person, "super": viewer.is_super_user}
        return JsonResponse({**user, "sessions": [session_json(one) for one in sessions]})
    return render(request, "dashboard/account.html", {"viewer": viewer, "sessions": sessions})


@require_POST
def change_appearance(request: HttpRequest) -> HttpResponse:
    """Remembers light or dark, and whether there are shortcuts, in this browser. Works on the sign-in page too."""
    answer = redirect_back(request, reverse("overview"))
    for name, values in APPEARANCE_COOKIES.items():
        value = request.POST.get(name)
        if value == values[0]:
            answer.delete_cookie(name, samesite="Strict")
        elif value in values:
            answer.set_cookie(
                name, value, max_age=COOKIE_AGE, samesite="Strict", httponly=True, secure=request.is_secure()
            )
    return answer


@post_view
def end(request: SignedInRequest, viewer: Viewer, session_id: int) -> HttpResponse:
    end_session(request, session_id)
    show_message(request, "Ended. Whoever uses that browser has to sign in again.")
    return redirect("account")


@post_view
def end_others(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    ended = end_other_sessions(request)
    show_message(request, f"Ended {pluralize(ended, 'session')}. You are signed in here alone.")
    return redirect("account")
