"""The form of a new key, and the keys as the page lists them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django import forms

from dashboard.forms import Words
from memory_app.engine.keys import LONGEST_NAME
from memory_app.models import ApiKey, Scope

SCOPES = {
    "read": "Read: recall, brief, look up",
    "write": "Write: remember, listen, review, forget",
    "admin": "Admin: everything, in all tiers",
}
LASTS = {"": "Until it is revoked", "30": "30 days", "90": "90 days", "365": "A year"}
OVERLAPS = {"1": "1 hour", "24": "1 day", "168": "7 days", "0": "no time at all"}
"""Hours for which the old key holds beside the new one."""


class KeyForm(forms.Form):
    """What a key is for and may do. The password is checked by the view."""

    name = forms.CharField(label="What it is for", max_length=LONGEST_NAME)
    scopes = forms.MultipleChoiceField(
        label="It may",
        choices=list(SCOPES.items()),
        initial=[Scope.READ.value, Scope.WRITE.value],
        widget=forms.CheckboxSelectMultiple,
    )
    people = Words(label="For these people", required=False)
    spaces = Words(label="In these spaces", required=False)
    lasts = forms.ChoiceField(label="It lasts", choices=list(LASTS.items()), required=False)
    password = forms.CharField(
        label="Your password", widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )

    def expires_at(self, now: datetime) -> datetime | None:
        days = self.cleaned_data["lasts"]
        return now + timedelta(days=int(days)) if days else None


@dataclass(frozen=True, slots=True)
class Listed:
    """A key, and how it stands: in use, about to expire, expired or revoked."""

    key: ApiKey
    state: str
    usable: bool


def listed(now: datetime) -> Sequence[Listed]:
    """All keys: those that open something first, the newest first."""
    keys = ApiKey.objects.defer("hash").order_by("-created_at", "-id")
    return sorted((_listed(key, now) for key in keys), key=lambda item: not item.usable)


def as_json(items: Sequence[Listed]) -> list[dict[str, Any]]:
    shown = ("id", "name", "prefix", "scopes", "people", "spaces", "created_at", "expires_at", "last_used_at")
    return [{**{name: getattr(item.key, name) for name in shown}, "revoked_at": item.key.revoked_at} for item in items]


def _listed(key: ApiKey, now: datetime) -> Listed:
    if key.revoked_at:
        return Listed(key, "revoked", usable=False)
    if key.expires_at and key.expires_at <= now:
        return Listed(key, "expired", usable=False)
    return Listed(key, "expires" if key.expires_at else "in use", usable=True)
