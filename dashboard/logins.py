"""`/logins/`: who signs in here, and as what. Super users change that after they give their password again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.paginator import Paginator
from django.db.models import Max, Q
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view, post_view, require_super_user
from dashboard.account import end_all_sessions
from dashboard.lists import Pagination, pagination_fields
from dashboard.responses import clean_text, page_or_json, show_message, show_warning
from dashboard.sign_in import has_given_password
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
    return page_or_json(
        request,
        "logins.html",
        {"viewer": viewer, "listing": listing},
        lambda: {"items": [login_json(row) for row in listing.rows], **listing.pagination_json()},
    )


@post_view
def promote(request: SignedInRequest, viewer: Viewer, login_id: int) -> HttpResponse:
    words = "“{user}” is a super user now: sees everyone's memories in every tier, and may erase."
    return _change_with_password(request, viewer, promote_login, words, login=login_id)


@post_view
def demote(request: SignedInRequest, viewer: Viewer, login_id: int) -> HttpResponse:
    words = "“{user}” is no super user any more, and sees {memories}."
    return _change_with_password(request, viewer, demote_login, words, login=login_id)


@post_view
def link(request: SignedInRequest, viewer: Viewer, login_id: int) -> HttpResponse:
    person = clean_text(request.POST.get("person", "")).strip()
    words = "“{user}” belongs to {person} now." if person else "“{user}” is nobody's."
    return _change_with_password(request, viewer, link_login, words, login=login_id, person=person)


@post_view
def switch_off(request: SignedInRequest, viewer: Viewer, login_id: int) -> HttpResponse:
    words = "“{user}” is switched off, and signed out everywhere."
    return _change_with_password(request, viewer, disable_login, words, login=login_id)


@post_view
def switch_on(request: SignedInRequest, viewer: Viewer, login_id: int) -> HttpResponse:
    return _change_with_password(request, viewer, enable_login, "“{user}” can sign in again.", login=login_id)


def _change_with_password(
    request: SignedInRequest, viewer: Viewer, change: Callable[..., User], words: str, **what: Any
) -> HttpResponse:
    """Makes the change if the password is right, and says what it did. Whoever is no longer a super user may not see
    this page, so they get the first one."""
    require_super_user(viewer)
    if not has_given_password(request, request.user):
        return redirect("logins")
    try:
        user = change(**what, author=viewer.author(), now=timezone.now())
        if not user.is_active:
            end_all_sessions(user)
        memories = f"the memories of {user.person}" if user.person else "nothing until a person is linked"
        show_message(request, words.format(user=user.username, person=user.person, memories=memories))
    except (ConflictError, Invalid) as error:
        show_warning(request, str(error))
    still_super_user = User.objects.filter(pk=request.user.pk, is_superuser=True, is_active=True).exists()
    return redirect("logins" if still_super_user else "overview")
