"""`/logins/`: who signs in here, and as what. Super users change that after they give their password again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.paginator import Paginator
from django.db.models import Max, Q
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view, post_view, require_super_user
from dashboard.account import end_all_sessions
from dashboard.lists import Pagination, pagination_fields
from dashboard.responses import clean_text, show_message, show_warning, wants_json
from dashboard.sign_in import password_error
from dashboard.viewer import Viewer
from memory_app.engine.logins import demote_login, disable_login, enable_login, link_login, promote_login
from memory_app.errors import ConflictError, Invalid
from memory_app.models import User

PAGE_SIZE = 50

SECOND_FACTORS = {Authenticator.Type.TOTP.value: "code", Authenticator.Type.WEBAUTHN.value: "passkey"}
"""What is asked beside the password, and what it is called. Recovery codes only replace one of these."""


@dataclass(frozen=True, slots=True)
class LoginRow:
    """One login. last_seen: when it last asked for a page; None for never."""

    user: User
    second_factors: Sequence[str]
    last_seen: datetime | None


@dataclass(frozen=True, slots=True)
class LoginListing(Pagination):
    rows: Sequence[LoginRow]
    query: str
    only_one_super_user: bool


def list_logins(query: str, page: str | None) -> LoginListing:
    """All of them, or those whose name or person contains the query; those that are switched on first, by name."""
    query = clean_text(query).strip()[:200]
    found = User.objects.select_related("person").order_by("-is_active", "username")
    if query:
        found = found.filter(Q(username__icontains=query) | Q(person__name__icontains=query))
    shown = Paginator(found, PAGE_SIZE).get_page(page)
    return LoginListing(
        rows=_rows(list(shown.object_list)),
        query=query,
        only_one_super_user=User.objects.filter(is_superuser=True, is_active=True).count() == 1,
        **pagination_fields(shown, q=query),
    )


def login_json(login: LoginRow) -> dict[str, Any]:
    user = login.user
    return {
        "id": user.pk,
        "name": user.username,
        "person": user.person.name if user.person else None,
        "super": user.is_superuser,
        "active": user.is_active,
        "second_factor": list(login.second_factors),
        "last_seen_at": login.last_seen,
        "created_at": user.date_joined,
    }


def _rows(users: Sequence[User]) -> list[LoginRow]:
    """In two statements, however many logins the page has."""
    authenticators = Authenticator.objects.filter(user__in=users, type__in=SECOND_FACTORS).order_by("type")
    steps = set(authenticators.values_list("user_id", "type"))
    last_seen = dict(UserSession.objects.filter(user__in=users).values_list("user_id").annotate(at=Max("last_seen_at")))
    return [
        LoginRow(
            user,
            [name for kind, name in SECOND_FACTORS.items() if (user.pk, kind) in steps],
            max(filter(None, (last_seen.get(user.pk), user.last_login)), default=None),
        )
        for user in users
    ]


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    require_super_user(viewer)
    listing = list_logins(request.GET.get("q", ""), request.GET.get("page"))
    if wants_json(request):
        return JsonResponse({"items": [login_json(row) for row in listing.rows], **listing.pagination_json()})
    return render(request, "dashboard/logins.html", {"viewer": viewer, "listing": listing})


@post_view
def promote(request: SignedInRequest, viewer: Viewer, login_id: int) -> HttpResponse:
    def change() -> str:
        user = promote_login(login=login_id, author=viewer.author(), now=timezone.now())
        return f"“{user.username}” is a super user now: sees everyone's memories in every tier, and may erase."

    return _change_with_password(request, viewer, change)


@post_view
def demote(request: SignedInRequest, viewer: Viewer, login_id: int) -> HttpResponse:
    def change() -> str:
        user = demote_login(login=login_id, author=viewer.author(), now=timezone.now())
        return f"“{user.username}” is no super user any more, and sees {_visible_memories(user)}."

    return _change_with_password(request, viewer, change)


@post_view
def link(request: SignedInRequest, viewer: Viewer, login_id: int) -> HttpResponse:
    def change() -> str:
        person = clean_text(request.POST.get("person", "")).strip()
        user = link_login(login=login_id, person=person, author=viewer.author(), now=timezone.now())
        return f"“{user.username}” belongs to {user.person} now." if user.person else f"“{user.username}” is nobody's."

    return _change_with_password(request, viewer, change)


@post_view
def switch_off(request: SignedInRequest, viewer: Viewer, login_id: int) -> HttpResponse:
    def change() -> str:
        user = disable_login(login=login_id, author=viewer.author(), now=timezone.now())
        end_all_sessions(user)
        return f"“{user.username}” is switched off, and signed out everywhere."

    return _change_with_password(request, viewer, change)


@post_view
def switch_on(request: SignedInRequest, viewer: Viewer, login_id: int) -> HttpResponse:
    def change() -> str:
        user = enable_login(login=login_id, author=viewer.author(), now=timezone.now())
        return f"“{user.username}” can sign in again."

    return _change_with_password(request, viewer, change)


def _change_with_password(request: SignedInRequest, viewer: Viewer, change: Callable[[], str]) -> HttpResponse:
    """Makes the change if the password is right, and says what it did. Whoever is no longer a super user may not see
    this page, so they get the first one."""
    require_super_user(viewer)
    if wrong_password := password_error(request.user, request.POST.get("password", "")):
        show_warning(request, wrong_password)
        return redirect("logins")
    try:
        show_message(request, change())
    except (ConflictError, Invalid) as error:
        show_warning(request, str(error))
    still_super_user = User.objects.filter(pk=request.user.pk, is_superuser=True, is_active=True).exists()
    return redirect("logins" if still_super_user else "overview")


def _visible_memories(user: User) -> str:
    return f"the memories of {user.person}" if user.person else "nothing until a person is linked"
