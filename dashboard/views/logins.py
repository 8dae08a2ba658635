"""`/logins/`: who signs in here, and as what. Changed by super users who give their password again."""

from collections.abc import Callable

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from dashboard.access import Asked, only_super, signed_in
from dashboard.answer import say, wants_json, warn
from dashboard.logins import login_json, logins
from dashboard.password import refusal
from dashboard.reach import Reach
from dashboard.sessions import end_all_of
from memory_app.engine.logins import demote_login, link_login, promote_login, switch_login_off, switch_login_on
from memory_app.errors import InConflict, Invalid
from memory_app.models import User


@require_safe
@signed_in
def show(request: Asked, reach: Reach) -> HttpResponse:
    only_super(reach)
    listing = logins(request.GET.get("q", ""), request.GET.get("page"))
    if wants_json(request):
        return JsonResponse(
            {"items": [login_json(row) for row in listing.rows], "total": listing.total, "page": listing.number,
             "pages": listing.pages, "next": listing.older or None}
        )  # fmt: skip
    return render(request, "dashboard/logins.html", {"reach": reach, "listing": listing})


@require_POST
@signed_in
def promote(request: Asked, reach: Reach, login_id: int) -> HttpResponse:
    def change() -> str:
        user = promote_login(login=login_id, author=reach.author(), now=timezone.now())
        return f"“{user.username}” is a super user now: sees everyone's memories in every tier, and may erase."

    return _sure(request, reach, change)


@require_POST
@signed_in
def demote(request: Asked, reach: Reach, login_id: int) -> HttpResponse:
    def change() -> str:
        user = demote_login(login=login_id, author=reach.author(), now=timezone.now())
        return f"“{user.username}” is no super user any more, and sees {_shown(user)}."

    return _sure(request, reach, change)


@require_POST
@signed_in
def link(request: Asked, reach: Reach, login_id: int) -> HttpResponse:
    def change() -> str:
        person = request.POST.get("person", "").replace("\x00", "").strip()
        user = link_login(login=login_id, person=person, author=reach.author(), now=timezone.now())
        return f"“{user.username}” belongs to {user.person} now." if user.person else f"“{user.username}” is nobody's."

    return _sure(request, reach, change)


@require_POST
@signed_in
def switch_off(request: Asked, reach: Reach, login_id: int) -> HttpResponse:
    def change() -> str:
        user = switch_login_off(login=login_id, author=reach.author(), now=timezone.now())
        end_all_of(user)
        return f"“{user.username}” is switched off, and signed out everywhere."

    return _sure(request, reach, change)


@require_POST
@signed_in
def switch_on(request: Asked, reach: Reach, login_id: int) -> HttpResponse:
    def change() -> str:
        user = switch_login_on(login=login_id, author=reach.author(), now=timezone.now())
        return f"“{user.username}” can sign in again."

    return _sure(request, reach, change)


def _sure(request: Asked, reach: Reach, change: Callable[[], str]) -> HttpResponse:
    """Does it after the password was typed again, and says what it did, on the page that whoever did it has left."""
    only_super(reach)
    if refused := refusal(request.user, request.POST.get("password", "")):
        warn(request, refused)
        return redirect("logins")
    try:
        say(request, change())
    except (InConflict, Invalid) as error:
        warn(request, str(error))
    still = User.objects.filter(pk=request.user.pk, is_superuser=True, is_active=True).exists()
    return redirect("logins" if still else "overview")


def _shown(user: User) -> str:
    return f"the memories of {user.person}" if user.person else "nothing until a person is linked"
