"""`/keys/`: API keys, which super users make, rotate and revoke after they give their password again; and, for
everyone, the assistants that signed in."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from dashboard.access import SignedInRequest, get_view, post_view, require_super_user
from dashboard.forms import CommaSeparatedField
from dashboard.responses import fields_json, show_message, show_warning, wants_json
from dashboard.sign_in import ConfirmedForm, has_given_password
from dashboard.viewer import Viewer
from memory_app.engine.api_keys import LONGEST_KEY_NAME, IssuedKey, create_key, revoke_key, rotate_key
from memory_app.engine.oauth_authorizations import end_authorization
from memory_app.errors import Invalid, NotFound
from memory_app.models import ApiKey, OAuthAuthorization, Scope
from memory_app.models.oauth_authorization import OAuthAuthorizationQuerySet
from memory_app.oauth.resources import server_address

SCOPE_LABELS = {
    "read": "Read: recall, brief, look up",
    "write": "Write: remember, listen, review, forget",
    "admin": "Admin: everything, in all tiers",
}
LIFETIME_LABELS = {"": "Until it is revoked", "30": "30 days", "90": "90 days", "365": "A year"}
OVERLAP_LABELS = {"1": "1 hour", "24": "1 day", "168": "7 days", "0": "no time at all"}
"""Hours for which the old key holds beside the new one."""


class KeyForm(ConfirmedForm):
    """What a key is for and may do."""

    name = forms.CharField(label="What it is for", max_length=LONGEST_KEY_NAME)
    scopes = forms.MultipleChoiceField(
        label="It may",
        choices=list(SCOPE_LABELS.items()),
        initial=[Scope.READ.value, Scope.WRITE.value],
        widget=forms.CheckboxSelectMultiple,
    )
    people = CommaSeparatedField(label="For these people", required=False)
    spaces = CommaSeparatedField(label="In these spaces", required=False)
    lasts = forms.ChoiceField(label="It lasts", choices=list(LIFETIME_LABELS.items()), required=False)

    def expires_at(self, now: datetime) -> datetime | None:
        days = self.cleaned_data["lasts"]
        return now + timedelta(days=int(days)) if days else None


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key, and how it stands: in use, about to expire, expired or revoked."""

    key: ApiKey
    state: str
    usable: bool


def list_keys(now: datetime) -> Sequence[KeyRow]:
    """All keys: those that still work first, the newest first."""
    keys = ApiKey.objects.made_by_people().defer("hash").order_by("-created_at", "-id")
    return sorted((_key_row(key, now) for key in keys), key=lambda item: not item.usable)


def as_json(items: Sequence[KeyRow]) -> list[dict[str, Any]]:
    shown = ("id", "name", "prefix", "scopes", "people", "spaces", "created_at", "expires_at", "last_used_at")
    return [{**fields_json(item.key, *shown), "revoked_at": item.key.revoked_at} for item in items]


def _key_row(key: ApiKey, now: datetime) -> KeyRow:
    if key.revoked_at:
        return KeyRow(key, "revoked", usable=False)
    if key.expires_at and key.expires_at <= now:
        return KeyRow(key, "expired", usable=False)
    return KeyRow(key, "expires" if key.expires_at else "in use", usable=True)


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    if wants_json(request):
        now = timezone.now()
        keys = as_json(list_keys(now)) if viewer.is_super_user else []
        return JsonResponse({"items": keys, "assistants": assistants_json(list_assistants(viewer, now))})
    return _page(request, viewer, KeyForm(user=request.user))


@post_view
def create(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    """Answers the page with the new key on it, the only time: the key itself is not stored."""
    require_super_user(viewer)
    form, now = KeyForm(request.POST, user=request.user), timezone.now()
    if not form.is_valid():
        return _page(request, viewer, form)
    fields = {name: form.cleaned_data[name] for name in ("name", "scopes", "spaces", "people")}
    try:
        issued = create_key(**fields, expires_at=form.expires_at(now), author=viewer.author(), now=now)
    except Invalid as error:
        form.add_error(None, str(error))
        return _page(request, viewer, form)
    return _page(request, viewer, KeyForm(user=request.user), issued)


@post_view
def rotate(request: SignedInRequest, viewer: Viewer, key_id: UUID) -> HttpResponse:
    require_super_user(viewer)
    if not has_given_password(request, request.user):
        return redirect("keys")
    hours = request.POST.get("overlap", "")
    overlap = timedelta(hours=int(hours if hours in OVERLAP_LABELS else "24"))
    try:
        issued = rotate_key(key=key_id, overlap=overlap, author=viewer.author(), now=timezone.now())
    except Invalid as error:
        show_warning(request, str(error))
        return redirect("keys")
    return _page(request, viewer, KeyForm(user=request.user), issued)


@post_view
def revoke(request: SignedInRequest, viewer: Viewer, key_id: UUID) -> HttpResponse:
    require_super_user(viewer)
    if not has_given_password(request, request.user):
        return redirect("keys")
    try:
        key = revoke_key(key=key_id, author=viewer.author(), now=timezone.now())
        show_message(request, f"Revoked. “{key.name}” opens nothing any more.")
    except Invalid as error:
        show_warning(request, str(error))
    return redirect("keys")


def _page(request: SignedInRequest, viewer: Viewer, form: KeyForm, issued: IssuedKey | None = None) -> HttpResponse:
    now = timezone.now()
    context = {
        "viewer": viewer,
        "form": form,
        "issued": issued,
        "keys": list_keys(now) if viewer.is_super_user else [],
        "assistants": list_assistants(viewer, now),
        "overlaps": OVERLAP_LABELS,
        "address": server_address(request),
    }
    return render(request, "dashboard/keys.html", context, status=422 if form.is_bound else 200)


@dataclass(frozen=True, slots=True)
class AssistantRow:
    """An assistant that signed in, and when it ended, if it did."""

    allowed: OAuthAuthorization
    ended_at: datetime | None

    @property
    def key(self) -> ApiKey:
        return self.allowed.key


def list_assistants(viewer: Viewer, now: datetime) -> Sequence[AssistantRow]:
    """Those that still reach something first, the newest first."""
    rows = _assistants_of(viewer).signed_in().select_related("key", "user").defer("key__hash")
    listed = [_assistant_row(row, now) for row in rows.order_by("-created_at", "-pk")]
    return sorted(listed, key=lambda row: row.ended_at is not None)


def assistants_json(rows: Sequence[AssistantRow]) -> list[dict[str, Any]]:
    shown = ("id", "name", "prefix", "scopes", "people", "created_at", "expires_at", "last_used_at", "revoked_at")
    return [
        {
            **fields_json(row.key, *shown),
            "host": row.allowed.redirect_host,
            "address": row.allowed.resource,
            "login": row.allowed.user.get_username(),
        }
        for row in rows
    ]


def _assistants_of(viewer: Viewer) -> OAuthAuthorizationQuerySet:
    """What one allowed oneself, and what reaches one's own memory, whoever allowed it."""
    rows = OAuthAuthorization.objects.all()
    if viewer.is_super_user:
        return rows
    own = rows.filter(user=viewer.user)
    return own | rows.of_person(viewer.person.name) if viewer.person else own


def _assistant_row(allowed: OAuthAuthorization, now: datetime) -> AssistantRow:
    key = allowed.key
    expired = key.expires_at if key.expires_at and key.expires_at <= now else None
    return AssistantRow(allowed, key.revoked_at or expired)


@post_view
def end_assistant(request: SignedInRequest, viewer: Viewer, assistant_id: UUID) -> HttpResponse:
    """Asks for no password: it only takes away."""
    if not _assistants_of(viewer).filter(pk=assistant_id).exists():
        raise NotFound
    try:
        key = end_authorization(key=assistant_id, author=viewer.author(), now=timezone.now())
        show_message(request, f"Ended. “{key.name}” reaches nothing any more, wherever it is open.")
    except Invalid:
        show_warning(request, "This assistant was ended already.")
    return redirect("keys")
