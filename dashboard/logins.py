"""The logins as the page lists them: whose they are, how they sign in, and when they were last seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.paginator import Paginator
from django.db.models import Max, Q

from dashboard.turning import turning
from memory_app.models import User

PAGE = 50

STEPS = {Authenticator.Type.TOTP.value: "code", Authenticator.Type.WEBAUTHN.value: "passkey"}
"""What stands beside a password, and what it is called. Recovery codes only stand in for one of these."""


@dataclass(frozen=True, slots=True)
class Login:
    """One login. second: how it is made sure who signs in. seen: when it last asked for a page; None for never."""

    user: User
    second: Sequence[str]
    seen: datetime | None


@dataclass(frozen=True, slots=True)
class Listing:
    """`total`: how many there are on all pages, which count from 1. alone: whether there is one super user left."""

    rows: Sequence[Login]
    query: str
    total: int
    number: int
    pages: int
    newer: str
    older: str
    alone: bool


def logins(query: str, page: str | None) -> Listing:
    """All of them, or those whose name or person holds a text; those that open something first, by name."""
    query = query.replace("\x00", "").strip()[:200]
    found = User.objects.select_related("person").order_by("-is_active", "username")
    if query:
        found = found.filter(Q(username__icontains=query) | Q(person__name__icontains=query))
    pages = Paginator(found, PAGE)
    here = pages.get_page(page)
    return Listing(
        rows=_rows(list(here.object_list)),
        query=query,
        **turning(here, q=query),
        alone=User.objects.filter(is_superuser=True, is_active=True).count() == 1,
    )


def login_json(login: Login) -> dict[str, Any]:
    user = login.user
    return {
        "id": user.pk,
        "name": user.username,
        "person": user.person.name if user.person else None,
        "super": user.is_superuser,
        "active": user.is_active,
        "second_factor": list(login.second),
        "last_seen_at": login.seen,
        "created_at": user.date_joined,
    }


def _rows(users: Sequence[User]) -> list[Login]:
    """What a page of them needs, in two statements."""
    held = Authenticator.objects.filter(user__in=users, type__in=STEPS).order_by("type")
    steps = set(held.values_list("user_id", "type"))
    seen = dict(UserSession.objects.filter(user__in=users).values_list("user_id").annotate(at=Max("last_seen_at")))
    return [
        Login(
            user,
            [name for kind, name in STEPS.items() if (user.pk, kind) in steps],
            max(filter(None, (seen.get(user.pk), user.last_login)), default=None),
        )
        for user in users
    ]
