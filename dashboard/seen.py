"""When a session last asked for a page, kept to the minute: the page of sessions and that of logins tell it."""

from datetime import datetime, timedelta

from allauth.usersessions.models import UserSession
from django.db import transaction
from django.http import HttpRequest

from memory_app.postgres.away import optional_write

NOTED_EACH = timedelta(minutes=1)
"""A session that asks again sooner is not noted again. allauth's own middleware would write for each request."""


def note_seen(request: HttpRequest, now: datetime) -> None:
    """Notes when, from where and with what a session last asked."""
    noted = UserSession.objects.filter(session_key=request.session.session_key)
    if noted.filter(last_seen_at__lt=now - NOTED_EACH).exists():
        with optional_write(), transaction.atomic():
            UserSession.objects.create_from_request(request)
