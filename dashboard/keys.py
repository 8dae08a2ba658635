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
from django.views.decorators.http import require_POST, require_safe

from dashboard.access import SignedInRequest, require_super_user, with_viewer
from dashboard.assistants import assistants_json, list_assistants
from dashboard.forms import CommaSeparatedField
from dashboard.responses import show_message, show_warning, wants_json
from dashboard.sign_in import password_error
from dashboard.viewer import Viewer
from memory_app.engine.api_keys import LONGEST_KEY_NAME, IssuedKey, create_key, revoke_key, rotate_key
from memory_app.errors import Invalid
from memory_app.models import ApiKey, Scope
from memory_app.oauth.resources import server_address

SCOPE_LABELS = {
    "read": "Read: recall, brief, look up",
    "write": "Write: remember, listen, review, forget",
    "admin": "Admin: everything, in all tiers",
}
LIFETIME_LABELS = {"": "Until it is revoked", "30": "30 days", "90": "90 days", "365": "A year"}
OVERLAP_LABELS = {"1": "1 hour", "24": "1 day", "168": "7 days", "0": "no time at all"}
"""Hours for which the old key holds beside the new one."""


class KeyForm(forms.Form):
    """What a key is for and may do. The password is checked by the view."""

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
    password = forms.CharField(
        label="Your password", widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )

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
    return [{**{name: getattr(item.key, name) for name in shown}, "revoked_at": item.key.revoked_at} for item in items]


def _key_row(key: ApiKey, now: datetime) -> KeyRow:
    if key.revoked_at:
        return KeyRow(key, "revoked", usable=False)
    if key.expires_at and key.expires_at <= now:
        return KeyRow(key, "expired", usable=False)
    return KeyRow(key, "expires" if key.expires_at else "in use", usable=True)


@require_safe
@with_viewer
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    if wants_json(request):
        now = timezone.now()
        keys = as_json(list_keys(now)) if viewer.is_super_user else []
        return JsonResponse({"items": keys, "assistants": assistants_json(list_assistants(viewer, now))})
    return _page(request, viewer, KeyForm())


@require_POST
@with_viewer
def create(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    """Answers the page with the new key on it, the only time: the key itself is not stored."""
    require_super_user(viewer)
    form, now = KeyForm(request.POST), timezone.now()
    if not form.is_valid():
        return _page(request, viewer, form)
    if wrong_password := password_error(request.user, form.cleaned_data["password"]):
        form.add_error("password", wrong_password)
        return _page(request, viewer, form)
    fields = {name: form.cleaned_data[name] for name in ("name", "scopes", "spaces", "people")}
    try:
        issued = create_key(**fields, expires_at=form.expires_at(now), author=viewer.author(), now=now)
    except Invalid as error:
        form.add_error(None, str(error))
        return _page(request, viewer, form)
    return _page(request, viewer, KeyForm(), issued)


@require_POST
@with_viewer
def rotate(request: SignedInRequest, viewer: Viewer, key_id: UUID) -> HttpResponse:
    require_super_user(viewer)
    if wrong_password := password_error(request.user, request.POST.get("password", "")):
        show_warning(request, wrong_password)
        return redirect("keys")
    hours = request.POST.get("overlap", "")
    overlap = timedelta(hours=int(hours if hours in OVERLAP_LABELS else "24"))
    try:
        issued = rotate_key(key=key_id, overlap=overlap, author=viewer.author(), now=timezone.now())
    except Invalid as error:
        show_warning(request, str(error))
        return redirect("keys")
    return _page(request, viewer, KeyForm(), issued)


@require_POST
@with_viewer
def revoke(request: SignedInRequest, viewer: Viewer, key_id: UUID) -> HttpResponse:
    require_super_user(viewer)
    if wrong_password := password_error(request.user, request.POST.get("password", "")):
        show_warning(request, wrong_password)
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
