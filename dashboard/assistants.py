"""The part of `/keys/` that lists assistants which signed in, and ends them: one's own, everyone's for a super user."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from dashboard.access import SignedInRequest, with_viewer
from dashboard.responses import show_message, show_warning
from dashboard.viewer import Viewer
from memory_app.engine.oauth_authorizations import end_authorization
from memory_app.errors import Invalid, NotFound
from memory_app.models import ApiKey, OAuthAuthorization
from memory_app.models.oauth_authorization import OAuthAuthorizationQuerySet


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
            **{name: getattr(row.key, name) for name in shown},
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


@require_POST
@with_viewer
def end(request: SignedInRequest, viewer: Viewer, assistant_id: UUID) -> HttpResponse:
    """Asks for no password: it only takes away."""
    if not _assistants_of(viewer).filter(pk=assistant_id).exists():
        raise NotFound
    try:
        key = end_authorization(key=assistant_id, author=viewer.author(), now=timezone.now())
        show_message(request, f"Ended. “{key.name}” reaches nothing any more, wherever it is open.")
    except Invalid:
        show_warning(request, "This assistant was ended already.")
    return redirect("keys")
